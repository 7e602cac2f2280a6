import * as l10n from '@vscode/l10n';
import type { ReplyView } from '../../shared/chat.ts';
import type { ToHost, ToPage, ToPageHandlers } from '../../shared/chatProtocol.ts';
import type { Host } from '../host.ts';
import { Announcer } from './announcer.ts';
import { type ChatState, initialState, modelOf, runningReply } from './chatState.ts';
import { Composer } from './composer.ts';
import { DraftKeeper, type KeptState } from './draftKeeper.ts';
import { element, icon } from './element.ts';
import { EmptyState } from './emptyState.ts';
import { FigureFormat } from './figureFormat.ts';
import { FrameLoop } from './frameLoop.ts';
import { isToPage } from './isToPage.ts';
import { reduce } from './reduce.ts';
import { RefusalSlot } from './refusalSlot.ts';
import { endedWords } from './replyNews.ts';
import { ScrollFollower } from './scrollFollower.ts';
import { Ticker } from './ticker.ts';
import { Transcript } from './transcript.ts';
import { deletedWords, UndoBar } from './undoBar.ts';

const TICK_MS = 250;

// A method's parameter is checked both ways: this is how a handler found by its message's own tag can take it.
type AnyHandler = { handle(message: ToPage): void }['handle'];

/** The chat page: takes facts from the host, shows them, and sends what the person intends. */
export class ChatPage {
  readonly element: HTMLElement;
  readonly #post: (message: ToHost) => void;
  readonly #announcer = new Announcer();
  readonly #ticker = new Ticker(TICK_MS);
  readonly #scroller: HTMLElement;
  readonly #follower: ScrollFollower;
  readonly #transcript: Transcript;
  readonly #empty: EmptyState;
  readonly #jump: HTMLButtonElement;
  readonly #undo: UndoBar;
  readonly #refusal: RefusalSlot;
  readonly #composer: Composer;
  readonly #draft: DraftKeeper;
  #endScaling: (() => void) | undefined;
  #state: ChatState = initialState;

