import type { AttachmentsView } from '../../../shared/attachment.ts';
import type { ChatOptions, MessageView, ReplyView } from '../../../shared/chat.ts';
import type {
  ConnectionView,
  ContinuedConversation,
  NoteView,
  SuggestionView,
  SummaryView,
} from '../../../shared/chatProtocol.ts';
import type { Problem } from '../../../shared/problem.ts';

/** Everything that the page knows: a copy of the host's state. */
export interface ChatState {
  /** Sequence number of the last message. */
  readonly seq: number;
  /** True until a snapshot arrives: at the start, and after a message was missed. */
  readonly stale: boolean;
  readonly conversationId: string;
  readonly title: string;
  /** Oldest first, always including the newest. */
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
  readonly options: ChatOptions;
  readonly defaults: ChatOptions;
  readonly connection: ConnectionView;
  readonly suggestions: readonly SuggestionView[];
  readonly attachments: AttachmentsView;
  /** IDs of the messages that were deleted last, while they can be restored. */
  readonly undoable: readonly string[];
  /** Why the last message wasn't sent. */
  readonly refusal?: Problem;
  /** The conversation whose summary this one started with. */
  readonly continues?: ContinuedConversation;
  /** A summary that is being written, or waits to be used. */
  readonly summary?: SummaryView;
  /** Shown as long as part of the conversation isn't on disk. */
  readonly unsaved?: Problem;
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
  undoable: [],
  notes: [],
};

/** The reply that is running in this window, which Stop stops. */
export function runningReply(state: ChatState): ReplyView | undefined {
  const running = state.messages.findLast((message) => message.role === 'assistant' && message.state === 'running');
  return running?.role === 'assistant' ? running : undefined;
}

/** The model for the next message; empty if none is selected. */
export function modelOf(state: ChatState): string {
  return state.options.model ?? state.defaults.model ?? '';
}
