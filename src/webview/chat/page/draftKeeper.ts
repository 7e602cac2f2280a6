import type { MessageView } from '../../../shared/chat.ts';
import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Host } from '../../kit/host/host.ts';
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
  // oxlint-disable-next-line no-restricted-properties -- compared with other versions of pages only
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
   * @param received the last version of the draft that the host received from this page, if it got any
   * @returns the draft to start with: what was sent and never arrived; the host's draft, unless the page has one that
   * never got there; and below it what was typed before any conversation was shown.
   */
  opened(conversationId: string, draftOfHost: string, messages: readonly MessageView[], received?: number): string {
    const typed = this.#conversationId === undefined ? this.#draft : '';
    this.flush();
    const kept = this.#memory.state;
    const isSame = kept.conversationId === conversationId;
    const lost = isSame ? this.#left.filter((ask) => !hasArrived(ask, messages)) : [];
    this.#givenBack = lost.map(({ text }) => text);
    // Then the host's draft is at least as new, and the host takes care of what was sent.
    const isReceived = isSame && kept.version === received;
    const left = isSame && kept.unposted && !isReceived ? kept.draft : draftOfHost;
    const draft = [...(isReceived ? [] : this.#givenBack), left, typed].reduce(joinedTexts);
    // It isn't on disk while the host is waiting to send it, and might be lost with the host.
    const waiting = isReceived ? lost.filter(({ text }) => !draftOfHost.includes(text)) : [];
    const asked = isSame ? kept.asked.filter((ask) => waiting.includes(ask) || !this.#left.includes(ask)) : [];
    this.#left = [];
    this.#conversationId = conversationId;
    this.#draft = draft;
    this.#version += 1;
    const unposted = draft !== draftOfHost;
    const version = unposted ? this.#version : kept.version;
    this.#memory.change({ conversationId, draft, asked, unposted, version });
    if (unposted) this.#post();
    return draft;
  }

  changed(draft: string): void {
    this.#draft = draft;
    this.#version += 1;
    // Until a conversation is shown, the memory belongs to the last one.
    if (this.#conversationId === undefined) return;
    this.#memory.change({ draft, unposted: true, version: this.#version });
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

  /**
   * The text is being sent as a message.
   * @param after ID of the last message before it
   * @returns the version of the draft that remains
   */
  asked(text: string, after: string | undefined): number {
    this.#endTimer();
    this.#draft = '';
    this.#version += 1;
    const { asked } = this.#memory.state;
    this.#memory.change({
      version: this.#version,
      ...(text !== '' && { asked: [...asked, { text, after: after ?? '' }] }),
    });
    // Not posted: the host discards the draft when it has become a message.
    if (this.#conversationId !== undefined) this.#memory.change({ draft: '', unposted: true });
    return this.#version;
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
