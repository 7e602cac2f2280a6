import * as l10n from '@vscode/l10n';
import type { NoteView } from '../../../shared/protocol/chatProtocol.ts';
import { element, icon, iconButton, setText, textButton } from '../../kit/element.ts';

interface Shown {
  readonly note: NoteView;
  readonly element: HTMLElement;
  readonly words: HTMLElement;
}

/**
 * Messages above the composer, each with its buttons. A button, Dismiss, or Escape ends one; in the message box, Escape
 * leaves tasks in progress and what can be restored.
 */
export class NoteList {
  readonly element = element('div', { class: 'notes' });
  readonly #end: (id: string, button?: string) => void;
  readonly #shown = new Map<string, Shown>();

  /** @param end called with the label of a button, or without one if the user dismisses the note */
  constructor(end: (id: string, button?: string) => void) {
    this.#end = end;
  }

  /** @returns what is new, for screen readers */
  show(notes: readonly NoteView[]): string {
    const ids = new Set(notes.map(({ id }) => id));
    for (const [id, { element: gone }] of this.#shown) {
      if (ids.has(id)) continue;
      gone.remove();
      this.#shown.delete(id);
    }
    const added: string[] = [];
    for (const note of notes) {
      const before = this.#shown.get(note.id);
      if (before !== undefined) setText(before.words, note.text);
      else {
        added.push(note.text);
        this.#add(note);
      }
    }
    if (added.length > 0) this.element.scrollTop = this.element.scrollHeight;
    return added.join(' ');
  }

  /** Moves the focus to the button that restores what was deleted last, if there's one. */
  focusUndo(): void {
    const newest = [...this.#shown.values()].findLast(({ note }) => note.severity === 'undo');
    newest?.element.querySelector('button')?.focus();
  }

  /** Dismisses the newest with something to read. False if there's none. */
  dismissNewest(): boolean {
    const newest = [...this.#shown.values()].findLast(({ note: { severity } }) => !['busy', 'undo'].includes(severity));
    if (newest === undefined) return false;
    this.#end(newest.note.id);
    return true;
  }

  #add(note: NoteView): void {
    const isBusy = note.severity === 'busy';
    const words = element('div', { class: 'note-words' }, note.text);
    const shown = note.severity === 'undo' ? this.#undoBar(note, words) : this.#note(note, words);
    shown.setAttribute('aria-label', isBusy ? l10n.t('In progress') : l10n.t('Message from Parlance'));
    if (!isBusy) {
      shown.append(iconButton('close', l10n.t('Dismiss'), () => this.#end(note.id)));
      shown.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        this.#end(note.id);
      });
    }
    this.#shown.set(note.id, { note, element: shown, words });
    this.element.append(shown);
  }

  /** One line, because there can be several. */
  #undoBar(note: NoteView, words: HTMLElement): HTMLElement {
    const buttons = note.buttons.map((label) => textButton('link', label, () => this.#end(note.id, label)));
    return element(
      'div',
      { class: 'foot-bar undo-bar', role: 'group' },
      words,
      ...buttons,
      element('div', { class: 'space' }),
    );
  }

  #note(note: NoteView, words: HTMLElement): HTMLElement {
    const isBusy = note.severity === 'busy';
    const body = element('div', { class: 'note-body' }, words);
    if (note.buttons.length > 0) {
      const buttons = note.buttons.map((label, index) =>
        textButton(index === 0 && !isBusy ? 'button' : 'link', label, () => this.#end(note.id, label)),
      );
      body.append(element('div', { class: 'note-actions' }, ...buttons));
    }
    const mark = icon(isBusy ? 'loading' : note.severity);
    return element('div', { class: `note note-${note.severity}`, role: 'group' }, mark, body);
  }
}
