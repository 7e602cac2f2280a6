import type { MessageView } from '../../../shared/chat.ts';
import type { ModelRef } from '../../../shared/modelRef.ts';
import type { RetryModel } from '../../../shared/protocol/chatProtocol.ts';
import type { ArticleSurroundings } from './articleSurroundings.ts';
import { element } from '../../kit/element.ts';
import {
  extendedDown,
  extendedUp,
  latestWindow,
  movedWindow,
  type MessageWindow,
  windowAround,
} from './messageWindow.ts';
import { type Growth, ReplyArticle } from './replyArticle.ts';
import type { ScrollFollower } from '../../kit/scrollFollower.ts';
import type { Side } from './versionSwitch.ts';
import { type LineStop, SentLine } from '../length/sentLine.ts';
import { UserArticle } from './userArticle.ts';

type Article = UserArticle | ReplyArticle;

/** What the transcript shows. */
export interface TranscriptContent {
  readonly conversationId: string;
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
}

/** What the transcript needs from the page. */
export interface TranscriptFrame {
  readonly scroller: HTMLElement;
  readonly follower: ScrollFollower;
  readonly around: ArticleSurroundings;
  readonly loadOlder: (beforeId: string) => void;
}

/** The messages in the page: a window of at most about two hundred of them. */
export class Transcript {
  readonly element = element('div', { class: 'messages' });
  readonly #frame: TranscriptFrame;
  readonly #articles = new Map<string, Article>();
  readonly #top = element('div', { class: 'sentinel' });
  readonly #bottom = element('div', { class: 'sentinel' });
  readonly #ends: IntersectionObserver;
  readonly #inView: IntersectionObserver;
  readonly #visible = new Set<Element>();
  #content: TranscriptContent = { conversationId: '', messages: [], hasOlder: false };
  #window: MessageWindow = { start: 0, end: 0 };
  #askedBefore: string | undefined;
  readonly #line: SentLine;
  #sentFrom: string | undefined;
  #running = false;
  /** What each article shows, apart from text that was added since. */
  readonly #drawn = new WeakMap<Article, MessageView>();
  #endScaling: (() => void) | undefined;

