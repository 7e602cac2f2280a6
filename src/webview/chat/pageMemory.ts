import type { Host } from '../host.ts';

/** A message that is being edited, with the text as it stands. */
export interface KeptEdit {
  readonly messageId: string;
  readonly text: string;
}

/** What the page keeps in VS Code's own memory for it. The conversation's id lets a tab come back after a restart. */
export interface KeptState {
  readonly conversationId: string;
  readonly draft: string;
  /** True while the host may not have this draft yet. */
  readonly unposted: boolean;
  /** Messages of this conversation that are being edited. */
  readonly edits: readonly KeptEdit[];
}

/** VS Code's memory for the page: it outlives the page, which is destroyed when it is hidden. */
export class PageMemory {
  readonly #host: Host<KeptState>;
  #state: KeptState;

  constructor(host: Host<KeptState>) {
    this.#host = host;
    this.#state = keptState(host.recall());
  }

  get state(): KeptState {
    return this.#state;
  }

  change(fields: Partial<KeptState>): void {
    this.#state = { ...this.#state, ...fields };
    this.#host.remember(this.#state);
  }
}

/** What has another form, such as that of an earlier version, counts as nothing. */
function keptState(value: unknown): KeptState {
  const nothing = { conversationId: '', draft: '', unposted: false, edits: [] };
  if (typeof value !== 'object' || value === null) return nothing;
  if (!('conversationId' in value) || typeof value.conversationId !== 'string') return nothing;
  if (!('draft' in value) || typeof value.draft !== 'string') return nothing;
  if (!('unposted' in value) || typeof value.unposted !== 'boolean') return nothing;
  const { conversationId, draft, unposted } = value;
  const edits: readonly unknown[] = 'edits' in value && Array.isArray(value.edits) ? value.edits : [];
  return { conversationId, draft, unposted, edits: edits.filter(isEdit) };
}

function isEdit(value: unknown): value is KeptEdit {
  return (
    typeof value === 'object' &&
    value !== null &&
    'messageId' in value &&
    typeof value.messageId === 'string' &&
    'text' in value &&
    typeof value.text === 'string'
  );
}
