import * as l10n from '@vscode/l10n';
import type { ToHost, ToPage } from '../../../shared/protocol/chatProtocol.ts';
import { handleMessage, type Handlers } from '../../../shared/protocol/pageMessage.ts';
import type { Host } from '../../kit/host/host.ts';
import { Announcer } from '../../kit/announcer.ts';
import { LateFind } from '../find/lateFind.ts';
import { ContinuedBar } from '../length/continuedBar.ts';
import { offeredLength } from '../length/offeredLength.ts';
import { asksForReply, isAnswered } from './asksForReply.ts';
import { ChatFoot } from './chatFoot.ts';
import { type ChatState, runningReply } from './chatState.ts';
import { drawChat, type DrawnParts } from './drawChat.ts';
import { Composer, type ComposerActs } from '../composer/composer.ts';
import { FileDrop } from '../composer/fileDrop.ts';
import { LeadingButton } from '../../kit/leadingButton.ts';
import { LatePicker } from '../models/latePicker.ts';
import { keepCodeWrap } from './codeWrapKeeper.ts';
import { DraftKeeper } from './draftKeeper.ts';
import { EditKeeper } from './editKeeper.ts';
import { element } from '../../kit/element.ts';
import { EmptyState } from './emptyState.ts';
import { FrameLoop } from '../../kit/frameLoop.ts';
import { HostWatch } from './hostWatch.ts';
import { type KeptState, PageMemory } from './pageMemory.ts';
import { PageState } from './pageState.ts';
import { ReaderPlace } from '../transcript/readerPlace.ts';
import { isFindKey, isImeKey } from '../../kit/keys.ts';
import { keepFocus } from '../../kit/keepFocus.ts';
import type { SilenceBar } from '../../kit/silenceBar.ts';
import { Sending } from './sending.ts';
import { Ticker } from '../../kit/ticker.ts';
import { bringsMessages, transcriptParts } from '../transcript/lateTranscript.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { Side } from '../transcript/versionSwitch.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

const TICK_MS = 250;

/** The chat page: receives facts from the host, shows them, and sends what the user intends. */
export class ChatPage {
  readonly element: HTMLElement;
  readonly #post: (message: ToHost) => void;
  readonly #state = new PageState((before) => this.#draw(before));
  readonly #announcer = new Announcer();
  readonly #ticker = new Ticker(TICK_MS);
  readonly #place: ReaderPlace;
  readonly #makeTranscript: () => Transcript;
  /** Made with the first message. */
  #transcript: Transcript | undefined;
  readonly #sizes = new ResizeObserver(() => this.#place.settle());
  readonly #empty: EmptyState;
  readonly #continued: ContinuedBar;
  readonly #foot: ChatFoot;
  readonly #composer: Composer;
  readonly #picker: LatePicker;
  readonly #draft: DraftKeeper;
  readonly #sending: Sending;
  readonly #edits: EditKeeper;
  readonly #watch: HostWatch;
  readonly #find: LateFind;
  readonly #leading: LeadingButton;
  readonly #parts: DrawnParts;
  /** True from the moment this page asks until its message arrives, to which it then scrolls. */
  #asking = false;
  /** The version of a message that this page asked for last. */
  #switching: { readonly messageId: string; readonly side: Side } | undefined;
  /** A message is being replaced by another version, or restored, so that other messages follow it. */
  #isRearranging = false;

