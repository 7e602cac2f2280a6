import * as l10n from '@vscode/l10n';
import type { MessageView, VersionView } from '../../../shared/chat.ts';
import { speedText } from '../../../words/replySpeed.ts';
import { element, iconButton } from '../../kit/element.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** The direction of a switch between versions. */
export type Side = 'previous' | 'next';

/** `‹ 1/2 ›` under a message that has other versions. */
export class VersionSwitch {
  readonly element = element('div', { class: 'versions', role: 'group', hidden: true });
  readonly #show: (messageId: string, side: Side) => void;
  /** Made with the second version: most messages have only one. */
  #parts: { readonly count: HTMLElement; readonly buttons: Readonly<Record<Side, HTMLButtonElement>> } | undefined;
  #targets: Readonly<Record<Side, string | undefined>> = { previous: undefined, next: undefined };
  #running = false;

  /** @param show shows this version; the side says which button had the focus */
  constructor(show: (messageId: string, side: Side) => void) {
    this.#show = show;
  }

  draw(message: MessageView): void {
    const versions = message.versions ?? [];
    const index = versions.findIndex(({ id }) => id === message.id);
    const [previous, next] = [versions[index - 1], versions[index + 1]];
    this.#targets = { previous: previous?.id, next: next?.id };
    this.element.hidden = versions.length < 2;
    if (this.element.hidden) return;
    this.element.setAttribute('aria-label', versionWords(message) ?? '');
    const { count, buttons } = (this.#parts ??= this.#make());
    count.textContent = `${index + 1}/${versions.length}`;
    buttons.previous.title = withFacts(l10n.t('Previous Version'), previous);
    buttons.next.title = withFacts(l10n.t('Next Version'), next);
    this.#enable();
  }

  /** The conversation can't leave a reply that is being written. */
  setRunning(running: boolean): void {
    this.#running = running;
    this.#enable();
  }

  focus(side: Side): void {
    this.#parts?.buttons[side].focus();
  }

  #make() {
    const count = element('span', { class: 'version-count', 'aria-hidden': 'true' });
    const buttons = {
      previous: iconButton('chevron-left', l10n.t('Previous Version'), () => this.#go('previous')),
      next: iconButton('chevron-right', l10n.t('Next Version'), () => this.#go('next')),
    };
    this.element.append(buttons.previous, count, buttons.next);
    return { count, buttons };
  }

  #go(side: Side): void {
    const target = this.#targets[side];
    if (target !== undefined && !this.#running) this.#show(target, side);
  }

  /** Never `disabled`: the focus would be lost at the last one. */
  #enable(): void {
    for (const side of ['previous', 'next'] as const) {
      const isOff = this.#running || this.#targets[side] === undefined;
      this.#parts?.buttons[side].setAttribute('aria-disabled', String(isOff));
    }
  }
}

/** "Version 1 of 2, northwind/gale-32b-instruct", for a message that has other versions. */
export function versionWords(message: MessageView): string | undefined {
  const { id, versions = [] } = message;
  if (versions.length < 2) return undefined;
  const number = versions.findIndex((version) => version.id === id) + 1;
  return message.role === 'user'
    ? l10n.t('Version {0} of {1}', number, versions.length)
    : l10n.t('Version {0} of {1}, {2}', number, versions.length, modelLabel(message.model));
}

/** What is known about the version behind a button, one fact per line. */
function withFacts(words: string, version: VersionView | undefined): string {
  if (version?.model === undefined) return words;
  const speed = speedText(version.metrics ?? {});
  return [`${words}: ${modelLabel(version.model)}`, ...(speed === '' ? [] : [speed])].join('\n');
}
