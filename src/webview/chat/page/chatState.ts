import type { AttachmentsView } from '../../../shared/attachment.ts';
import type { ChatOptions, MessageView, ReplyView } from '../../../shared/chat.ts';
import type {
  ConnectionView,
  ContinuedConversation,
  SuggestionView,
  SummaryView,
} from '../../../shared/chatProtocol.ts';
import type { Problem } from '../../../shared/problem.ts';

/** All that the page knows. The host owns the truth; this is its copy. */
export interface ChatState {
  /** Of the last message taken in. */
  readonly seq: number;
  /** True until a snapshot comes: at the start, and after a message was missed. */
  readonly stale: boolean;
  readonly conversationId: string;
  readonly title: string;
  /** Oldest first; the newest is always here. */
  readonly messages: readonly MessageView[];
  readonly hasOlder: boolean;
  readonly options: ChatOptions;
  readonly defaults: ChatOptions;
  readonly connection: ConnectionView;
  readonly suggestions: readonly SuggestionView[];
  readonly attachments: AttachmentsView;
  /** Ids of what was deleted last, while it can be brought back. */
  readonly undoable: readonly string[];
  /** Why the last message was not sent. */
  readonly refusal?: Problem;
  /** The conversation whose summary this one began with. */
  readonly continues?: ContinuedConversation;
  /** A summary that is being written, or waits to be used. */
  readonly summary?: SummaryView;
  /** Said as long as something of the conversation isn't on disk. */
  readonly unsaved?: Problem;
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
};

/** The reply that runs in this window: the one that Stop stops. */
export function runningReply(state: ChatState): ReplyView | undefined {
  const running = state.messages.findLast((message) => message.role === 'assistant' && message.state === 'running');
  return running?.role === 'assistant' ? running : undefined;
}

/** The model that the next message goes to; empty when none is chosen. */
export function modelOf(state: ChatState): string {
  return state.options.model ?? state.defaults.model ?? '';
}
