import { type ModelRef, refParts } from '../../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ChatOptions } from '../../../shared/chat.ts';
import { type AttachmentActs, ComposerAttachments } from './composerAttachments.ts';
import { element, icon, iconButton } from '../../kit/element.ts';
import { growWithText } from '../../kit/growWithText.ts';
import { joinedTexts } from '../../../shared/text/joinedTexts.ts';
import { isImeKey } from '../../kit/keys.ts';
import { countParameters } from './optionFields.ts';
import { ParametersPanel } from './parametersPanel.ts';
import { splitModelId } from './splitModelId.ts';
import { modelLabel, shortServiceNote } from '../../../words/modelLabel.ts';

/** What the composer asks for. */
export interface ComposerActs {
  /** @returns false if it couldn't be sent: the text stays. */
  ask(text: string, attachments: readonly string[]): boolean;
  optionsChanged(options: ChatOptions): void;
  draftChanged(text: string): void;
}

/** What a page with several models has instead of the model button. */
export interface ComposerExtras {
  /** After the parameters. */
  readonly beside: readonly HTMLElement[];
  /** Before Send. */
  readonly beforeSend: readonly HTMLElement[];
  /** Label of the button while something is running. */
  readonly stop: string;
}

/** Everything for the next message: its text, its model, its parameters, and Send. */
export class Composer {
  readonly element: HTMLElement;
  readonly attachments: ComposerAttachments;
  readonly #acts: ComposerActs;
  readonly #box = element('textarea', { class: 'message-box', 'aria-label': l10n.t('Message'), rows: '1' });
  readonly #model: HTMLButtonElement;
  readonly #modelHead = element('span', { class: 'model-head' });
  readonly #modelTail = element('span', { class: 'model-tail' });
  readonly #modelService = element('span', { class: 'model-service' });
  readonly #parameters: HTMLButtonElement;
  readonly #panel: ParametersPanel;
  readonly #send: HTMLButtonElement;
  readonly #fit: () => void;
  readonly #stopName: string | undefined;
  #running = false;
  #optionsKnown = false;

