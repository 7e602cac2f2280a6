import type { MessageView } from '../../../shared/chat.ts';
import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Host } from '../../kit/host.ts';
import { joinedTexts } from '../../../shared/text/joinedTexts.ts';
import type { KeptAsk, KeptState, PageMemory } from './pageMemory.ts';

const PAUSE_MS = 300;

/**
 * Saves what is typed: to VS Code's memory with each keystroke, to the host at each pause and when the user leaves the
 * page. A draft counts as saved when the host has confirmed it, and a sent text when its message has arrived, because
 * the host might be dead.
 */
export class DraftKeeper {
  readonly #host: Pick<Host<KeptState, ToHost, never>, 'post'>;
  readonly #memory: PageMemory;
  /** What an earlier page asked without seeing its message. */
  #left: readonly KeptAsk[];
  /** The texts that this page restored. Their messages might arrive anyway. */
  #givenBack: readonly string[] = [];
  /** Undefined until the first conversation is shown. */
  #conversationId: string | undefined;
  #draft = '';
  /**
   * Version of the draft. Each page starts with a different number, so that none mistakes the confirmation of another
   * for its own.
   */
  #version = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Pick<Host<KeptState, ToHost, never>, 'post'>, memory: PageMemory) {
    this.#host = host;
    this.#memory = memory;
    this.#left = memory.state.asked;
  }

  /**
   * A conversation is shown. Unsaved text of the previous one is posted.
   * @param messages the visible messages
   * @returns the draft to start with: what was sent and never arrived; the host's draft, unless the page has one that
   * never got there; and below it what was typed before any conversation was shown.
   */
  opened(conversationId: string, draftOfHost: string, messages: readonly MessageView[]): string {
    const typed = this.#conversationId === undefined ? this.#draft : '';
    this.flush();
    const kept = this.#memory.state;
    const isSame = kept.conversationId === conversationId;
    this.#givenBack = isSame ? this.#left.filter((ask) => !hasArrived(ask, messages)).map(({ text }) => text) : [];
    const left = isSame && kept.unposted ? kept.draft : draftOfHost;
    const draft = [...this.#givenBack, left, typed].reduce(joinedTexts);
    const asked = isSame ? kept.asked.filter((ask) => !this.#left.includes(ask)) : [];
    this.#left = [];
    this.#conversationId = conversationId;
    this.#draft = draft;
    this.#version += 1;
    this.#memory.change({ conversationId, draft, asked, unposted: draft !== draftOfHost });
    if (draft !== draftOfHost) this.#post();
    return draft;
  }

  changed(draft: string): void {
    this.#draft = draft;
    this.#version += 1;
    // Until a conversation is shown, the memory belongs to the last one.
    if (this.#conversationId === undefined) return;
    this.#memory.change({ draft, unposted: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#post(), PAUSE_MS);
  }

  /** The host has saved this version of the draft. */
  saved(conversationId: string, version: number): void {
    if (conversationId === this.#conversationId && version === this.#version) this.#memory.change({ unposted: false });
  }

  /**
   * The draft was changed in another page.
   * @returns false if what was typed here isn't posted yet, or this page shows another conversation by now
   */
  replaced(conversationId: string, draft: string): boolean {
    const isPosted = this.#timer === undefined && this.#draft.length <= maxTextLength;
    if (conversationId !== this.#conversationId || !isPosted) return false;
    this.#draft = draft;
    this.#version += 1;
    this.#memory.change({ draft, unposted: false });
    return true;
  }

  /** The text is being sent as a message. @param after ID of the last message before it */
  asked(text: string, after: string | undefined): void {
    this.#endTimer();
    this.#draft = '';
    this.#version += 1;
    const { asked } = this.#memory.state;
    if (text !== '') this.#memory.change({ asked: [...asked, { text, after: after ?? '' }] });
    // Not posted: the host discards the draft when it has become a message.
    if (this.#conversationId !== undefined) this.#memory.change({ draft: '', unposted: true });
  }

  /** A message has arrived. @returns true if the page considered it lost and restored its text */
  arrived(text: string): boolean {
    this.refused(text);
    if (this.#draft === '') this.#memory.change({ unposted: false });
    const wasGivenBack = this.#givenBack.includes(text);
    this.#givenBack = this.#givenBack.filter((given) => given !== text);
    return wasGivenBack;
  }

  /** The host returned a text, which is now part of the draft again. */
  refused(text: string): void {
    const { asked } = this.#memory.state;
    const index = asked.findIndex((ask) => ask.text === text);
    if (index >= 0) this.#memory.change({ asked: asked.toSpliced(index, 1) });
  }

  /** Sends what isn't sent yet, at once. */
  flush(): void {
    if (this.#timer !== undefined) this.#post();
  }

  #post(): void {
    this.#endTimer();
    // The host rejects a longer text, but VS Code's memory keeps it.
    if (this.#conversationId === undefined || this.#draft.length > maxTextLength) return;
    const [conversationId, text, version] = [this.#conversationId, this.#draft, this.#version];
    this.#host.post({ type: 'draftChanged', conversationId, text, version });
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether a message with this text is among those that arrived after it was sent. */
function hasArrived({ text, after }: KeptAsk, messages: readonly MessageView[]): boolean {
  const later = messages.slice(messages.findIndex(({ id }) => id === after) + 1);
  return later.some((message) => message.role === 'user' && message.text === text);
}
