import * as l10n from '@vscode/l10n';
import type { PromptRow } from '../../../shared/chatProtocol.ts';
import { CompletionList } from './completionList.ts';
import { replaceBeforeCaret } from './replaceBeforeCaret.ts';

/** What the list needs from the page. */
export interface PromptActs {
  readonly ask: (request: number, typed: string) => void;
  /** Runs the prompt of this row. */
  readonly run: (row: string) => void;
  readonly say: (text: string) => void;
}

/** The list of prompts that `/` opens. The typed search text is removed once a prompt runs. Escape keeps it. */
export class PromptCompletion {
  readonly #list: CompletionList<PromptRow>;
  readonly #acts: PromptActs;
  #request = 0;
  #typed = '';

  constructor(box: HTMLTextAreaElement, acts: PromptActs) {
    this.#acts = acts;
    this.#list = new CompletionList<PromptRow>(box, {
      id: 'parlance-prompts',
      name: l10n.t('Prompts'),
      startsAtFirst: true,
      opened: (count) =>
        acts.say(
          count === 1
            ? l10n.t('1 prompt. Press Enter to run it.')
            : l10n.t('{0} prompts. Use the arrow keys to select, Enter to run the selected one.', count),
        ),
      take: ({ id }) => {
        this.#request += 1;
        replaceBeforeCaret(box, '/', '');
        acts.run(id);
      },
    });
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** Asks which prompts start like this. The result of an earlier query is ignored. */
  ask(typed: string): void {
    this.#request += 1;
    this.#typed = typed;
    this.#acts.ask(this.#request, typed);
  }

  /** @returns false if this is the result of an earlier query */
  show(request: number, rows: readonly PromptRow[]): boolean {
    if (request !== this.#request) return false;
    const none = l10n.t('No prompts match "{0}".', this.#typed);
    this.#list.show(rows, none);
    if (rows.length === 0) this.#acts.say(none);
    return true;
  }

  runFirst(): void {
    this.#list.takeFirst();
  }

  close(): void {
    this.#request += 1;
    this.#list.hide();
  }

  /** @returns true if the list handled the key */
  keyDown(event: KeyboardEvent): boolean {
    const wasOpen = !this.element.hidden;
    const isTaken = this.#list.keyDown(event);
    // The user has closed it, so a result that is still on its way must not open it again.
    if (wasOpen && this.element.hidden) this.#request += 1;
    return isTaken;
  }
}
