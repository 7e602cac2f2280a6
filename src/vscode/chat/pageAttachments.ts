import * as vscode from 'vscode';
import {
  problemOfForeignFile,
  problemOfLongContext,
  problemOfUnreadableFile,
} from '../../core/problems/attachmentProblems.ts';
import { measureConversation } from '../../core/chat/measureConversation.ts';
import { Conversation, type Reply } from '../../core/chat/conversation.ts';
import { conversationTokens, tokensSentFor } from '../../core/chat/conversationTokens.ts';
import { reasonOf } from '../../core/problems/reasonOf.ts';
import type { Attachment, AttachmentsView } from '../../shared/attachment.ts';
import type { ToHost } from '../../shared/protocol/chatProtocol.ts';
import { maxContextLength } from '../../shared/messageLimits.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { Problem } from '../../shared/problem.ts';
import { Queue } from '../disk/queue.ts';
import { DisposableList } from '../platform/disposables.ts';
import { openQuestions } from '../platform/openQuestions.ts';
import { Completions } from '../attachments/completions.ts';
import { droppedFile } from '../attachments/droppedFile.ts';
import { isProblem, type Taken } from '../attachments/contextSnapshot.ts';
import { pickContext } from '../attachments/pickContext.ts';
import { attachedPicture, readPictureFile } from '../attachments/pictureBytes.ts';
import { type ChosenPicture, isPictureFile } from '../attachments/pictureFile.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { PageFact } from './pageChannel.ts';
import type { ShownConversation } from './shownConversation.ts';
import { SuggestedOffer } from './suggestedOffer.ts';
import { estimatedTokens } from '../../words/tokens.ts';
import { suggestedContext } from '../attachments/suggestedContext.ts';
import { nameOf } from '../attachments/sources/documentContext.ts';
import { fileContext } from '../attachments/sources/fileContext.ts';
import { surroundingCodeContext } from '../attachments/sources/surroundingCodeContext.ts';
import { textContext } from '../attachments/sources/textContext.ts';

type Handled =
  | 'addContext'
  | 'removeAttachment'
  | 'openAttachment'
  | 'addPicture'
  | 'addText'
  | 'addDropped'
  | 'addSuggested'
  | 'complete'
  | 'addCompletion';

/** Something that the page shows as being added, under this ID. */
type Addition = Pick<Extract<ToHost, { type: 'addText' }>, 'conversationId' | 'id'>;

export interface PageAttachmentsDeps {
  readonly attachments: Attachments;
  readonly onUnexpected: (error: unknown) => void;
}

type AttachmentsFact = Extract<
  PageFact,
  {
    type:
      | 'adding'
      | 'attachmentsChanged'
      | 'notAdded'
      | 'pictureRead'
      | 'completions'
      | 'composerFocused'
      | 'askRefused';
  }
>;

interface AttachmentsChannel {
  readonly post: (fact: AttachmentsFact) => void;
  readonly postWhenOpen: (fact: AttachmentsFact) => void;
}

/** The page with the message that they're attached to. */
export interface AttachmentsPage {
  readonly webview: Pick<vscode.Webview, 'asWebviewUri'>;
  readonly channel: AttachmentsChannel;
  readonly shown: Pick<ShownConversation, 'id' | 'session' | 'options' | 'isShown'>;
  /** Called when the user looks at something else. */
  readonly offerChanged?: () => void;
}

/** What one page shows and does with the attachments of the next message. */
export class PageAttachments implements vscode.Disposable {
  readonly #attachments: Attachments;
  readonly #onUnexpected: (error: unknown) => void;
  readonly #page: AttachmentsPage;
  /** Loaded with the first `#`. */
  #completions: Completions | undefined;
  readonly #own = new DisposableList();
  readonly #suggested: SuggestedOffer;
  /** Dropped files are handled one after another: in order, and with one question at a time. */
  readonly #dropping = new Queue();

