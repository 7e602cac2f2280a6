import * as l10n from '@vscode/l10n';
import { type Attachment, type AttachmentsView, type CompletionView, tokensOf } from '../../shared/attachment.ts';
import type { ToHost } from '../../shared/chatProtocol.ts';
import { maxPictureBytes, maxPictureSourceBytes } from '../../shared/messageLimits.ts';
import type { Problem } from '../../shared/problem.ts';
import { attachmentChip } from './attachmentChip.ts';
import { aboutTokens } from './attachmentWords.ts';
import type { ContextCompletion } from './contextCompletion.ts';
import { element, icon, iconButton, setText } from './element.ts';
import type { FigureFormat } from './figureFormat.ts';
import { isImeKey } from './keys.ts';

/** What the row asks of the page around it. */
export interface AttachmentActs {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly refuse: (problem: Problem) => void;
  readonly figures: FigureFormat;
  /** What can be sent is another than before. */
  readonly changed: () => void;
}

// A `#` where a word begins, with the word so far.
const hashWord = /(?:^|\s)#([\p{L}\p{N}._/-]{0,60})$/u;

/** What goes with the next message besides its words: a row of chips above the text, and the ways to add one. */
export class ComposerAttachments {
  readonly element: HTMLElement;
  /** Opens the list of what can be added. */
  readonly button: HTMLButtonElement;
  readonly #acts: AttachmentActs;
  readonly #box: HTMLTextAreaElement;
  readonly #chips = element('ul', { class: 'chips', 'aria-label': l10n.t('Goes with the message'), hidden: true });
  readonly #note = element('div', { class: 'chips-note', hidden: true });
  readonly #noteWords = element('span');
  #conversationId = '';
  #view: AttachmentsView | undefined;
  #model = '';
  /** Names of pictures that are on their way to the host, by id. */
  readonly #pending = new Map<string, string>();
  #afterPending: (() => void) | undefined;
  #completion: ContextCompletion | undefined;
  #loading: Promise<ContextCompletion> | undefined;

