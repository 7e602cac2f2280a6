import type { ReplyView } from '../../../shared/chat.ts';
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
export function runningReply(state: ChatState): ReplyView | undefined {
  const running = state.messages.findLast((message) => message.role === 'assistant' && message.state === 'running');
  return running?.role === 'assistant' ? running : undefined;
}

/** Whether a reply is being written here or in another window. The conversation can't leave it until then. */
export function isBeingWritten({ messages }: ChatState): boolean {
  return messages.some((each) => each.role === 'assistant' && (each.state === 'running' || each.state === 'elsewhere'));
}

/** The model for the next message; empty if none is selected. */
export function modelOf(state: ChatState): string {
  return state.options.model ?? state.defaults.model ?? '';
}
