import * as l10n from '@vscode/l10n';
import type { ToHost, ToPage } from '../../../shared/chatProtocol.ts';
import { handleMessage, type Handlers } from '../../../shared/pageMessage.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Host } from '../../kit/host.ts';
import { Announcer } from '../../kit/announcer.ts';
import { LateFind } from '../find/lateFind.ts';
import type { AttachmentsView } from '../../../shared/attachment.ts';
import { ContinuedBar } from '../length/continuedBar.ts';
import { isFullAlone, isNearlyFull, notSentWords } from '../length/lengthWords.ts';
import { ChatFoot } from './chatFoot.ts';
import { type ChatState, initialState, modelOf, runningReply } from './chatState.ts';
import { Composer, type ComposerActs } from '../composer/composer.ts';
import { LeadingButton } from '../../kit/leadingButton.ts';
import { LatePicker } from '../models/latePicker.ts';
import { keepCodeWrap } from './codeWrapKeeper.ts';
import { DraftKeeper } from './draftKeeper.ts';
import { EditKeeper } from './editKeeper.ts';
import { element } from '../../kit/element.ts';
import { EmptyState } from './emptyState.ts';
import { FileDrop } from './fileDrop.ts';
import { FrameLoop } from '../../kit/frameLoop.ts';
import { HostWatch } from './hostWatch.ts';
import { asksForReply } from './asksForReply.ts';
import { isAnswered } from './asksForReply.ts';
import { type KeptState, PageMemory } from './pageMemory.ts';
import { ReaderPlace } from '../transcript/readerPlace.ts';
import { isFindKey } from '../../kit/keys.ts';
import { keepFocus } from '../../kit/keepFocus.ts';
import { reduce } from './reduce.ts';
import { endedWords } from './replyNews.ts';
import { Ticker } from '../../kit/ticker.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import { additionProblems } from '../../../words/additionProblems.ts';
import { TokenLengths } from '../speed/tokenLengths.ts';
import { RetryMenu } from '../transcript/retryMenu.ts';
import { Transcript } from '../transcript/transcript.ts';
import { type Side, versionWords } from '../transcript/versionSwitch.ts';
import { removedWords } from './undoBar.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

const TICK_MS = 250;

/** The chat page: receives facts from the host, shows them, and sends what the user intends. */
export class ChatPage {
  readonly element: HTMLElement;
  readonly #post: (message: ToHost) => void;
  readonly #announcer = new Announcer();
  readonly #ticker = new Ticker(TICK_MS);
  readonly #place: ReaderPlace;
  readonly #transcript: Transcript;
  readonly #empty: EmptyState;
  readonly #continued: ContinuedBar;
  readonly #foot: ChatFoot;
  readonly #composer: Composer;
  readonly #picker: LatePicker;
  readonly #draft: DraftKeeper;
  readonly #edits: EditKeeper;
  readonly #watch: HostWatch;
  readonly #retryMenu: RetryMenu;
  readonly #find: LateFind;
  readonly #leading: LeadingButton;
  #running = false;
  /** True from the moment this page asks until its message arrives, to which it then scrolls. */
  #asking = false;
  #state: ChatState = initialState;
  /** The version of a message that this page asked for last. */
  #switching: { readonly messageId: string; readonly side: Side } | undefined;
  /** A message is being replaced by another version, or restored, so that other messages follow it. */
  #isRearranging = false;
  /** Why a message wasn't sent although it would fit if something were removed from it. */
  #misfit: Problem | undefined;
  /** For the last copy: the host asks about invisible characters, and the user might decide against it. */
  #onCopied: (() => void) | undefined;