  constructor(acts: AttachmentActs, box: HTMLTextAreaElement) {
    this.#acts = acts;
    this.#box = box;
    this.button = iconButton('add', l10n.t('Add Context (#)'), () => acts.post({ type: 'addContext' }));
    this.#note.append(icon('warning'), this.#noteWords);
    this.element = element('div', { class: 'attachments' }, this.#chips, this.#note);
    this.#chips.addEventListener('keydown', (event) => this.#chipKey(event));
    box.addEventListener('paste', (event) => this.#pasted(event));
    box.addEventListener('blur', () => this.#completion?.close());
  }

  /** What goes with the message, as the person sees it. */
  get ids(): readonly string[] {
    return (this.#view?.items ?? []).map(({ id }) => id);
  }

  /** Runs when what is on its way has arrived. @returns false when nothing is on its way */
  waits(then: () => void): boolean {
    if (this.#pending.size === 0) return false;
    this.#afterPending = then;
    this.#acts.say(l10n.t('Waiting for a picture'));
    return true;
  }

  /** Why this message cannot go to the model; undefined when it can. */
  get misfit(): Problem | undefined {
    if (this.#view?.seesPictures !== false || !this.#hasPicture()) return undefined;
    return {
      severity: 'warning',
      title: l10n.t('This model cannot see pictures'),
      detail: l10n.t('The catalogue says that {0} takes text alone. Nothing was sent.', this.#model),
      actions: [{ kind: 'selectModel', label: l10n.t('Another Model…') }],
      technical: '',
    };
  }

  show(conversationId: string, view: AttachmentsView, model: string): void {
    const before = this.#view;
    const isOther = conversationId !== this.#conversationId;
    this.#conversationId = conversationId;
    this.#view = view;
    this.#model = model;
    if (isOther) this.#pending.clear();
    for (const { id } of view.items) this.#pending.delete(id);
    if (isOther || before?.items !== view.items) this.#drawChips(view);
    this.drawNote();
    this.#settlePending();
    this.#acts.changed();
  }

  /** The host did not take this picture. */
  refused(id: string): void {
    if (!this.#pending.delete(id)) return;
    // The person must see the reason before the rest is sent.
    this.#afterPending = undefined;
    if (this.#view !== undefined) this.#drawChips(this.#view);
    this.#acts.changed();
  }

  /** The text changed: what it comes to with all else, and what a `#` in it may stand for. */
  typed(): void {
    this.drawNote();
    const typed = hashWord.exec(this.#box.value.slice(0, this.#box.selectionStart))?.[1];
    if (typed === undefined || this.#box.selectionStart !== this.#box.selectionEnd) return this.#completion?.close();
    void this.#load().then((completion) => completion.ask(typed));
  }

  /** A key in the text. @returns true when the list took it */
  keyDown(event: KeyboardEvent): boolean {
    return !isImeKey(event) && this.#completion?.keyDown(event) === true;
  }

  complete(request: number, items: readonly CompletionView[]): void {
    this.#completion?.show(request, items);
  }

  /** Files that were dropped or pasted, or that the host has read: pictures are made smaller, texts go as they are. */
  async addFiles(files: readonly File[]): Promise<void> {
    for (const file of files) {
      if (file.type.startsWith('image/')) await this.#addPicture(file);
      else
        this.#acts.post({
          type: 'addText',
          conversationId: this.#conversationId,
          name: file.name,
          text: await textOf(file),
        });
    }
  }

  /** Files of the workspace that were dropped, by their addresses. */
  addDropped(uris: readonly string[]): void {
    this.#acts.post({ type: 'addDropped', conversationId: this.#conversationId, uris });
  }

  /** Says when the message is more than the model takes, or may not be seen as it is. */
  drawNote(): void {
    const words = this.#noteOf();
    this.#note.hidden = words === undefined;
    if (words === undefined) return;
    this.#note.classList.toggle('warns', words.warns);
    setText(this.#noteWords, words.text);
    if (words.warns && this.#note.dataset['said'] !== words.text) this.#acts.say(words.text);
    this.#note.dataset['said'] = words.warns ? words.text : '';
  }

  #noteOf(): { readonly text: string; readonly warns: boolean } | undefined {
    const view = this.#view;
    if (view === undefined) return undefined;
    const { items, contextWindow, seesPictures } = view;
    const { figures } = this.#acts;
    const added = items.reduce((sum, { tokens }) => sum + tokens, 0);
    const all = view.conversationTokens + added + tokensOf(this.#box.value.length);
    if (contextWindow !== undefined && all > contextWindow) {
      const [is, most] = [figures.count(all), figures.count(contextWindow)];
      return { text: l10n.t('≈ {0} tokens: more than the {1} that this model takes', is, most), warns: true };
    }
    if (seesPictures === false && this.#hasPicture()) {
      return { text: l10n.t('{0} cannot see pictures', this.#model), warns: true };
    }
    if (seesPictures === undefined && this.#hasPicture()) {
      return { text: l10n.t('The catalogue does not say whether this model sees pictures'), warns: false };
    }
    if (items.length === 0 || contextWindow === undefined) return undefined;
    const [is, most] = [aboutTokens(all, figures), aboutTokens(contextWindow, figures).slice(2)];
    return { text: l10n.t('{0} of {1} tokens', is, most), warns: false };
  }

  #hasPicture(): boolean {
    return (this.#view?.items ?? []).some(({ kind }) => kind === 'picture');
  }

  #drawChips(view: AttachmentsView): void {
    const focused = document.activeElement;
    const held = this.#chips.contains(focused);
    const id = focused?.closest('.chip')?.getAttribute('data-id');
    this.#chips.replaceChildren(
      ...view.items.map((item) => this.#chip(item, view.folder)),
      ...[...this.#pending.values()].map(pendingChip),
    );
    this.#chips.hidden = this.#chips.childElementCount === 0;
    if (held) this.#focusChip(id);
  }

  #chip(item: Attachment, folder: string): HTMLElement {
    const open = attachmentChip(item, {
      figures: this.#acts.figures,
      folder,
      open: (id) => this.#acts.post({ type: 'openAttachment', id }),
    });
    open.setAttribute('aria-keyshortcuts', 'Delete');
    const remove = iconButton('close', l10n.t('Remove {0}', item.name), () => this.#remove(chip, item));
    remove.classList.add('chip-remove');
    const chip = element('li', { class: 'chip', 'data-id': item.id }, open, remove);
    return chip;
  }

  /** The focus goes to the neighbour, or to the text when there is none. */
  #remove(chip: HTMLElement, { id, name }: Attachment): void {
    const view = this.#view;
    if (view === undefined) return;
    const next = (chip.nextElementSibling ?? chip.previousElementSibling)?.getAttribute('data-id');
    const hadFocus = chip.contains(document.activeElement);
    this.#view = { ...view, items: view.items.filter((item) => item.id !== id) };
    this.#drawChips(this.#view);
    if (hadFocus) this.#focusChip(next);
    this.drawNote();
    this.#acts.say(l10n.t('Removed {0}', name));
    this.#acts.changed();
    this.#acts.post({ type: 'removeAttachment', conversationId: this.#conversationId, id });
  }

  #focusChip(id: string | null | undefined): void {
    const chip =
      id === null || id === undefined ? null : this.#chips.querySelector<HTMLElement>(`[data-id="${id}"] .chip-open`);
    (chip ?? this.#box).focus();
  }

  #chipKey(event: KeyboardEvent): void {
    const chip = event.target instanceof Element ? event.target.closest('.chip') : null;
    if (!(chip instanceof HTMLElement)) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      chip.querySelector<HTMLElement>('.chip-remove')?.click();
    } else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      const next = event.key === 'ArrowRight' ? chip.nextElementSibling : chip.previousElementSibling;
      next?.querySelector<HTMLElement>('.chip-open')?.focus();
    }
  }

  #pasted(event: ClipboardEvent): void {
    const data = event.clipboardData;
    const pictures = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
    // A table copied from a spreadsheet comes as a picture too: the text is meant.
    if (pictures.length === 0 || data?.types.includes('text/plain') === true) return;
    event.preventDefault();
    void this.addFiles(pictures);
  }

  async #addPicture(file: File): Promise<void> {
    const id = crypto.randomUUID();
    const conversationId = this.#conversationId;
    const name = file.name === '' ? l10n.t('Picture') : file.name;
    const maxEdge = this.#view?.maxPictureEdge ?? 0;
    this.#pending.set(id, name);
    if (this.#view !== undefined) this.#drawChips(this.#view);
    try {
      if (file.size > maxPictureSourceBytes) throw new Error('too large');
      const { scaledPicture } = await import('./scaledPicture.ts');
      const picture = await scaledPicture(file, maxEdge);
      if (picture.bytes.length > maxPictureBytes) throw new Error('too large');
      this.#acts.post({ type: 'addPicture', conversationId, id, name: name.slice(0, 300), ...picture });
    } catch {
      this.refused(id);
      this.#acts.refuse({
        severity: 'warning',
        title: l10n.t('“{0}” cannot be added', name),
        detail: l10n.t(
          'It is no picture that can be read here, or it is too large. PNG, JPEG, WebP and GIF can be sent.',
        ),
        actions: [],
        technical: '',
      });
    }
  }

  #settlePending(): void {
    if (this.#pending.size > 0) return;
    const then = this.#afterPending;
    this.#afterPending = undefined;
    then?.();
  }

  #load(): Promise<ContextCompletion> {
    this.#loading ??= import('./contextCompletion.ts').then(({ ContextCompletion: Completion }) => {
      this.#completion = new Completion(this.#box, {
        ask: (request, typed) => this.#acts.post({ type: 'complete', request, typed }),
        take: (id) => this.#acts.post({ type: 'addCompletion', id }),
        say: this.#acts.say,
      });
      this.element.prepend(this.#completion.element);
      return this.#completion;
    });
    return this.#loading;
  }
}

function pendingChip(name: string): HTMLElement {
  return element(
    'li',
    { class: 'chip pending', 'aria-busy': 'true' },
    icon('loading'),
    element('span', { class: 'chip-name' }, name),
  );
}

async function textOf(file: File): Promise<string> {
  return new TextDecoder().decode(await file.slice(0, 1_000_000).arrayBuffer());
}
