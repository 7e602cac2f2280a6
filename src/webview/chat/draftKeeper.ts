import { maxTextLength } from '../../shared/messageLimits.ts';
import type { Host } from '../host.ts';
import { joinedTexts } from './joinedTexts.ts';
import type { KeptState, PageMemory } from './pageMemory.ts';

const PAUSE_MS = 300;

/** Brings the draft to safety: to VS Code's memory at each key, to the host at each pause and when the page is left. */
export class DraftKeeper {
  readonly #host: Pick<Host<KeptState>, 'post'>;
  readonly #memory: PageMemory;
  /** Undefined until the first conversation is shown. */
  #conversationId: string | undefined;
  #draft = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Pick<Host<KeptState>, 'post'>, memory: PageMemory) {
    this.#host = host;
    this.#memory = memory;
  }

  /**
   * A conversation is shown. What waits for the one before it is posted there.
   * @returns the draft to start with: the host's, unless the page holds one that never got there; and
   * below it what was typed before any conversation was shown.
   */
  opened(conversationId: string, draftOfHost: string): string {
    const typed = this.#conversationId === undefined ? this.#draft : '';
    this.flush();
    const kept = this.#memory.state;
    const isSame = kept.conversationId === conversationId;
    const draft = joinedTexts(isSame && kept.unposted ? kept.draft : draftOfHost, typed);
    this.#conversationId = conversationId;
    this.#draft = draft;
    this.#memory.change({ conversationId, draft, unposted: draft !== draftOfHost, edits: isSame ? kept.edits : [] });
    if (draft !== draftOfHost) this.#post();
    return draft;
  }

  changed(draft: string): void {
    this.#draft = draft;
    // Until a conversation is shown the memory is the last one's.
    if (this.#conversationId === undefined) return;
    this.#memory.change({ draft, unposted: true });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#post(), PAUSE_MS);
  }

  /** The host has this draft: it set it itself, or the text that was here is on its way as a message. */
  replaced(draft: string): void {
    this.#endTimer();
    this.#draft = draft;
    if (this.#conversationId !== undefined) this.#memory.change({ draft, unposted: false });
  }

  /** Sends what is not sent yet, at once. */
  flush(): void {
    if (this.#timer !== undefined) this.#post();
  }

  /** The page goes away: what is posted now may be lost on the way, so it stays marked. */
  leave(): void {
    if (this.#timer === undefined) return;
    this.#post();
    this.#memory.change({ unposted: true });
  }

  #post(): void {
    this.#endTimer();
    // The host takes no longer text; VS Code's memory does.
    if (this.#conversationId === undefined || this.#draft.length > maxTextLength) return;
    this.#host.post({ type: 'draftChanged', conversationId: this.#conversationId, text: this.#draft });
    this.#memory.change({ unposted: false });
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
