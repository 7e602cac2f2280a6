import type { ModelRef } from '../../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { Attachment, AttachmentsView, CompletionView, SuggestedContext } from '../../../shared/attachment.ts';
import type { PromptRow, ToHost, ToPage } from '../../../shared/protocol/chatProtocol.ts';
import { maxAttachments, maxLinkLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import { additionProblems, problemOfBlindModel } from '../../../words/additionProblems.ts';
import { allTokens, AttachmentsNote } from './attachmentsNote.ts';
import { ChipRow } from './chipRow.ts';
import { ComposerLists } from './composerLists.ts';
import { element, iconButton } from '../../kit/element.ts';
import { isImeKey } from '../../kit/keys.ts';
import { PendingAdditions } from './pendingAdditions.ts';
import { readPicture, readText } from './readAddition.ts';
import { suggestedChip } from './suggestedChip.ts';

/** What the row needs from the page around it. */
export interface AttachmentActs {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly refuse: (problem: Problem) => void;
  /** A problem that might still be shown is over. */
  readonly settled: (problem: Problem) => void;
  /** The estimated tokens of the next message, with everything sent before it, have changed. */
  readonly sized?: (tokens: number, view: AttachmentsView) => void;
  /** Whether something can be sent has changed. */
  readonly changed: () => void;
}

type HostAddition = Pick<Extract<ToPage, { type: 'adding' }>, 'conversationId' | 'id' | 'name' | 'isOptional'>;

/** The attachments of the next message: a row of chips above the text, and the ways to add one. */
export class ComposerAttachments {
  readonly element: HTMLElement;
  /** Opens the list of attachments that can be added. */
  readonly button: HTMLButtonElement;
  readonly #acts: AttachmentActs;
  readonly #box: HTMLTextAreaElement;
  readonly #chips: ChipRow;
  readonly #note: AttachmentsNote;
  #conversationId = '';
  #view: AttachmentsView | undefined;
  #model = '';
  readonly #pending: PendingAdditions;
  /** Chips that are hidden although the host still has them: by ID, with the reason. */
  readonly #hidden = new Map<string, 'sent' | 'removed' | 'givenUp'>();
  readonly #lists: ComposerLists;
  #addingSuggested: { readonly id: string; readonly detail: string } | undefined;

  constructor(acts: AttachmentActs, box: HTMLTextAreaElement) {
    this.#acts = acts;
    this.#box = box;
    this.#pending = new PendingAdditions({
      say: acts.say,
      givenUp: (id) => this.#givenUp(id),
      late: (problem) => {
        this.#redraw();
        acts.refuse(problem);
      },
      settled: acts.settled,
    });
    this.#lists = new ComposerLists(box, {
      post: acts.post,
      say: acts.say,
      add: ({ id: row, label }) => {
        const id = this.#begin(label);
        if (id !== undefined) acts.post({ type: 'addCompletion', conversationId: this.#conversationId, id, row });
      },
    });
    this.button = iconButton('add', l10n.t('Add Context (#)'), () => acts.post({ type: 'addContext' }));
    this.#note = new AttachmentsNote(acts.say);
    this.#chips = new ChipRow({
      open: (id) => acts.post({ type: 'openAttachment', id }),
      remove: (item) => this.#remove(item),
      leave: () => box.focus(),
    });
    this.element = element(
      'div',
      { class: 'attachments' },
      this.#lists.element,
      this.#chips.element,
      this.#note.element,
    );
    box.addEventListener('paste', (event) => this.#pasted(event));
  }

  /** The attachments as the user sees them. */
  get ids(): readonly string[] {
    return this.#items.map(({ id }) => id);
  }

  /** Runs a callback when everything on its way has arrived. @returns false if nothing is on its way */
  waits(then: () => void): boolean {
    const waits = this.#pending.waits(then);
    this.drawNote();
    return waits;
  }

  /** The text isn't the one that was waiting to be sent. */
  stopWaiting(): void {
    this.#pending.stopWaiting();
  }

  /** These belong to a message that was just sent, and to no other. */
  sent(ids: readonly string[]): void {
    for (const id of ids) this.#hidden.set(id, 'sent');
    this.#redraw();
  }

  /** The host didn't accept the message. */
  takeBack(): void {
    for (const [id, reason] of this.#hidden) if (reason === 'sent') this.#hidden.delete(id);
    this.#redraw();
  }

  /** Why this message can't be sent to the model; undefined if it can. */
  get misfit(): Problem | undefined {
    if (this.#view?.seesPictures !== false || !this.#hasPicture()) return undefined;
    return problemOfBlindModel(this.#model);
  }

  show(conversationId: string, view: AttachmentsView, model: ModelRef): void {
    const before = this.#view;
    const isOther = conversationId !== this.#conversationId;
    this.#conversationId = conversationId;
    this.#view = view;
    this.#model = model;
    if (isOther) this.#pending.forget();
    this.#pending.asking(view.isAsking === true);
    for (const { id } of view.items) this.#pending.arrived(id);
    this.#look(view);
    if (isOther || before?.items !== view.items) this.#drawChips();
    this.drawNote();
    this.#pending.settle();
    this.#acts.changed();
  }

  /** The host adds something to this conversation's message. A page that has just opened might hear of it afterwards. */
  adding({ conversationId, id, name, isOptional }: HostAddition): void {
    if (conversationId !== this.#conversationId || this.#view?.items.some((item) => item.id === id) === true) return;
    this.#pending.begin(id, name, isOptional);
    this.#redraw();
  }

  /** The host didn't add this one. */
  refused(id: string): void {
    if (!this.#pending.failed(id)) return;
    this.#redraw();
    this.#pending.settle();
  }

  /** The text changed: updates the size, and the lists for a `#` or `/` in it. */
  typed(): void {
    this.stopWaiting();
    this.drawNote();
    this.#lists.typed();
  }

  /** A key in the text. @returns true if a list handled it */
  keyDown(event: KeyboardEvent): boolean {
    if (isImeKey(event)) return false;
    return this.#lists.keyDown(event) || this.#addKey(event) || this.#removeKey(event);
  }

  complete(request: number, items: readonly CompletionView[]): void {
    this.#lists.completeContext(request, items);
  }

  completePrompt(request: number, rows: readonly PromptRow[]): void {
    this.#lists.completePrompt(request, rows);
  }

  /** Puts the cursor into the text. */
  focus(): void {
    this.#box.focus();
  }

  /** Files that were dropped or pasted: images are scaled down, texts are added unchanged. */
  async addFiles(files: readonly File[]): Promise<void> {
    const conversationId = this.#conversationId;
    const taken: { readonly file: File; readonly id: string }[] = [];
    for (const file of files) {
      const id = this.#begin(file.name);
      if (id === undefined) break;
      taken.push({ file, id });
    }
    for (const { file, id } of taken) await this.#read(file, id, conversationId);
  }

  /**
   * An image that the host has read. If another conversation is shown by now, it's added without a chip here.
   * @param id the page's own, or the host's
   */
  async addPicture(file: File, id: string, conversationId: string): Promise<void> {
    // Canceled in the meantime.
    if (this.#hidden.has(id)) return;
    const isShown = conversationId === this.#conversationId;
    if (isShown && !this.#pending.has(id) && this.#begin(file.name, id) === undefined) return;
    await this.#read(file, id, conversationId);
  }

  /** Files of the workspace that were dropped, by their URIs. */
  addDropped(uris: readonly string[]): void {
    const conversationId = this.#conversationId;
    for (const uri of uris) {
      const name = uri.slice(uri.lastIndexOf('/') + 1);
      if (uri.length > maxLinkLength) {
        this.#acts.refuse(additionProblems.unreadable(name));
        continue;
      }
      const id = this.#begin(name);
      if (id === undefined) break;
      this.#acts.post({ type: 'addDropped', conversationId, id, uri });
    }
  }

  /** Says if the message is too long for the model, or the model might not see all of it. */
  drawNote(): void {
    const [view, items] = [this.#view, this.#items];
    if (view === undefined) return;
    const message = { view, items, length: this.#box.value.length, model: this.#model };
    this.#note.draw(message, this.#pending.isWaitedFor);
    this.#acts.sized?.(allTokens(message), view);
  }

  /** What the user sees. */
  get #items(): readonly Attachment[] {
    return (this.#view?.items ?? []).filter(({ id }) => !this.#hidden.has(id));
  }

  /** Permanently removes what was canceled and arrived anyway, and forgets what the host doesn't have either. */
  #look({ items }: AttachmentsView): void {
    for (const [id, reason] of this.#hidden) {
      const isThere = items.some((item) => item.id === id);
      if (isThere && reason === 'givenUp') {
        this.#hidden.set(id, 'removed');
        this.#acts.post({ type: 'removeAttachment', conversationId: this.#conversationId, id });
      } else if (!isThere && reason !== 'givenUp') this.#hidden.delete(id);
    }
  }

  #givenUp(id: string): void {
    this.#hidden.set(id, 'givenUp');
    this.#redraw();
    this.#box.focus();
  }

  /** @returns its ID; undefined if there's no room for it, which is shown to the user */
  #begin(name: string, id: string = crypto.randomUUID()): string | undefined {
    if (this.#items.length + this.#pending.count >= maxAttachments) {
      this.#acts.refuse(additionProblems.tooMany());
      return undefined;
    }
    this.#pending.begin(id, name === '' ? l10n.t('Image') : name);
    this.#redraw();
    return id;
  }

  /** What the user is looking at, until they add it. */
  get #suggested(): SuggestedContext | undefined {
    const suggested = this.#view?.suggested;
    const { id, detail } = this.#addingSuggested ?? {};
    const isOnItsWay = id !== undefined && this.#pending.has(id) && detail === suggested?.detail;
    return isOnItsWay ? undefined : suggested;
  }

  #addSuggested({ name, detail }: SuggestedContext): void {
    const id = this.#begin(name);
    if (id === undefined) return;
    this.#addingSuggested = { id, detail };
    this.#drawChips();
    this.#acts.post({ type: 'addSuggested', conversationId: this.#conversationId, id, detail });
    this.#box.focus();
  }

  /** Alt+Enter adds the suggestion. */
  #addKey(event: KeyboardEvent): boolean {
    const suggested = this.#suggested;
    if (suggested === undefined || event.key !== 'Enter' || !event.altKey) return false;
    event.preventDefault();
    this.#addSuggested(suggested);
    return true;
  }

  /** Backspace in an empty box removes the chip that was added last. Held down, it only empties the box. */
  #removeKey(event: KeyboardEvent): boolean {
    const last = this.#items.at(-1);
    if (event.key !== 'Backspace' || event.repeat || this.#box.value !== '' || last === undefined) return false;
    event.preventDefault();
    this.#remove(last);
    return true;
  }

  #hasPicture(): boolean {
    return this.#items.some(({ kind }) => kind === 'picture');
  }

  #redraw(): void {
    this.#drawChips();
    this.drawNote();
    this.#acts.changed();
  }

  #drawChips(): void {
    const suggested = this.#suggested;
    const offer = suggested === undefined ? [] : [suggestedChip(suggested, () => this.#addSuggested(suggested))];
    this.#chips.draw(this.#items, this.#view?.folder ?? '', [...this.#pending.chips(), ...offer]);
  }

  #remove({ id, name }: Attachment): void {
    this.#hidden.set(id, 'removed');
    this.#redraw();
    this.#acts.say(l10n.t('Removed {0}', name));
    this.#acts.post({ type: 'removeAttachment', conversationId: this.#conversationId, id });
  }

  #pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // A table copied from a spreadsheet is also an image, but the user wants its text.
    const isDrawnText = text !== '' && files.every(isPicture) && !areNames(text, files);
    if (files.length === 0 || isDrawnText) return;
    event.preventDefault();
    void this.addFiles(files);
  }

  async #read(file: File, id: string, conversationId: string): Promise<void> {
    const addition = { conversationId, id, maxPictureEdge: this.#view?.maxPictureEdge ?? 0 };
    const name = file.name === '' ? l10n.t('Image') : file.name;
    const read = await (isPicture(file) ? readPicture(file, name, addition) : readText(file, addition));
    if ('type' in read) return this.#acts.post(read);
    this.refused(id);
    this.#acts.refuse(read.problem);
  }
}

function isPicture({ type }: File): boolean {
  return type.startsWith('image/');
}

/** Whether this is what systems add to copied files: a line for each, with its name, its path, or its URI. */
function areNames(text: string, files: readonly File[]): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
  const names = new Set(files.flatMap(({ name }) => [name, encodeURIComponent(name)]));
  return lines.every((line) => names.has(line.replace(/^.*[/\\]/, '')));
}
