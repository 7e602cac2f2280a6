import type { Host } from '../host.ts';

/** What the page keeps in VS Code's own memory for it. The conversation's id lets a tab come back after a restart. */
export interface KeptState {
  readonly conversationId: string;
  readonly draft: string;
  /** True while the host may not have this draft yet. */
  readonly unposted: boolean;
}

const PAUSE_MS = 300;

/** Brings the draft to safety: to VS Code's memory at each key, to the host at each pause and when the page is left. */
export class DraftKeeper {
  readonly #host: Host<KeptState>;
  #conversationId = '';
  #draft = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host<KeptState>) {
    this.#host = host;
  }

  /**
   * A conversation is shown.
   * @returns the draft to start with: the host's, unless the page holds one that never got there.
   */
  opened(conversationId: string, draftOfHost: string): string {
    const kept = this.#host.recall();
    const draft = isKept(kept) && kept.unposted && kept.conversationId === conversationId ? kept.draft : draftOfHost;
    // A draft that still waits is not this conversation's.
    this.#endTimer();
    this.#conversationId = conversationId;
    this.#draft = draft;
    if (draft === draftOfHost) this.#remember(false);
    else this.#post();
    return draft;
  }

  changed(draft: string): void {
    this.#draft = draft;
    this.#remember(true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#post(), PAUSE_MS);
  }

  /** The host set this draft itself. */
  replaced(draft: string): void {
    this.#endTimer();
    this.#draft = draft;
    this.#remember(false);
  }

  /** The draft has become a message: there is none now. */
  sent(): void {
    this.#draft = '';
    this.#post();
  }

  /** Sends what is not sent yet, at once. */
  flush(): void {
    if (this.#timer !== undefined) this.#post();
  }

  /** The page goes away: what is posted now may be lost on the way, so it stays marked. */
  leave(): void {
    if (this.#timer === undefined) return;
    this.#post();
    this.#remember(true);
  }

  #post(): void {
    this.#endTimer();
    this.#host.post({ type: 'draftChanged', text: this.#draft });
    this.#remember(false);
  }

  #endTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #remember(unposted: boolean): void {
    this.#host.remember({ conversationId: this.#conversationId, draft: this.#draft, unposted });
  }
}

function isKept(value: unknown): value is KeptState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'conversationId' in value &&
    typeof value.conversationId === 'string' &&
    'draft' in value &&
    typeof value.draft === 'string' &&
    'unposted' in value &&
    typeof value.unposted === 'boolean'
  );
}
