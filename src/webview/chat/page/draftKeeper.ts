import type { MessageView } from '../../../shared/chat.ts';
import type { ToHost } from '../../../shared/chatProtocol.ts';
import { maxTextLength } from '../../../shared/messageLimits.ts';
import type { Host } from '../../kit/host.ts';
import { joinedTexts } from '../../../shared/joinedTexts.ts';
import type { KeptAsk, KeptState, PageMemory } from './pageMemory.ts';

const PAUSE_MS = 300;

/**
 * Brings what is typed to safety: to VS Code's memory at each key, to the host at each pause and when the page is
 * left. It counts as safe when the host has said so, a sent text when its message has come: the host may be dead.
 */
export class DraftKeeper {
  readonly #host: Pick<Host<KeptState, ToHost, never>, 'post'>;
  readonly #memory: PageMemory;
  /** What an earlier page asked and saw no message of. */
  #left: readonly KeptAsk[];
  /** Texts of those that this page gave back: a message may come all the same. */
  #givenBack: readonly string[] = [];
  /** Undefined until the first conversation is shown. */
  #conversationId: string | undefined;
  #draft = '';
  /** Of the draft. No two pages begin alike, so that none takes the answer to another for its own. */
  #version = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Pick<Host<KeptState, ToHost, never>, 'post'>, memory: PageMemory) {
    this.#host = host;
    this.#memory = memory;
    this.#left = memory.state.asked;
  }

  /**
   * A conversation is shown. What waits for the one before it is posted there.
   * @param messages those that are shown of it
   * @returns the draft to start with: what was sent and never arrived; the host's draft, unless the page holds
   * one that never got there; and below it what was typed before any conversation was shown.
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
    // Until a conversation is shown the memory is the last one's.
    if (this.#conversationId === undefined) return;
    this.#memory.change({ draft, unposted: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#post(), PAUSE_MS);
  }

  /** The host has this version of the draft. */
  saved(conversationId: string, version: number): void {
    if (conversationId === this.#conversationId && version === this.#version) this.#memory.change({ unposted: false });
  }

  /** The text is on its way as a message. @param after id of the last message before it */
  asked(text: string, after: string | undefined): void {
    this.#endTimer();
    this.#draft = '';
    this.#version += 1;
    const { asked } = this.#memory.state;
    if (text !== '') this.#memory.change({ asked: [...asked, { text, after: after ?? '' }] });
    // Not posted: the host forgets the draft when it has become a message.
    if (this.#conversationId !== undefined) this.#memory.change({ draft: '', unposted: true });
  }

  /** A message has come. @returns true when the page took it for lost and gave its text back */
  arrived(text: string): boolean {
    this.refused(text);
    if (this.#draft === '') this.#memory.change({ unposted: false });
    const wasGivenBack = this.#givenBack.includes(text);
    this.#givenBack = this.#givenBack.filter((given) => given !== text);
    return wasGivenBack;
  }

  /** The host gave a text back: it is the draft's again. */
  refused(text: string): void {
    const { asked } = this.#memory.state;
    const index = asked.findIndex((ask) => ask.text === text);
    if (index >= 0) this.#memory.change({ asked: asked.toSpliced(index, 1) });
  }

  /** Sends what is not sent yet, at once. */
  flush(): void {
    if (this.#timer !== undefined) this.#post();
  }

  #post(): void {
    this.#endTimer();
    // The host takes no longer text; VS Code's memory does.
    if (this.#conversationId === undefined || this.#draft.length > maxTextLength) return;
    const [conversationId, text, version] = [this.#conversationId, this.#draft, this.#version];
    this.#host.post({ type: 'draftChanged', conversationId, text, version });
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Whether a message with this text is among those that came after it was sent. */
function hasArrived({ text, after }: KeptAsk, messages: readonly MessageView[]): boolean {
  const later = messages.slice(messages.findIndex(({ id }) => id === after) + 1);
  return later.some((message) => message.role === 'user' && message.text === text);
}
