import * as l10n from '@vscode/l10n';
import type { Attachment } from '../../../shared/attachment.ts';
import { attachmentChip } from './attachmentChip.ts';
import { element, iconButton } from '../../kit/element.ts';

/** What the chips ask for. */
export interface ChipRowActs {
  readonly open: (id: string) => void;
  readonly remove: (item: Attachment) => void;
  /** Called when the focus has no chip left to move to. */
  readonly leave: () => void;
}

/** The chips above the text: arrows move between them, Delete removes one. */
export class ChipRow {
  readonly element = element('ul', { class: 'chips', 'aria-label': l10n.t('Attachments'), hidden: true });
  readonly #acts: ChipRowActs;

  constructor(acts: ChipRowActs) {
    this.#acts = acts;
    this.element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** @param more chips of attachments that haven't arrived yet */
  draw(items: readonly Attachment[], folder: string, more: readonly HTMLElement[]): void {
    const focused = document.activeElement;
    const held = this.element.contains(focused);
    const chip = focused?.closest('.chip');
    const id = chip?.getAttribute('data-id');
    const place = [...(chip?.querySelectorAll('button') ?? [])].findIndex((button) => button === focused);
    this.element.replaceChildren(...items.map((item) => this.#chip(item, folder)), ...more);
    this.element.hidden = this.element.childElementCount === 0;
    if (held) this.#focus(id, place);
  }

  #chip(item: Attachment, folder: string): HTMLElement {
    const opener = attachmentChip(item, { folder, open: this.#acts.open });
    opener.setAttribute('aria-keyshortcuts', 'Delete');
    const remove = iconButton('close', l10n.t('Remove {0}', item.name), () => this.#remove(chip, item));
    remove.classList.add('chip-remove');
    const chip = element('li', { class: 'chip', 'data-id': item.id }, opener, remove);
    return chip;
  }

  /** The focus moves to the neighbor, or to the text if there's none. */
  #remove(chip: HTMLElement, item: Attachment): void {
    // Never to a suggestion, because the next key would add it.
    const neighbors = [chip.nextElementSibling, chip.previousElementSibling];
    const next = neighbors.find((each) => each?.matches(':not(.suggested)'))?.getAttribute('data-id');
    const hadFocus = chip.contains(document.activeElement);
    this.#acts.remove(item);
    if (hadFocus) this.#focus(next);
  }

  /** @param place index of the button in the chip; the first one by default */
  #focus(id: string | null | undefined, place = 0): void {
    const chip = [...this.element.children].find((candidate) => candidate.getAttribute('data-id') === id);
    const buttons = chip?.querySelectorAll('button');
    const target = id === null || id === undefined ? undefined : (buttons?.[place] ?? buttons?.[0]);
    if (target === undefined) this.#acts.leave();
    else target.focus();
  }

  #key(event: KeyboardEvent): void {
    const chip = event.target instanceof Element ? event.target.closest('.chip') : null;
    if (!(chip instanceof HTMLElement)) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      chip.querySelector<HTMLElement>('.chip-remove')?.click();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const next = event.key === 'ArrowRight' ? chip.nextElementSibling : chip.previousElementSibling;
      next?.querySelector('button')?.focus();
    }
  }
}
