import type { Host } from '../../kit/host/host.ts';

/** A message that is being edited, with its current text. */
export interface KeptEdit {
  readonly messageId: string;
  readonly text: string;
}

/** A text that was sent. */
export interface KeptAsk {
  readonly text: string;
  /** ID of the last message before it; empty if there was none. */
  readonly after: string;
}

/** What the page keeps in VS Code's own memory for it. The conversation's ID restores a tab after a restart. */
export interface KeptState {
  readonly conversationId: string;
  readonly draft: string;
  /** True while the host might not have this draft yet. */
  readonly unposted: boolean;
  /** Version of the draft that was posted last, or is about to be. */
  readonly version: number;
  /** Sent in this conversation, without its message having arrived. */
  readonly asked: readonly KeptAsk[];
  /** Messages of any conversation that are being edited. */
  readonly edits: readonly KeptEdit[];
  /** Whether long lines of code are wrapped. */
  readonly wrapsCode: boolean;
}

type Memory = Pick<Host<KeptState, never, never>, 'recall' | 'remember'>;

/** VS Code's memory for the page. It outlives the page, which is destroyed when it's hidden. */
export class PageMemory {
  readonly #host: Memory;
  #state: KeptState;

  constructor(host: Memory) {
    this.#host = host;
    this.#state = keptState(host.recall());
  }

  get state(): KeptState {
    return this.#state;
  }

  change(fields: Partial<KeptState>): void {
    const before = new Map<string, unknown>(Object.entries(this.#state));
    if (Object.entries(fields).every(([name, value]) => value === before.get(name))) return;
    this.#state = { ...this.#state, ...fields };
    this.#host.remember(this.#state);
  }
}

/** Data in another form, for example from an earlier version, is ignored. */
function keptState(value: unknown): KeptState {
  const nothing = {
    conversationId: '',
    draft: '',
    unposted: false,
    version: 0,
    asked: [],
    edits: [],
    wrapsCode: false,
  };
  if (typeof value !== 'object' || value === null) return nothing;
  if (!('conversationId' in value) || typeof value.conversationId !== 'string') return nothing;
  if (!('draft' in value) || typeof value.draft !== 'string') return nothing;
  if (!('unposted' in value) || typeof value.unposted !== 'boolean') return nothing;
  const { conversationId, draft, unposted } = value;
  const version = 'version' in value && typeof value.version === 'number' ? value.version : 0;
  const edits: readonly unknown[] = 'edits' in value && Array.isArray(value.edits) ? value.edits : [];
  const asked: readonly unknown[] = 'asked' in value && Array.isArray(value.asked) ? value.asked : [];
  const wrapsCode = 'wrapsCode' in value && value.wrapsCode === true;
  return {
    conversationId,
    draft,
    unposted,
    version,
    asked: asked.filter(isAsk),
    edits: edits.filter(isEdit),
    wrapsCode,
  };
}

function isAsk(value: unknown): value is KeptAsk {
  return hasText(value) && 'after' in value && typeof value.after === 'string';
}

function isEdit(value: unknown): value is KeptEdit {
  return hasText(value) && 'messageId' in value && typeof value.messageId === 'string';
}

function hasText(value: unknown): value is { readonly text: string } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';
}
