import type { MessageView, ReplyView } from '../../../shared/chat.ts';
import type { ChatSnapshot, NoteView } from '../../../shared/protocol/chatProtocol.ts';
import type { Problem } from '../../../shared/problem.ts';

/** Everything that the page knows: a copy of the host's state. The draft is kept elsewhere. */
export interface ChatState extends Omit<ChatSnapshot, 'draft'> {
  /** Sequence number of the last message. */
  readonly seq: number;
  /** True until a snapshot arrives: at the start, and after a message was missed. */
  readonly stale: boolean;
  /** Why the last message wasn't sent. */
  readonly refusal?: Problem;
  readonly notes: readonly NoteView[];
}

export const initialState: ChatState = {
  seq: 0,
  stale: true,
  conversationId: '',
  title: '',
  messages: [],
  hasOlder: false,
  options: {},
  defaults: {},
  connection: { state: 'ready', host: '' },
  suggestions: [],
  attachments: { items: [], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
  notes: [],
};

/** The reply that is running in this window, which Stop stops. */
export function runningReply({ messages }: ChatState): ReplyView | undefined {
  return repliesIn(messages).findLast(({ state }) => state === 'running');
}

/** Whether a reply is being written here or in another window. The conversation can't leave it until then. */
export function isBeingWritten({ messages }: ChatState): boolean {
  return repliesIn(messages).length > 0;
}

const written = new WeakMap<readonly MessageView[], readonly ReplyView[]>();

/** Those that are being written. Lists are replaced when they change, so each is only searched once. */
function repliesIn(messages: readonly MessageView[]): readonly ReplyView[] {
  const known = written.get(messages);
  if (known !== undefined) return known;
  const replies = messages.filter(
    (each): each is ReplyView => each.role === 'assistant' && (each.state === 'running' || each.state === 'elsewhere'),
  );
  written.set(messages, replies);
  return replies;
}

/** The model for the next message; empty if none is selected. */
export function modelOf(state: ChatState): string {
  return state.options.model ?? state.defaults.model ?? '';
}