  constructor({ attachments, onUnexpected }: PageAttachmentsDeps, page: AttachmentsPage) {
    this.#attachments = attachments;
    this.#onUnexpected = onUnexpected;
    this.#page = page;
    const { shown } = page;
    const { drafts, models, maxPictureEdge } = attachments;
    const unsubscribe = [
      drafts.onDidChange((id) => {
        // The snapshot includes one that is just being opened.
        if (id === shown.id && shown.isShown(id)) this.changed();
      }),
      models.onDidChange(() => this.changed()),
      openQuestions.onDidChange(() => this.changed()),
    ];
    this.#own.add({ dispose: () => unsubscribe.forEach((end) => end()) });
    this.#own.add(maxPictureEdge.onDidChange(() => this.changed()));
    this.#suggested = this.#own.add(
      new SuggestedOffer({
        editor: attachments.editor,
        items: () => drafts.of(shown.id),
        changed: () => {
          this.changed();
          page.offerChanged?.();
        },
      }),
    );
  }

  /** Everything, for a snapshot. */
  view(): AttachmentsView {
    const { drafts, models, store, maxPictureEdge } = this.#attachments;
    const id = this.#page.shown.id;
    const items = drafts.of(id);
    const { model, systemPrompt, maxTokens } = this.#page.shown.options;
    const conversation = this.#page.shown.session?.conversation;
    if (items.length > 0 || conversation?.isEmpty === false) models.load();
    const contextWindow = this.#contextWindow();
    const seesPictures = model === undefined ? undefined : models.seesPictures(model);
    const folder = vscode.Uri.joinPath(vscode.Uri.file(store.folder), id);
    const suggested = this.#suggested.show();
    return {
      items,
      ...(suggested !== undefined && { suggested }),
      conversationTokens: conversationTokens(conversation ?? new Conversation(id), systemPrompt),
      ...(conversation !== undefined && { length: measureConversation(conversation, model, models) }),
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxTokens !== undefined && { maxTokens }),
      ...(seesPictures !== undefined && { seesPictures }),
      ...(openQuestions.isAsking && { isAsking: true }),
      maxPictureEdge: maxPictureEdge.value ?? 0,
      folder: `${this.#page.webview.asWebviewUri(folder).toString()}/`,
    };
  }

  /** The models with more room that `view` offers for a long conversation. */
  roomierModels(): readonly ModelRef[] {
    const { session, options } = this.#page.shown;
    if (session === undefined) return [];
    return measureConversation(session.conversation, options.model, this.#attachments.models).larger.map(
      ({ id }) => id,
    );
  }

  /** What the end of a reply shows about its model's context window. */
  learnFrom(reply: Reply): void {
    const { session, options } = this.#page.shown;
    if (reply.end === undefined || session === undefined) return;
    const sentTokens = () => tokensSentFor(reply, session.conversation, options.systemPrompt);
    this.#attachments.models.learnFrom({ ...reply.end, hasBegun: reply.text !== '', sentTokens }, reply.model);
  }

  /** Updates the page after a change of attachments, conversation, or model. */
  changed(): void {
    this.#page.channel.post({ type: 'attachmentsChanged', attachments: this.view() });
  }

  /** The attachments that the user saw. The page itself waits for those on their way. */
  chosen(conversationId: string, ids: readonly string[]): readonly Attachment[] {
    return this.#attachments.drafts.of(conversationId).filter((item) => ids.includes(item.id));
  }

  /** These belong to a message of this conversation now. */
  sent(conversationId: string, attachments: readonly Attachment[]): void {
    this.#attachments.drafts.sent(conversationId, attachments);
  }

  /** Lets the user select what to add to the message. */
  async addContext(): Promise<void> {
    const { id } = this.#page.shown;
    const picked = await pickContext(this.#attachments.editor(), this.#attachments.files);
    if (picked === undefined) this.#focusComposer();
    else await this.#addFor(this.#announced(id, picked.name), picked.take());
  }

  /** Adds files that the user selected elsewhere, as if they were dropped here. */
  async addFiles(uris: readonly vscode.Uri[]): Promise<void> {
    const { id } = this.#page.shown;
    const files = uris.map((uri) => ({ uri, addition: this.#announced(id, nameOf(uri)) }));
    let finishing = Promise.resolve();
    for (const { uri, addition } of files) {
      const taking = takeFile(uri.toString());
      finishing = finishing.then(() => this.#finish(addition, taking));
      // One question at a time.
      await Promise.allSettled([taking]);
    }
    // After the last confirmation.
    this.#focusComposer();
    await finishing;
  }

  /** Adds what the user is looking at. If it was added before, it might have changed since. */
  async addSuggested(): Promise<void> {
    const { id } = this.#page.shown;
    // Before anything is awaited: this is what was in front when the user acted.
    const editor = this.#attachments.editor();
    const offered = suggestedContext(editor);
    if (editor === undefined || offered === undefined) return this.#focusComposer();
    const addition = this.#announced(id, offered.name);
    // A message that is sent in the meantime includes both.
    const isAround = offered.kind === 'selection' && this.#attachments.includeSurroundingCode.value;
    const around = isAround ? this.#announced(id, vscode.l10n.t('Surrounding code'), true) : undefined;
    // The user can write the question while the rest is gathered.
    await this.#addFor(addition, offered.take());
    if (around !== undefined) await this.#addSurroundings(around, addition, editor);
  }

  /** The context window of the conversation's model, in tokens, if known. */
  #contextWindow(): number | undefined {
    const { model } = this.#page.shown.options;
    return model === undefined ? undefined : this.#attachments.models.contextWindowOf(model);
  }

  /** A separate chip, which can be opened and removed. */
  async #addSurroundings(around: Addition, selection: Addition, editor: vscode.TextEditor): Promise<void> {
    // The selection might have been removed, or sent already. The next message isn't about it.
    const isThere = () => {
      return this.#attachments.drafts.of(selection.conversationId).some(({ id }) => id === selection.id);
    };
    const gather = async () =>
      isThere()
        ? surroundingCodeContext(editor, { contextWindow: this.#contextWindow(), onError: this.#onUnexpected })
        : undefined;
    let isAdded = false;
    try {
      const taken = await gather();
      isAdded = isThere() && (await this.#add(around, taken)) === undefined;
    } finally {
      // Added without being requested, so it's left out if it doesn't fit.
      if (!isAdded) this.#page.channel.postWhenOpen({ type: 'notAdded', id: around.id });
    }
  }

  readonly handlers: { readonly [T in Handled]: (message: Extract<ToHost, { type: T }>) => void } = {
    addContext: () => this.#run(this.addContext()),
    removeAttachment: ({ conversationId, id }) => this.#attachments.drafts.remove(conversationId, id),
    openAttachment: ({ id }) => this.#run(this.#open(id)),
    addPicture: (message) => this.#run(this.#addPicture(message)),
    addText: (message) => this.#run(this.#addFor(message, textContext(message.name, message.text))),
    addDropped: (message) => this.#run(this.#dropping.run(() => this.#addFor(message, takeFile(message.uri)))),
    addSuggested: (message) => this.#run(this.#addFor(message, this.#suggested.take(message.detail))),
    complete: ({ request, typed }) => this.#run(this.#complete(request, typed)),
    addCompletion: (message) =>
      this.#run(this.#addFor(message, this.#completions?.take(message.row) ?? Promise.resolve(undefined))),
  };

  dispose(): void {
    this.#own.dispose();
  }

  /** @returns undefined if it was added; otherwise the reason, if there's one to show */
  async #add({ conversationId, id }: Addition, taken: Taken): Promise<Problem | 'declined' | undefined> {
    if (taken === undefined) return 'declined';
    if (isProblem(taken)) return taken;
    const { kind, name, detail, block } = taken;
    if (block.length > maxContextLength) return problemOfLongContext(name, block.length);
    this.#attachments.models.wanted();
    const facts = { kind, name, detail, id, tokens: estimatedTokens(block.length), at: Date.now() };
    return this.#attachments.drafts.add(conversationId, facts, block, taken);
  }

  /** Something that the page didn't add itself. It shows it until it's there, and a message waits for it. */
  #announced(conversationId: string, name: string, isOptional = false): Addition {
    const addition = { conversationId, id: crypto.randomUUID() };
    this.#page.channel.postWhenOpen({ type: 'adding', ...addition, name, ...(isOptional && { isOptional }) });
    return addition;
  }

  /**
   * After the user has selected or confirmed something, and before it's stored: that can wait for a locked file, and by
   * then the user might be in another picker, which would close, or typing in an editor.
   */
  #focusComposer(): void {
    this.#page.channel.postWhenOpen({ type: 'composerFocused' });
  }

  /** Adds something once the user has confirmed it, and tells the page if that fails. */
  async #addFor(addition: Addition, taking: Promise<Taken | ChosenPicture>): Promise<void> {
    await Promise.allSettled([taking]);
    this.#focusComposer();
    await this.#finish(addition, taking);
  }

  async #finish(addition: Addition, taking: Promise<Taken | ChosenPicture>): Promise<void> {
    try {
      const taken = await taking;
      if (taken !== undefined && 'picture' in taken) return await this.#readPicture(taken, addition);
      const outcome = await this.#add(addition, taken);
      if (outcome !== undefined) this.#notAdded(addition.id, outcome === 'declined' ? undefined : outcome);
    } catch (error) {
      this.#notAdded(addition.id);
      this.#onUnexpected(error);
    }
  }

  #notAdded(id: string, problem?: Problem): void {
    this.#page.channel.postWhenOpen({ type: 'notAdded', id, ...(problem !== undefined && { problem }) });
  }

  async #addPicture(message: Extract<ToHost, { type: 'addPicture' }>): Promise<void> {
    const picture = attachedPicture(message);
    if ('severity' in picture) return this.#notAdded(message.id, picture);
    const { models, drafts } = this.#attachments;
    models.wanted();
    const problem = await drafts.add(message.conversationId, picture, message.bytes);
    if (problem !== undefined) this.#notAdded(message.id, problem);
  }

  async #readPicture({ picture }: ChosenPicture, { conversationId, id }: Addition): Promise<void> {
    const name = picture.path.slice(picture.path.lastIndexOf('/') + 1);
    const read = await readPictureFile(picture, name);
    if ('severity' in read) this.#notAdded(id, read);
    else this.#page.channel.postWhenOpen({ type: 'pictureRead', conversationId, id, name, ...read });
  }

  async #complete(request: number, typed: string): Promise<void> {
    const { editor, files } = this.#attachments;
    this.#completions ??= new Completions(editor, files);
    await this.#completions.find(typed, (items) => this.#page.channel.post({ type: 'completions', request, items }));
  }

  async #open(id: string): Promise<void> {
    const conversationId = this.#page.shown.id;
    const { drafts, documents } = this.#attachments;
    const all = [...drafts.of(conversationId), ...(this.#page.shown.session?.conversation.attachments() ?? [])];
    const attachment = all.find((candidate) => candidate.id === id);
    if (attachment === undefined) return;
    try {
      await documents.open(conversationId, attachment);
    } catch (error) {
      const problem = problemOfUnreadableFile(attachment.name, reasonOf(error));
      this.#page.channel.postWhenOpen({ type: 'askRefused', text: '', problem });
    }
  }

  #run(work: Promise<void>): void {
    work.catch(this.#onUnexpected);
  }
}

/** A page shows a model's text, so it can only name files in the open folders. */
async function takeFile(address: string): Promise<Taken | ChosenPicture> {
  const uri = droppedFile(address);
  if (uri === undefined) return problemOfForeignFile();
  return isPictureFile(uri) ? { picture: uri } : fileContext(uri);
}