  constructor(acts: ComposerActs, attachmentActs: Omit<AttachmentActs, 'changed'>, extras?: ComposerExtras) {
    const { post } = attachmentActs;
    this.#acts = acts;
    this.#stopName = extras?.stop;
    this.attachments = new ComposerAttachments({ ...attachmentActs, changed: () => this.#drawSend() }, this.#box);
    this.#panel = new ParametersPanel({
      changed: (options) => acts.optionsChanged(options),
      closed: () => this.#panelClosed(),
    });
    this.#model = element(
      'button',
      { type: 'button', class: 'model-button', 'aria-label': l10n.t('Model') },
      element('span', { class: 'model-id' }, this.#modelHead, this.#modelTail, this.#modelService),
      icon('chevron-down'),
    );
    this.#model.addEventListener('click', () => post({ type: 'selectModel' }));
    // Keeps the focus in an open model list, which would otherwise close and open again.
    this.#model.addEventListener('mousedown', (event) => {
      if (document.activeElement?.closest('.model-picker')) event.preventDefault();
    });
    this.#parameters = iconButton('settings', l10n.t('Parameters'), () => this.#toggleParameters());
    this.#parameters.setAttribute('aria-expanded', 'false');
    this.#parameters.setAttribute('aria-controls', this.#panel.element.id);
    this.#send = iconButton('send', l10n.t('Send'), () => (this.#running ? post({ type: 'stop' }) : this.#ask()));
    this.#send.classList.add('send');
    // What these two characters do isn't visible anywhere else.
    this.#box.placeholder = l10n.t('Message (# context, / prompts)');
    this.#box.addEventListener('keydown', (event) => this.#keyDown(event));
    this.#box.addEventListener('input', () => this.#typed());
    this.#box.addEventListener('focus', () => post({ type: 'composing' }));
    const row = element(
      'div',
      { class: 'composer-row' },
      this.attachments.button,
      ...(extras === undefined ? [this.#model] : []),
      this.#parameters,
      ...(extras?.beside ?? []),
      element('div', { class: 'space' }),
      // On one line, however narrow the page is.
      extras === undefined ? this.#send : element('span', { class: 'composer-end' }, ...extras.beforeSend, this.#send),
    );
    const frame = element('div', { class: 'composer' }, this.#panel.element, this.attachments.element, this.#box, row);
    // A click on an empty part of the frame focuses the text.
    frame.addEventListener('mousedown', (event) => {
      if (event.target !== row && event.target !== frame) return;
      event.preventDefault();
      this.focus();
    });
    this.element = frame;
    this.#fit = growWithText(this.#box);
    this.#drawSend();
  }

  get text(): string {
    return this.#box.value;
  }

  setText(text: string): void {
    if (this.#box.value === text) return;
    this.#box.value = text;
    this.#fit();
    this.attachments.stopWaiting();
    this.attachments.drawNote();
    this.#drawSend();
  }

  /** Restores a text that wasn't sent. Text that was typed since stays below it. */
  giveBack(text: string): void {
    // A refused Retry has no text, so the focus stays where it is.
    if (text === '') return;
    this.setText(joinedTexts(text, this.#box.value));
    this.#acts.draftChanged(this.#box.value);
    this.focus();
  }

  focus(): void {
    this.#box.focus();
  }

  /** Adds a text below the current one. */
  add(text: string): void {
    this.setText(joinedTexts(this.#box.value, text));
    this.#acts.draftChanged(this.#box.value);
  }

  /** Removes a text that was restored, because it was sent after all. Text that was typed below it stays. */
  takeAway(text: string): void {
    const { value } = this.#box;
    if (value !== text && !value.startsWith(`${text}\n\n`)) return;
    this.setText(value.slice(text.length).trimStart());
    this.#acts.draftChanged(this.#box.value);
  }

  /** The page might go away: reports the current values. */
  saveOptions(): void {
    this.#panel.save();
  }

  /** Another conversation is about to be shown: reports the values of this one. */
  leaveOptions(): void {
    this.#panel.settle();
  }

  openParameters(): void {
    if (!this.#optionsKnown) return;
    this.#panel.open();
    this.#parameters.setAttribute('aria-expanded', 'true');
  }

  /** @returns true if they were open. */
  closeParameters(): boolean {
    const wasOpen = this.#panel.isOpen;
    this.#panel.close();
    return wasOpen;
  }

  showModel(model: ModelRef): void {
    const { head, tail } = splitModelId(model === '' ? l10n.t('Select model') : refParts(model).model);
    this.#modelHead.textContent = head;
    this.#modelTail.textContent = tail;
    const service = model === '' ? '' : shortServiceNote(model);
    this.#modelService.textContent = service;
    const name = model === '' ? l10n.t('Select model') : l10n.t('Model: {0}', modelLabel(model));
    this.#model.title = name;
    this.#model.setAttribute('aria-label', name);
  }

  setPlaceholder(text: string): void {
    this.#box.placeholder = text;
  }

  /** @param isOther true if the options are another conversation's. */
  showOptions(options: ChatOptions, defaults: ChatOptions, isOther: boolean): void {
    this.#optionsKnown = true;
    this.#panel.show(options, defaults, isOther);
    const count = countParameters(options);
    const name = count === 0 ? l10n.t('Parameters') : l10n.t('Parameters ({0} set)', count);
    this.#parameters.title = name;
    this.#parameters.setAttribute('aria-label', name);
    this.#parameters.classList.toggle('badged', count > 0);
  }

  setRunning(running: boolean): void {
    this.#running = running;
    this.#drawSend();
  }

  #keyDown(event: KeyboardEvent): void {
    if (this.attachments.keyDown(event)) return;
    // Alt+Enter adds the suggestion, and must not send if there's none.
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || isImeKey(event)) return;
    event.preventDefault();
    if (!this.#running) this.#ask();
  }

  #ask(): void {
    const text = this.#box.value;
    if (!this.#holdsMessage()) return;
    if (this.attachments.waits(() => this.#ask())) return;
    const invalid = this.#panel.invalidField;
    if (invalid !== undefined) {
      invalid.focus();
      return;
    }
    this.#panel.flush();
    const { ids } = this.attachments;
    if (!this.#acts.ask(text, ids)) return;
    this.attachments.sent(ids);
    this.setText('');
    this.focus();
  }

  #holdsMessage(): boolean {
    return this.#box.value.trim() !== '' || this.attachments.ids.length > 0;
  }

  #typed(): void {
    this.attachments.typed();
    this.#drawSend();
    this.#acts.draftChanged(this.#box.value);
  }

  #toggleParameters(): void {
    if (this.#panel.isOpen) this.#panel.close();
    else this.openParameters();
  }

  #panelClosed(): void {
    this.#parameters.setAttribute('aria-expanded', 'false');
    this.#parameters.focus();
  }

  /** One button with two labels: Send and Stop are never shown together. */
  #drawSend(): void {
    const name = this.#running ? (this.#stopName ?? l10n.t('Stop')) : l10n.t('Send');
    if (this.#send.getAttribute('aria-label') !== name) {
      this.#send.setAttribute('aria-label', name);
      this.#send.replaceChildren(
        ...(this.#running ? [element('span', { class: 'stop-square' }), this.#stopName ?? ''] : [icon('send')]),
      );
      this.#send.classList.toggle('stop', this.#running);
    }
    this.#send.title = this.#running ? l10n.t('Stop (Escape)') : l10n.t('Send (Enter)');
    // Never `disabled`: the focus would be lost if a reply ends while the button has it.
    if (this.#running || this.#holdsMessage()) this.#send.removeAttribute('aria-disabled');
    else this.#send.setAttribute('aria-disabled', 'true');
  }
}