  constructor(host: Host<KeptState, ToHost, ToPage>) {
    const post = (message: ToHost): void => {
      if (message.type === 'deleteMessage') this.#asking = false;
      else if (asksForReply(message)) this.#asking = true;
      host.post(message);
      if (isAnswered(message)) this.#watch.expect();
    };
    this.#post = post;
    const memory = new PageMemory(host);
    keepCodeWrap(memory);
    this.#draft = new DraftKeeper({ post }, memory);
    this.#edits = new EditKeeper(memory);
    const say = (text: string): void => this.#announcer.say(text);
    this.#place = new ReaderPlace(
      () => this.#transcript,
      () => this.#composer.focus(),
    );
    this.#sending = new Sending({ post, say, state: this.#state, draft: this.#draft, place: this.#place });
    const { code, copyMessage, fits, refuse, settled } = this.#sending;
    const { copy } = code;
    const frames = new FrameLoop({
      afterDrawing: () => this.#place.settle(),
      onIdle: () => {
        this.#transcript?.lookAtEnds();
        this.#find.changed();
      },
    });
    this.#makeTranscript = () => {
      const parts = transcriptParts();
      const transcript = new parts.Transcript({
        scroller: this.#place.scroller,
        follower: this.#place.follower,
        around: {
          post,
          say,
          frames,
          ticker: this.#ticker,
          tokenLengths: new parts.TokenLengths(),
          code: code.actions,
          copyMessage,
          edits: this.#edits,
          retryMenu: new parts.RetryMenu(post),
          showVersion: (messageId, side) => {
            this.#switching = { messageId, side };
            post({ type: 'showVersion', messageId });
          },
          fits,
          pictures: () => this.#state.now.attachments.folder,
        },
        loadOlder: (beforeId) => post({ type: 'loadOlder', beforeId }),
      });
      this.#place.scroller.append(transcript.element);
      this.#sizes.observe(transcript.element);
      return transcript;
    };
    this.#find = new LateFind({
      transcript: {
        reveal: (id) => this.#transcript?.reveal(id),
        textOf: (id) => this.#transcript?.textOf(id),
      },
      state: this.#state,
      frames,
      post,
      closed: () => this.#composer.focus(),
    });
    this.#empty = new EmptyState(post);
    const composerActs: ComposerActs = {
      ask: (text, attachments) => this.#sending.ask(text, attachments, this.#composer.attachments.misfit),
      optionsChanged: (options) =>
        post({ type: 'optionsChanged', conversationId: this.#state.now.conversationId, options }),
      draftChanged: (text) => this.#draft.changed(text),
    };
    this.#composer = new Composer(composerActs, {
      post: (message) => {
        // The button below the model list closes it too.
        if (message.type !== 'selectModel' || !this.#picker.leave()) post(message);
      },
      sized: (tokens, view) => this.#foot.long.offer(offeredLength(this.#state.now, tokens, view)),
      say,
      refuse,
      settled,
    });
    this.#picker = new LatePicker({
      post,
      copy,
      say,
      needsImages: () => this.#composer.attachments.misfit !== undefined,
      chosen: () => this.#composer.focus(),
      ticker: this.#ticker,
    });
    this.#foot = new ChatFoot({
      composer: this.#composer,
      picker: this.#picker.element,
      ticker: this.#ticker,
      state: this.#state,
      post,
      copy,
      say,
      restoring: () => (this.#isRearranging = true),
      appeared: () => this.#leading.changed(),
    });
    this.#watch = new HostWatch({
      ask: () => post({ type: 'ready' }),
      silent: (silent) => this.silence.show(silent),
    });
    this.#continued = new ContinuedBar(() => post({ type: 'openContinued' }));
    this.#parts = {
      scroller: this.#place.scroller,
      transcript: () => this.#transcript,
      empty: this.#empty,
      continued: this.#continued,
      foot: this.#foot,
      composer: this.#composer,
      picker: this.#picker,
      find: this.#find,
      watch: this.#watch,
      say,
    };
    this.#place.scroller.append(this.#empty.element, this.#continued.element);
    const title = element('h1', { class: 'visually-hidden' }, l10n.t('Chat'));
    this.element = element(
      'main',
      { class: 'chat' },
      title,
      this.#find.bar.element,
      this.#place.element,
      this.#foot.element,
      this.#announcer.element,
    );
    this.#leading = new LeadingButton(this.element);
    this.element.append(new FileDrop(this.element, this.#composer.attachments).element);
  }

  /** Registers listeners for the whole page: keys, size, leaving. */
  start(): void {
    document.addEventListener('keydown', (event) => this.#keyDown(event));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#save();
    });
    // The next message might be about another conversation, and this draft belongs to the current one.
    window.addEventListener('blur', () => {
      this.#save();
      this.#post({ type: 'focusMoved', isHere: false });
    });
    window.addEventListener('focus', () => this.#post({ type: 'focusMoved', isHere: true }));
    window.addEventListener('pagehide', () => this.#save());
    this.#sizes.observe(this.#place.scroller);
    this.#post({ type: 'ready' });
    // If VS Code focused the page before this script ran, the event has already been fired.
    if (document.hasFocus()) this.#post({ type: 'focusMoved', isHere: true });
  }

  get silence(): SilenceBar {
    return this.#foot.silence;
  }

  /** Handles a message from the host. */
  readonly receive = (message: ToPage): void => {
    this.#watch.heard();
    const before = this.#state.now;
    const focused = document.activeElement;
    const opens = message.type === 'snapshot' && message.snapshot.conversationId !== before.conversationId;
    // The current values belong to the conversation that was shown until now.
    if (opens) this.#composer.leaveOptions();
    this.#state.receive(message);
    if (this.#state.now.stale) {
      if (!before.stale) this.#post({ type: 'ready' });
      return;
    }
    if (bringsMessages(message)) this.#transcript ??= this.#makeTranscript();
    handleMessage(this.#handlers, message);
    // New text only concerns its reply.
    if (message.type !== 'replyGrew') {
      this.#draw(before);
      this.#sending.settle(this.#composer.attachments.misfit);
      this.#leading.changed();
    }
    keepFocus(focused, () => this.#focusNext());
  };

  readonly #handlers: Handlers<ToPage> = {
    snapshot: ({ snapshot }) => {
      const opened = this.#place.scroller.hidden || snapshot.conversationId !== this.#shownConversation;
      this.#shownConversation = snapshot.conversationId;
      this.#place.scroller.hidden = false;
      if (opened) {
        this.#asking = false;
        const { conversationId, draft, draftVersion, messages } = snapshot;
        this.#composer.setText(this.#draft.opened(conversationId, draft, messages, draftVersion));
      }
      const rearranged = this.#isRearranging && !opened;
      this.#isRearranging = false;
      if (rearranged) this.#place.rearranging(this.#transcript?.messages ?? [], this.#state.now.messages);
      this.#transcript?.showSnapshot(this.#state.now);
      if (opened) this.#place.toBottom();
      if (rearranged) this.#place.switched();
      this.#switched();
    },
    olderMessages: () => this.#transcript?.showOlder(this.#state.now),
    messageAdded: ({ message }) => {
      this.#transcript?.show(this.#state.now, true);
      if (this.#asking) this.#place.toBottom();
      else this.#place.hintAtNew();
      this.#asking = false;
      if (message.role === 'user' && this.#draft.arrived(message.text)) this.#composer.takeAway(message.text);
      if (message.role === 'user' || message.state !== 'running') return;
      this.#announcer.say(l10n.t('{0} is replying', modelLabel(message.model)));
    },
    replyGrew: (growth) => {
      this.#transcript?.grow(growth);
      this.#place.hintAtNew();
      this.#find.changed();
    },
    replyChanged: ({ replyId }) => {
      const before = this.#transcript?.messages.findLast(({ id }) => id === replyId);
      this.#transcript?.show(this.#state.now, false);
      const reply = this.#state.now.messages.findLast(({ id }) => id === replyId);
      if (reply?.role !== 'assistant') return;
      const { endedWords } = transcriptParts();
      const words = endedWords(reply);
      const isKnown = before?.role === 'assistant' && endedWords(before) === words;
      if (words !== undefined && !isKnown) this.#announcer.say(words);
    },
    messagesRemoved: ({ ids, canRestore }) => {
      this.#edits.removed(ids);
      const transcript = this.#transcript;
      if (transcript === undefined) return;
      const before = transcript.messages;
      const hadFocus = transcript.element.contains(document.activeElement);
      transcript.show(this.#state.now, false);
      if (!canRestore) return;
      this.#isRearranging = before.some(({ id, versions }) => ids.includes(id) && versions !== undefined);
      const lostFocus = hadFocus && !transcript.element.contains(document.activeElement);
      if (lostFocus) this.#foot.notes.focusUndo();
    },
    titleChanged: () => undefined,
    optionsChanged: () => undefined,
    connectionChanged: () => undefined,
    summaryChanged: () => undefined,
    draftAdded: ({ text }) => this.#composer.add(text),
    draftReplaced: ({ conversationId, text }) => {
      if (this.#draft.replaced(conversationId, text)) this.#composer.setText(text);
    },
    draftSaved: ({ conversationId, version }) => this.#draft.saved(conversationId, version),
    attachmentsChanged: () => undefined,
    suggestionsChanged: () => undefined,
    adding: (addition) => this.#composer.attachments.adding(addition),
    notAdded: ({ id, problem }) => {
      this.#composer.attachments.refused(id);
      if (problem !== undefined) this.#announcer.say(problem.title);
    },
    pictureRead: ({ conversationId, id, name, mediaType, bytes }) => {
      const file = new File([new Uint8Array(bytes)], name, { type: mediaType });
      void this.#composer.attachments.addPicture(file, id, conversationId);
    },
    completions: ({ request, items }) => this.#composer.attachments.complete(request, items),
    promptRows: ({ request, rows }) => this.#composer.attachments.completePrompt(request, rows),
    retryOffers: ({ replyId, models, model }) => this.#transcript?.offerRetry(replyId, models, model),
    composerFocused: () => this.#composer.focus(),
    messageRevealed: ({ id }) => {
      this.#place.goTo(id);
      this.#composer.focus();
    },
    stepDone: () => this.#focusNext(),
    modelPickerOpened: ({ replyId, view }) => void this.#picker.open(replyId, view),
    modelRows: ({ request, view }) => this.#picker.show(request, view),
    found: ({ request, older }) => this.#find.foundOlder(request, older),
    copied: () => this.#sending.code.copied(),
    parametersOpened: () => this.#composer.openParameters(),
    unsavedChanged: ({ unsaved }) => {
      if (unsaved !== undefined) this.#announcer.say(unsaved.title);
    },
    notesChanged: () => undefined,
    askRefused: ({ text, editedId, problem }) => {
      this.#asking = false;
      this.#announcer.say(problem.title);
      if (editedId === undefined) {
        this.#composer.attachments.takeBack();
        this.#draft.refused(text);
      } else {
        this.#edits.refused(editedId);
        if (this.#transcript?.editAgain(editedId) === true) return;
      }
      this.#composer.giveBack(text);
    },
  };
  #shownConversation = '';

  #draw(before: ChatState): void {
    drawChat(this.#parts, this.#state.now, before);
  }

  /** The focus goes to the button of the next step, if one is needed before a message can be sent. */
  #focusNext(): void {
    const next = this.#leading.find();
    if (next instanceof HTMLElement && next.closest('.empty, .problem') !== null) next.focus();
    else this.#composer.focus();
  }

  /** The focus stays on the arrow, and a screen reader announces the version. */
  #switched(): void {
    const { messageId, side } = this.#switching ?? {};
    const message = this.#state.now.messages.find(({ id }) => id === messageId);
    if (message === undefined || side === undefined) return;
    this.#switching = undefined;
    this.#transcript?.focusVersions(message.id, side);
    this.#place.switched();
    this.#announcer.say(transcriptParts().versionWords(message) ?? '');
  }

  /** The page might go away. */
  #save(): void {
    this.#draft.flush();
    this.#composer.saveOptions();
  }

  #keyDown(event: KeyboardEvent): void {
    if (isFindKey(event)) {
      event.preventDefault();
      this.#find.open();
      return;
    }
    if (event.key !== 'Escape' || isImeKey(event) || event.defaultPrevented) return;
    if (runningReply(this.#state.now) !== undefined) this.#post({ type: 'stop' });
    else if (!this.#composer.closeParameters() && !this.#foot.notes.dismissNewest()) return;
    event.preventDefault();
  }
}
