import * as l10n from '@vscode/l10n';
import type { UserMessageView } from '../../../shared/chat.ts';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { attachmentChip } from '../composer/attachmentChip.ts';
import { element, textButton } from '../../kit/element.ts';
import { isImeKey } from '../../kit/keys.ts';
import { MessageActions } from './messageActions.ts';
import { growWithText } from '../../kit/growWithText.ts';
import { sameLineEnds } from './sameLineEnds.ts';
import { sentParts } from './sentParts.ts';
import { type Side, VersionSwitch } from './versionSwitch.ts';

/** The user's message, in a bubble that can be edited and sent again. */
export class UserArticle {
  readonly role = 'user';
  readonly element: HTMLElement;
  readonly #around: ArticleSurroundings;
  readonly #actions: MessageActions;
  readonly #bubble = element('div', { class: 'bubble' });
  readonly #edit: HTMLButtonElement;
  readonly #versions: VersionSwitch;
  #message: UserMessageView;
  #running = false;
  #editor: HTMLElement | undefined;
  #send: HTMLButtonElement | undefined;
  /** The text that Escape discarded, because it's easily pressed by mistake. */
  #left: string | undefined;

  constructor(message: UserMessageView, around: ArticleSurroundings) {
    this.#message = message;
    this.#around = around;
    this.#actions = new MessageActions(around);
    this.#versions = new VersionSwitch(around.showVersion);
    this.#versions.draw(message);
    this.#edit = this.#actions.add('edit', l10n.t('Edit'), () => this.#edited(), true);
    this.#actions.addCopy(message.id);
    this.#actions.addDelete(message.id);
    this.#bubble.append(...sentText(message.text));
    this.#bubble.hidden = message.text === '';
    this.element = element(
      'article',
      { class: 'message user', 'aria-label': l10n.t('You') },
      element('h2', { class: 'spoken' }, l10n.t('You')),
      ...this.#chips(),
      this.#bubble,
      element('div', { class: 'footer' }, this.#versions.element, this.#actions.element),
    );
    const left = around.edits.textOf(message.id);
    if (left !== undefined) this.#startEditing(left);
  }

  update(message: UserMessageView): void {
    if (message.text !== this.#message.text) this.#bubble.replaceChildren(...sentText(message.text));
    this.#message = message;
    this.#versions.draw(message);
  }

  focusVersions(side: Side): void {
    this.#versions.focus(side);
  }

  setRunning(running: boolean): void {
    this.#running = running;
    this.#actions.setRunning(running);
    this.#versions.setRunning(running);
    this.#drawSend();
  }

  dispose(): void {
    this.#actions.dispose();
  }

  /** The message's attachments, which never change. */
  #chips(): readonly HTMLElement[] {
    const { attachments = [] } = this.#message;
    if (attachments.length === 0) return [];
    const { pictures, post } = this.#around;
    const open = (id: string): void => post({ type: 'openAttachment', id });
    const chips = attachments.map((attachment) =>
      element('li', { class: 'chip' }, attachmentChip(attachment, { folder: pictures(), open })),
    );
    return [element('ul', { class: 'chips', 'aria-label': l10n.t('Sent with the message') }, ...chips)];
  }

  #edited(): void {
    const box = this.#startEditing(this.#left ?? this.#message.text);
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
    // The focus alone only scrolls the box's edge into view.
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** The edit couldn't be sent. @returns false if it isn't known, or if another one has begun */
  editAgain(): boolean {
    const text = this.#around.edits.textOf(this.#message.id);
    const hadFocus = this.element.contains(document.activeElement);
    const box = text === undefined ? undefined : this.#startEditing(text);
    if (hadFocus) box?.focus();
    return box !== undefined;
  }

  /** @returns undefined if it's being edited already. */
  #startEditing(text: string): HTMLTextAreaElement | undefined {
    if (this.#editor !== undefined) return undefined;
    const { edits } = this.#around;
    const box = element('textarea', { class: 'edit-box', 'aria-label': l10n.t('Edit message'), rows: '1' });
    box.value = text;
    box.addEventListener('input', () => edits.changed(this.#message.id, box.value));
    const send = (): void => this.#resend(sameLineEnds(box.value, this.#message.text));
    box.addEventListener('keydown', (event) => {
      if (isImeKey(event)) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        this.#left = box.value;
        this.#stopEditing();
        edits.ended(this.#message.id);
      } else if (event.key === 'Enter' && !event.shiftKey) {
        event.preventDefault();
        send();
      }
    });
    this.#send = textButton('button', l10n.t('Send'), send);
    this.#drawSend();
    const buttons = element(
      'div',
      { class: 'edit-buttons' },
      this.#send,
      textButton('button secondary', l10n.t('Cancel'), () => {
        this.#left = undefined;
        this.#stopEditing();
        edits.ended(this.#message.id);
      }),
    );
    this.#editor = element('div', { class: 'editor' }, box, buttons);
    this.element.classList.add('editing');
    this.element.append(this.#editor);
    growWithText(box);
    return box;
  }

  /** Inactive while a reply runs, like the buttons below the message. */
  #drawSend(): void {
    if (this.#running) this.#send?.setAttribute('aria-disabled', 'true');
    else this.#send?.removeAttribute('aria-disabled');
  }

  #resend(text: string): void {
    const isEmpty = text.trim() === '' && (this.#message.attachments ?? []).length === 0;
    if (isEmpty || this.#running || !this.#around.fits(text)) return;
    this.#stopEditing();
    this.#around.edits.sent(this.#message.id, text);
    this.#around.post({ type: 'resend', messageId: this.#message.id, text });
  }

  #stopEditing(): void {
    this.#editor?.remove();
    this.#editor = undefined;
    this.element.classList.remove('editing');
    this.#edit.focus();
  }
}

// In characters. A longer one would push the reply out of view.
const foldAbove = 24;
const charactersPerLine = 72;

/** A user's message, with its code as code. A long one is collapsed, with the button to expand it below. */
function sentText(text: string): readonly HTMLElement[] {
  const all = element('div', { class: 'sent' });
  for (const part of sentParts(text)) {
    all.append(part.kind === 'words' ? part.text : element('pre', {}, element('code', {}, part.text)));
  }
  if (shownLines(text) <= foldAbove) return [all];
  const more = textButton('link', '', () => fold(!all.classList.contains('folded')));
  const fold = (isFolded: boolean): void => {
    all.classList.toggle('folded', isFolded);
    more.textContent = isFolded ? l10n.t('Show All') : l10n.t('Show Less');
    more.setAttribute('aria-expanded', String(!isFolded));
    // Otherwise a user who collapses it from its end would be left somewhere below.
    if (isFolded) more.scrollIntoView({ block: 'nearest' });
  };
  fold(true);
  // A match was found in it.
  all.addEventListener('beforematch', () => fold(false));
  return [all, more];
}

/** Decodes images shortly before they're visible. */
function shownLines(text: string): number {
  return text.split('\n').reduce((sum, { length }) => sum + Math.max(1, Math.ceil(length / charactersPerLine)), 0);
}