  constructor(host: Host<KeptState>, language: string | undefined) {
    const post = (message: ToHost): void => host.post(message);
    this.#post = post;
    this.#draft = new DraftKeeper(host);
    this.#scroller = element('div', {
      class: 'transcript',
      role: 'log',
      'aria-live': 'off',
      'aria-label': l10n.t('Conversation'),
      tabindex: '0',
    });
    this.#follower = new ScrollFollower(this.#scroller, () => this.#drawJump());
    const frames = new FrameLoop({
      afterDrawing: () => this.#settle(),
      onIdle: () => this.#transcript.lookAtEnds(),
    });
    this.#transcript = new Transcript({
      scroller: this.#scroller,
      follower: this.#follower,
      around: {
        post,
        say: (text) => this.#announcer.say(text),
        frames,
        ticker: this.#ticker,
        figures: new FigureFormat(language),
        code: {
          copy: (text) => post({ type: 'copyText', text }),
          insert: (text) => post({ type: 'insertCode', text }),
          open: (text, codeLanguage) => post({ type: 'openCode', text, language: codeLanguage }),
          openLink: (href) => post({ type: 'openLink', href }),
        },
        onToggled: () => this.#toggled(),
      },
      loadOlder: (beforeId) => post({ type: 'loadOlder', beforeId }),
    });
    this.#empty = new EmptyState({
      suggest: (id) => post({ type: 'runSuggestion', id }),
      run: (action) => post({ type: 'runAction', action }),
    });
    this.#jump = element('button', { type: 'button', class: 'jump', hidden: true });
    this.#jump.append(icon('arrow-down'), element('span', {}, l10n.t('Jump to latest')));
    this.#jump.addEventListener('click', () => this.#toLatest());
    this.#undo = new UndoBar({
      restore: (ids) => {
        this.#clearUndo();
        post({ type: 'restoreMessages', ids });
        this.#composer.focus();
      },
      dismiss: () => {
        this.#clearUndo();
        this.#composer.focus();
      },
    });
    this.#refusal = new RefusalSlot(
      {
        run: (action) => post({ type: 'runAction', action }),
        copy: (text) => post({ type: 'copyText', text }),
        dismiss: () => {
          this.#clearRefusal();
          this.#composer.focus();
        },
      },
      this.#ticker,
    );
    this.#composer = new Composer({
      ask: (text) => this.#ask(text),
      stop: () => post({ type: 'stop' }),
      selectModel: () => post({ type: 'selectModel' }),
      optionsChanged: (options) => post({ type: 'optionsChanged', options }),
      draftChanged: (text) => this.#draft.changed(text),
    });
    this.#scroller.append(this.#empty.element, this.#transcript.element);
    this.element = element(
      'main',
      { class: 'chat' },
      element('div', { class: 'transcript-frame' }, this.#scroller, this.#jump),
      element('div', { class: 'foot' }, this.#undo.element, this.#refusal.element, this.#composer.element),
      this.#announcer.element,
    );
    this.#scroller.hidden = true;
  }

  /** Binds what belongs to the whole page: keys, size, leaving. */
  start(): void {
    document.addEventListener('keydown', (event) => this.#keyDown(event));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#draft.flush();
    });
    // What comes next may be another conversation: this draft belongs to the one that is shown.
    window.addEventListener('blur', () => this.#draft.flush());
    window.addEventListener('pagehide', () => this.#draft.leave());
    const sizes = new ResizeObserver(() => this.#settle());
    sizes.observe(this.#scroller);
    sizes.observe(this.#transcript.element);
    this.#post({ type: 'ready' });
  }

  /** Takes what the host sent, whatever it is: what is not of the protocol is left alone. */
  receive(message: unknown): void {
    if (!isToPage(message)) return;
    const before = this.#state;
    this.#state = reduce(before, message);
    if (this.#state.stale) {
      if (!before.stale) this.#post({ type: 'ready' });
      return;
    }
    const handle: AnyHandler = this.#handlers[message.type];
    handle(message);
    this.#draw(before);
  }

  readonly #handlers: ToPageHandlers = {
    snapshot: ({ snapshot }) => {
      const opened = this.#scroller.hidden || snapshot.conversationId !== this.#draftConversation;
      this.#draftConversation = snapshot.conversationId;
      this.#scroller.hidden = false;
      if (opened) {
        this.#composer.setText(this.#draft.opened(snapshot.conversationId, snapshot.draft));
      }
      this.#transcript.show(this.#state, false);
      if (opened) this.#toBottom();
    },
    olderMessages: () => this.#transcript.showOlder(this.#state),
    messageAdded: ({ message }) => {
      this.#transcript.show(this.#state, true);
      if (message.role === 'user') {
        this.#toBottom();
        return;
      }
      if (!this.#jump.hidden) this.#hintAtNew();
      if (message.state === 'running') this.#announcer.say(l10n.t('{0} is replying', message.model));
    },
    replyGrew: ({ replyId, part, text }) => {
      this.#transcript.grow(replyId, part, text);
      if (!this.#jump.hidden) this.#hintAtNew();
    },
    replyChanged: ({ replyId }) => {
      this.#transcript.show(this.#state, false);
      const reply = this.#state.messages.findLast(({ id }) => id === replyId);
      if (reply?.role === 'assistant') this.#announce(reply);
    },
    messagesRemoved: ({ ids, canRestore }) => {
      const hadFocus = this.#transcript.element.contains(document.activeElement);
      this.#transcript.show(this.#state, false);
      const lostFocus = hadFocus && !this.#transcript.element.contains(document.activeElement);
      this.#undo.show(canRestore ? ids : [], lostFocus);
      if (lostFocus && !canRestore) this.#composer.focus();
      if (canRestore && ids.length > 0) this.#announcer.say(deletedWords(ids.length));
    },
    titleChanged: () => undefined,
    optionsChanged: () => undefined,
    connectionChanged: () => undefined,
    draftSet: ({ text }) => {
      this.#composer.setText(text);
      this.#draft.replaced(text);
    },
    composerFocused: () => this.#composer.focus(),
    parametersOpened: () => this.#composer.openParameters(),
    askRefused: ({ text, problem }) => {
      this.#composer.giveBack(text);
      this.#announcer.say(problem.title);
    },
  };
  #draftConversation = '';

  /** Draws what differs; all lists and records are replaced when they change, never altered. */
  #draw(before: ChatState): void {
    const state = this.#state;
    if (state.title !== before.title) document.title = state.title;
    if (state.options !== before.options || state.defaults !== before.defaults) {
      this.#composer.showModel(modelOf(state));
      this.#composer.showOptions(state.options, state.defaults);
    }
    if (state.connection !== before.connection || state.suggestions !== before.suggestions) {
      this.#empty.show(state.connection, state.suggestions);
    }
    if (state.messages !== before.messages) {
      this.#setRunning(runningReply(state) !== undefined);
      this.#empty.element.hidden = state.messages.length > 0;
    }
    if (state.undoable !== before.undoable && state.undoable.length === 0) this.#undo.show([], false);
    if (state.refusal !== before.refusal) this.#refusal.show(state.refusal);
  }

  #setRunning(running: boolean): void {
    this.#composer.setRunning(running);
    this.#transcript.setRunning(running);
    if (running) this.#endScaling ??= this.#ticker.add(() => this.#transcript.scaleSpeed());
    else {
      this.#endScaling?.();
      this.#endScaling = undefined;
    }
  }

  #ask(text: string): void {
    this.#clearUndo();
    this.#clearRefusal();
    this.#post({ type: 'ask', text });
    this.#draft.sent();
    this.#toLatest();
  }

  #keyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    if (runningReply(this.#state) !== undefined) this.#post({ type: 'stop' });
    else if (!this.#composer.closeParameters()) return;
    event.preventDefault();
  }

  #announce(reply: ReplyView): void {
    const words = endedWords(reply);
    if (words !== undefined) this.#announcer.say(words);
  }

  #clearUndo(): void {
    this.#state = { ...this.#state, undoable: [] };
    this.#undo.show([], false);
  }

  #clearRefusal(): void {
    const { refusal: _settled, ...rest } = this.#state;
    this.#state = rest;
    this.#refusal.show(undefined);
  }

  #settle(): void {
    if (this.#transcript.atLatest) this.#follower.settle();
    this.#drawJump();
  }

  #toBottom(): void {
    this.#transcript.toLatest();
    this.#follower.toBottom();
  }

  #toLatest(): void {
    this.#toBottom();
    this.#composer.focus();
  }

  #toggled(): void {
    this.#follower.pause();
    // By the next frame the fold has opened or closed.
    requestAnimationFrame(() => this.#follower.check());
  }

  #drawJump(): void {
    const following = this.#follower.following && this.#transcript.atLatest;
    if (this.#jump.hidden === following) return;
    this.#jump.hidden = following;
    if (!following) return;
    this.#jump.classList.remove('has-new');
    this.#jump.title = '';
  }

  #hintAtNew(): void {
    this.#jump.classList.add('has-new');
    this.#jump.title = l10n.t('There is new text below');
  }
}