  constructor(host: Host<KeptState, ToHost, ToPage>) {
    const post = (message: ToHost): void => {
      if (message.type === 'deleteMessage') this.#asking = false;
      else if (asksForReply(message)) this.#asking = true;
      host.post(message);
      if (isAnswered(message)) this.#watch.expect();
    };
    this.#post = post;
    this.#retryMenu = new RetryMenu(post);
    const memory = new PageMemory(host);
    keepCodeWrap(memory);
    this.#draft = new DraftKeeper({ post }, memory);
    this.#edits = new EditKeeper(memory);
    const copy = (text: string, onCopied?: () => void): void => {
      this.#onCopied = onCopied;
      this.#postText(text, { type: 'copyText', text });
    };
    this.#place = new ReaderPlace(
      () => this.#transcript,
      () => this.#composer.focus(),
    );
    const frames = new FrameLoop({
      afterDrawing: () => this.#place.settle(),
      onIdle: () => {
        this.#transcript.lookAtEnds();
        this.#find.changed();
      },
    });
    this.#transcript = new Transcript({
      scroller: this.#place.scroller,
      follower: this.#place.follower,
      around: {
        post,
        say: (text) => this.#announcer.say(text),
        frames,
        ticker: this.#ticker,
        tokenLengths: new TokenLengths(),
        code: {
          copy,
          insert: (text) => this.#postText(text, { type: 'insertCode', text }),
          compare: (text) => this.#postText(text, { type: 'compareCode', text }),
          open: (text, codeLanguage) => this.#postText(text, { type: 'openCode', text, language: codeLanguage }),
          openLink: (href) => post({ type: 'openLink', href }),
        },
        copyMessage: (messageId, onCopied) => {
          this.#onCopied = onCopied;
          post({ type: 'copyMessage', messageId });
        },
        edits: this.#edits,
        offerRetry: (replyId, button) => this.#retryMenu.ask(replyId, button),
        showVersion: (messageId, side) => {
          this.#switching = { messageId, side };
          post({ type: 'showVersion', messageId });
        },
        fits: (text) => this.#fits(text),
        pictures: () => this.#state.attachments.folder,
        onToggled: () => this.#place.toggled(),
      },
      loadOlder: (beforeId) => post({ type: 'loadOlder', beforeId }),
    });
    this.#find = new LateFind({
      transcript: this.#transcript,
      messages: () => this.#state.messages,
      hasOlder: () => this.#state.hasOlder,
      isDrawing: (text) => frames.isBusyIn(text),
      post,
      closed: () => this.#composer.focus(),
    });
    this.#empty = new EmptyState(post);
    const composerActs: ComposerActs = {
      ask: (text, attachments) => this.#ask(text, attachments),
      optionsChanged: (options) =>
        post({ type: 'optionsChanged', conversationId: this.#state.conversationId, options }),
      draftChanged: (text) => this.#draft.changed(text),
    };
    this.#composer = new Composer(composerActs, {
      post: (message) => {
        // The button below the model list closes it too.
        if (message.type !== 'selectModel' || !this.#picker.leave()) post(message);
      },
      sized: (tokens, view) => this.#sized(tokens, view),
      say: (text) => this.#announcer.say(text),
      refuse: (problem) => {
        this.#setRefusal(problem);
        this.#announcer.say(problem.title);
      },
    });
    this.#picker = new LatePicker({
      post,
      copy,
      say: (text) => this.#announcer.say(text),
      chosen: () => this.#composer.focus(),
      ticker: this.#ticker,
    });
    this.#foot = new ChatFoot({
      composer: this.#composer,
      picker: this.#picker.element,
      ticker: this.#ticker,
      post,
      copy,
      say: (text) => this.#announcer.say(text),
      appeared: () => this.#leading.changed(),
      forgetUndo: () => this.#clearUndo(),
      forgetRefusal: () => this.#setRefusal(undefined),
      forgetUnsaved: () => this.#forgetUnsaved(),
      forgetLack: () => this.#foot.lack.show(undefined),
    });
    this.#watch = new HostWatch({
      ask: () => post({ type: 'ready' }),
      silent: (silent) => {
        this.#foot.silence.show(silent);
        if (silent) this.#announcer.say(this.#foot.silence.words);
      },
    });
    this.#continued = new ContinuedBar(() => post({ type: 'openContinued' }));
    this.#place.scroller.append(this.#empty.element, this.#continued.element, this.#transcript.element);
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
    const sizes = new ResizeObserver(() => this.#place.settle());
    sizes.observe(this.#place.scroller);
    sizes.observe(this.#transcript.element);
    this.#post({ type: 'ready' });
    // If VS Code focused the page before this script ran, the event has already been fired.
    if (document.hasFocus()) this.#post({ type: 'focusMoved', isHere: true });
  }

  /** Handles a message from the host. */
  receive(message: ToPage): void {
    this.#watch.heard();
    const before = this.#state;
    const focused = document.activeElement;
    const opens = message.type === 'snapshot' && message.snapshot.conversationId !== before.conversationId;
    // The current values belong to the conversation that was shown until now.
    if (opens) this.#composer.leaveOptions();
    this.#state = reduce(before, message);
    if (this.#state.stale) {
      if (!before.stale) this.#post({ type: 'ready' });
      return;
    }
    handleMessage(this.#handlers, message);
    this.#draw(before);
    if (message.type !== 'replyGrew') this.#leading.changed();
    keepFocus(focused, () => this.#focusNext());
  }

  readonly #handlers: Handlers<ToPage> = {
    snapshot: ({ snapshot }) => {
      const opened = this.#place.scroller.hidden || snapshot.conversationId !== this.#shownConversation;
      this.#shownConversation = snapshot.conversationId;
      this.#place.scroller.hidden = false;
      if (opened) {
        this.#asking = false;
        this.#composer.setText(this.#draft.opened(snapshot.conversationId, snapshot.draft, snapshot.messages));
      }
      const rearranged = this.#isRearranging && !opened;
      this.#isRearranging = false;
      if (rearranged) this.#place.rearranging(this.#transcript.messages, this.#state.messages);
      this.#transcript.showSnapshot(this.#state);
      if (opened) this.#place.toBottom();
      if (rearranged) this.#place.switched();
      this.#switched();
    },
    olderMessages: () => this.#transcript.showOlder(this.#state),
    messageAdded: ({ message }) => {
      this.#transcript.show(this.#state, true);
      if (this.#asking) this.#place.toBottom();
      else this.#place.hintAtNew();
      this.#asking = false;
      if (message.role === 'user' && this.#draft.arrived(message.text)) this.#composer.takeAway(message.text);
      if (message.role === 'user' || message.state !== 'running') return;
      this.#announcer.say(l10n.t('{0} is replying', modelLabel(message.model)));
    },
    replyGrew: (growth) => {
      this.#transcript.grow(growth);
      this.#place.hintAtNew();
    },
    replyChanged: ({ replyId }) => {
      this.#transcript.show(this.#state, false);
      const reply = this.#state.messages.findLast(({ id }) => id === replyId);
      const words = reply?.role === 'assistant' ? endedWords(reply) : undefined;
      if (words !== undefined) this.#announcer.say(words);
    },
    messagesRemoved: ({ ids, canRestore }) => {
      this.#edits.removed(ids);
      const before = this.#transcript.messages;
      const hadFocus = this.#transcript.element.contains(document.activeElement);
      this.#transcript.show(this.#state, false);
      if (!canRestore || ids.length === 0) {
        this.#foot.undo.hide();
        return;
      }
      this.#isRearranging = before.some(({ id, versions }) => ids.includes(id) && versions !== undefined);
      this.#foot.undo.show(removedWords(ids.length), () => {
        this.#isRearranging = true;
        this.#post({ type: 'restoreMessages', ids });
      });
      this.#announcer.say(removedWords(ids.length));
      const lostFocus = hadFocus && !this.#transcript.element.contains(document.activeElement);
      if (lostFocus) this.#foot.undo.focus();
    },
    titleChanged: () => undefined,
    optionsChanged: () => undefined,
    connectionChanged: () => undefined,
    summaryChanged: () => undefined,
    draftAdded: ({ text }) => this.#composer.add(text),
    draftSaved: ({ conversationId, version }) => this.#draft.saved(conversationId, version),
    attachmentsChanged: () => undefined,
    suggestionsChanged: () => undefined,
    asking: ({ isAsking }) => this.#composer.attachments.asking(isAsking),
    notAdded: ({ id, problem }) => {
      this.#composer.attachments.refused(id);
      if (problem !== undefined) this.#announcer.say(problem.title);
    },
    pictureRead: ({ id, name, mediaType, bytes }) => {
      const file = new File([new Uint8Array(bytes)], name, { type: mediaType });
      void this.#composer.attachments.addPicture(file, id);
    },
    completions: ({ request, items }) => this.#composer.attachments.complete(request, items),
    promptRows: ({ request, rows }) => this.#composer.attachments.completePrompt(request, rows),
    retryOffers: ({ replyId, models, model }) => this.#retryMenu.open(replyId, models, model),
    composerFocused: () => this.#composer.focus(),
    stepDone: () => this.#focusNext(),
    modelPickerOpened: ({ replyId, view }) => void this.#picker.open(replyId, view),
    modelRows: ({ request, view }) => this.#picker.show(request, view),
    conversationDeleted: ({ id, title }) => {
      const words = l10n.t('Deleted "{0}".', title);
      this.#foot.undo.show(words, () => this.#post({ type: 'restoreConversation', conversationId: id }));
      this.#announcer.say(words);
    },
    found: ({ request, older }) => this.#find.foundOlder(request, older),
    copied: () => {
      this.#onCopied?.();
      this.#onCopied = undefined;
    },
    parametersOpened: () => this.#composer.openParameters(),
    unsavedChanged: ({ unsaved }) => {
      if (unsaved !== undefined) this.#announcer.say(unsaved.title);
    },
    notesChanged: () => undefined,
    askRefused: ({ text, problem }) => {
      this.#asking = false;
      this.#composer.attachments.takeBack();
      this.#draft.refused(text);
      this.#edits.refused(text);
      this.#composer.giveBack(text);
      this.#announcer.say(problem.title);
    },
  };
  #shownConversation = '';

  /** Draws what has changed. Lists and records are replaced when they change, never mutated. */
  #draw(before: ChatState): void {
    const state = this.#state;
    if (state.title !== before.title) document.title = state.title;
    if (state.options !== before.options || state.defaults !== before.defaults) {
      this.#composer.showModel(modelOf(state));
      this.#composer.showOptions(state.options, state.defaults, state.conversationId !== before.conversationId);
    }
    const { sentFrom, leftOut = 0 } = state.attachments.length ?? {};
    this.#transcript.setSentFrom(sentFrom);
    if (leftOut !== (before.attachments.length?.leftOut ?? 0) && state.conversationId === before.conversationId)
      this.#announcer.say(leftOut === 0 ? l10n.t('All messages are sent') : notSentWords(leftOut));
    if (state.summary !== before.summary) {
      this.#foot.long.summarize(state.summary);
      this.#composer.attachments.drawNote();
    }
    if (state.continues !== before.continues) this.#continued.show(state.continues);
    const model = modelOf(state);
    if (state.attachments !== before.attachments || model !== modelOf(before)) {
      this.#composer.attachments.show(state.conversationId, state.attachments, model);
      const isMisfitOver = this.#composer.attachments.misfit === undefined;
      if (state.refusal !== undefined && state.refusal === this.#misfit && isMisfitOver) this.#setRefusal(undefined);
    }
    if (state.connection !== before.connection || state.suggestions !== before.suggestions) {
      this.#empty.show(state.connection, state.suggestions);
    }
    const lack = lackIn(state);
    if (JSON.stringify(lack) !== JSON.stringify(lackIn(before))) this.#foot.lack.show(lack);
    if (state.conversationId !== before.conversationId) {
      this.#find.close();
      this.#picker.leave();
    }
    if (state.messages !== before.messages) {
      this.#find.changed();
      this.#setRunning(runningReply(state) !== undefined);
      this.#empty.element.hidden = state.messages.length > 0;
      this.#place.scroller.classList.toggle('unused', state.messages.length === 0);
    }
    if (state.undoable !== before.undoable && state.undoable.length === 0) this.#foot.undo.hide();
    if (this.#state.refusal !== before.refusal) this.#foot.refusal.show(this.#state.refusal);
    if (state.unsaved !== before.unsaved) this.#foot.unsaved.show(state.unsaved);
    if (state.notes !== before.notes) {
      const added = this.#foot.notes.show(state.notes);
      if (added !== '') this.#announcer.say(added);
    }
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
    const message = this.#state.messages.find(({ id }) => id === messageId);
    if (message === undefined || side === undefined) return;
    this.#switching = undefined;
    this.#transcript.focusVersions(message.id, side);
    this.#place.switched();
    this.#announcer.say(versionWords(message) ?? '');
  }

  /** Suggests what to do about a conversation before the next message is too long. */
  #sized(tokens: number, view: AttachmentsView): void {
    const { conversationId, messages, hasOlder, summary } = this.#state;
    if (!isNearlyFull(tokens, view) || summary !== undefined) return this.#foot.long.offer(undefined);
    const line = messages.findIndex(({ id }) => id === view.length?.sentFrom);
    const questions = messages.slice(Math.max(0, line)).filter(({ role }) => role === 'user').length;
    this.#foot.long.offer({
      conversationId,
      model: modelOf(this.#state),
      larger: view.length?.larger ?? [],
      ...(view.maxTokens !== undefined && !isFullAlone(tokens, view) && { maxTokens: view.maxTokens }),
      canLeaveOut: questions > 1 || (line === -1 && hasOlder),
    });
  }

  #setRunning(running: boolean): void {
    if (running === this.#running) return;
    this.#running = running;
    this.#watch.watch(running);
    this.#composer.setRunning(running);
    this.#transcript.setRunning(running);
  }

  #ask(text: string, attachments: readonly string[]): boolean {
    if (!this.#fits(text)) return false;
    const { misfit } = this.#composer.attachments;
    if (misfit !== undefined) {
      this.#misfit = misfit;
      this.#setRefusal(misfit);
      this.#announcer.say(misfit.title);
      return false;
    }
    this.#clearUndo();
    this.#setRefusal(undefined);
    const { conversationId } = this.#state;
    this.#post({
      type: 'ask',
      ...(conversationId !== '' && { conversationId }),
      text,
      ...(attachments.length > 0 && { attachments }),
    });
    this.#draft.asked(text, this.#state.messages.at(-1)?.id);
    this.#place.toBottom();
    return true;
  }

  /** The page might go away. */
  #save(): void {
    this.#draft.flush();
    this.#composer.saveOptions();
  }

  #postText(text: string, message: ToHost): void {
    if (this.#fits(text)) this.#post(message);
  }

  /** Tells the user if a text is too long for the host. */
  #fits(text: string): boolean {
    if (text.length <= maxTextLength) return true;
    const problem = additionProblems.textTooLong(text.length);
    this.#setRefusal(problem);
    this.#announcer.say(problem.title);
    return false;
  }

  #keyDown(event: KeyboardEvent): void {
    if (isFindKey(event)) {
      event.preventDefault();
      this.#find.open();
      return;
    }
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (runningReply(this.#state) !== undefined) this.#post({ type: 'stop' });
    else if (!this.#composer.closeParameters() && !this.#foot.notes.dismissNewest()) return;
    event.preventDefault();
  }

  #clearUndo(): void {
    this.#state = { ...this.#state, undoable: [] };
    this.#foot.undo.hide();
  }

  #forgetUnsaved(): void {
    const { unsaved: _before, ...rest } = this.#state;
    this.#state = rest;
    this.#foot.unsaved.show(undefined);
  }

  #setRefusal(problem: Problem | undefined): void {
    const { refusal: _settled, ...rest } = this.#state;
    this.#state = problem === undefined ? rest : { ...rest, refusal: problem };
    this.#foot.refusal.show(problem);
  }
}

/** What the service can't do. An empty chat says it in the place of its invitation. */
function lackIn({ connection, messages }: ChatState): Problem | undefined {
  return messages.length > 0 ? connection.lack : undefined;
}