  constructor(frame: TranscriptFrame) {
    this.#frame = frame;
    this.#line = new SentLine(frame.around.post, () => this.#questions());
    this.element.append(this.#top, this.#bottom);
    const root = frame.scroller;
    this.#ends = new IntersectionObserver((entries) => this.#endReached(entries), { root, rootMargin: '600px 0px' });
    this.#inView = new IntersectionObserver((entries) => this.#viewChanged(entries), { root });
  }

  /** While stored replies are still being drawn, the page is shorter than it will be. */
  get isDrawing(): boolean {
    return this.#frame.around.frames.busy;
  }

  /** All messages as of the last update, in the page or not. */
  get messages(): readonly MessageView[] {
    return this.#content.messages;
  }

  /** True if the newest message is in the page. */
  get atLatest(): boolean {
    return this.#window.end === this.#content.messages.length;
  }

  /** @param fresh true if new messages were added just now. */
  show(content: TranscriptContent, fresh: boolean): void {
    const before = this.#content;
    this.#content = content;
    if (before.conversationId !== content.conversationId) {
      this.#clear();
      this.#window = latestWindow(content.messages.length);
    } else {
      const trim = this.#frame.follower.following;
      this.#window = movedWindow(this.#window, before.messages, content.messages, trim);
    }
    this.#reconcile(fresh);
  }

  /**
   * Everything is new, and earlier requests might never be fulfilled. The reader's position is kept if it still exists.
   */
  showSnapshot(content: TranscriptContent): void {
    this.#askedBefore = undefined;
    this.#keepingPlace(() => this.show(content, false));
  }

  /** More messages were added at the top: the next page of them is shown above what is in view. */
  showOlder(content: TranscriptContent): void {
    this.#content = { ...content, messages: this.#content.messages };
    this.#keepingPlace(() => {
      this.show(content, false);
      this.#window = extendedUp(this.#window);
      this.#reconcile(false);
    });
  }

  /** Draws the line above which nothing is sent. Without an ID, there's none. */
  setSentFrom(id: string | undefined): void {
    if (id === this.#sentFrom) return;
    this.#sentFrom = id;
    const { activeElement } = document;
    this.#keepingPlace(() => this.#reconcile(false));
    if (activeElement instanceof HTMLElement && this.#line.element.contains(activeElement)) activeElement.focus();
  }

  /** The models that Retry can use, for a menu that was asked for. */
  offerRetry(replyId: string, models: readonly RetryModel[], model?: ModelRef): void {
    this.#frame.around.retryMenu.open(replyId, models, model);
  }

  #questions(): LineStop[] {
    return [...this.#articles].flatMap(([id, { role, element: article }]) =>
      role === 'user' ? [{ id, element: article }] : [],
    );
  }

  grow(growth: Growth): void {
    const article = this.#articles.get(growth.replyId);
    if (article?.role === 'assistant') article.grow(growth);
  }

  /** Moves the focus to the button that the user used to switch to this version. */
  focusVersions(messageId: string, side: Side): void {
    // What follows the last one is the end, where the reader stays.
    if (messageId !== this.#content.messages.at(-1)?.id) this.reveal(messageId);
    this.#articles.get(messageId)?.focusVersions(side);
  }

  /** An edit couldn't be sent. @returns false if it can't go on, because its message is gone or is being edited anew */
  editAgain(messageId: string): boolean {
    const article = this.#articles.get(messageId);
    if (article?.role === 'user') return article.editAgain();
    // One that isn't in the page is drawn with its edit.
    return this.#content.messages.some(({ id }) => id === messageId);
  }

  setRunning(running: boolean): void {
    this.#running = running;
    // The running reply grows, and everything in view is measured by it.
    this.#endScaling?.();
    this.#endScaling = running ? this.#frame.around.ticker.add(() => this.#scaleSpeed()) : undefined;
    for (const article of this.#articles.values()) article.setRunning(running);
  }

  /** Brings a loaded message into the page, wherever the reader is. */
  reveal(id: string): void {
    const { messages } = this.#content;
    const index = messages.findIndex((message) => message.id === id);
    if (index === -1) return;
    this.#frame.follower.pause();
    if (index >= this.#window.start && index < this.#window.end) return;
    this.#window = windowAround(index, messages.length);
    this.#reconcile(false);
  }

  /** The text of a message, if it's in the page. */
  textOf(id: string): Element | undefined {
    return this.#articles.get(id)?.element.querySelector('.answer, .bubble') ?? undefined;
  }

  toLatest(): void {
    if (this.atLatest) return;
    this.#window = latestWindow(this.#content.messages.length);
    this.#reconcile(false);
  }

  /** Checks again whether an end is near, because an observer only fires when something changes. */
  lookAtEnds(): void {
    this.#ends.disconnect();
    const { start, end } = this.#window;
    if (start > 0 || this.#content.hasOlder) this.#ends.observe(this.#top);
    if (end < this.#content.messages.length) this.#ends.observe(this.#bottom);
  }

  /** Gives the lines in view a common scale, so that they can be compared. */
  #scaleSpeed(): void {
    const replies = this.#shownReplies();
    const slowest = Math.max(0, ...replies.map((reply) => reply.longestSeconds));
    for (const { speedLine } of replies) speedLine.scale(slowest);
  }

  #shownReplies(): ReplyArticle[] {
    return [...this.#articles.values()].filter(
      (article): article is ReplyArticle => article.role === 'assistant' && this.#visible.has(article.element),
    );
  }

  #reconcile(fresh: boolean): void {
    const wanted = this.#content.messages.slice(this.#window.start, this.#window.end);
    const newest = this.#content.messages.at(-1)?.id;
    const kept = new Set(wanted.map(({ id }) => id));
    for (const [id, article] of this.#articles) if (!kept.has(id)) this.#drop(id, article);
    const line = this.#line.element;
    if (line.nextSibling !== this.#articles.get(this.#sentFrom ?? '')?.element) line.remove();
    let next = this.#top.nextSibling;
    for (const message of wanted) {
      const article = this.#articleFor(message, fresh);
      if (article.role === 'assistant') article.setLast(message.id === newest);
      if (message.id === this.#sentFrom) {
        if (next === line) next = line.nextSibling;
        else this.element.insertBefore(line, next);
      }
      if (next === article.element) next = next.nextSibling;
      else this.element.insertBefore(article.element, next);
    }
    this.lookAtEnds();
    this.#scaleSpeed();
  }

  #articleFor(message: MessageView, fresh: boolean): Article {
    const known = this.#articles.get(message.id);
    // Messages are replaced when they change, never mutated.
    if (known !== undefined && this.#drawn.get(known) === message) return known;
    if (known !== undefined) this.#drawn.set(known, message);
    if (known?.role === 'user' && message.role === 'user') {
      known.update(message);
      return known;
    }
    if (known?.role === 'assistant' && message.role === 'assistant') {
      known.update(message);
      return known;
    }
    if (known !== undefined) this.#drop(message.id, known);
    const { around } = this.#frame;
    const article =
      message.role === 'user' ? new UserArticle(message, around) : new ReplyArticle(message, around, fresh);
    article.setRunning(this.#running);
    this.#articles.set(message.id, article);
    this.#drawn.set(article, message);
    if (article.role === 'assistant') this.#inView.observe(article.element);
    return article;
  }

  #drop(id: string, article: Article): void {
    this.#inView.unobserve(article.element);
    this.#visible.delete(article.element);
    article.dispose();
    article.element.remove();
    this.#articles.delete(id);
  }

  #clear(): void {
    for (const [id, article] of this.#articles) this.#drop(id, article);
  }

  #viewChanged(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) this.#visible.add(target);
      else this.#visible.delete(target);
    }
    this.#scaleSpeed();
  }

  #endReached(entries: readonly IntersectionObserverEntry[]): void {
    if (this.isDrawing) return;
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      if (target === this.#top) this.#goUp();
      else this.#goDown();
    }
  }

  #goUp(): void {
    if (this.#window.start > 0) {
      this.#keepingPlace(() => {
        this.#window = extendedUp(this.#window);
        this.#reconcile(false);
      });
      return;
    }
    const first = this.#content.messages[0];
    if (!this.#content.hasOlder || first === undefined || first.id === this.#askedBefore) return;
    this.#askedBefore = first.id;
    this.#frame.loadOlder(first.id);
  }

  #goDown(): void {
    this.#keepingPlace(() => {
      this.#window = extendedDown(this.#window, this.#content.messages.length);
      this.#reconcile(false);
    });
  }

  #firstBelow(edge: number): HTMLElement | undefined {
    for (const message of this.#content.messages.slice(this.#window.start, this.#window.end)) {
      const article = this.#articles.get(message.id)?.element;
      if (article !== undefined && article.getBoundingClientRect().bottom > edge) return article;
    }
    return undefined;
  }

  /** Changes what is above or below without moving what the reader looks at. */
  #keepingPlace(change: () => void): void {
    const { scroller, follower } = this.#frame;
    const edge = scroller.getBoundingClientRect().top;
    const anchor = this.#firstBelow(edge);
    const before = anchor?.getBoundingClientRect().top ?? 0;
    change();
    if (anchor?.isConnected === true && !follower.following) {
      scroller.scrollTop += anchor.getBoundingClientRect().top - before;
    } else follower.settle();
  }
}
