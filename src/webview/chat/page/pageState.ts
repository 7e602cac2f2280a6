import type { MessageView, ReplyView } from '../../../shared/chat.ts';
import type { ChatSnapshot, ReplyChange, ToPage } from '../../../shared/protocol/chatProtocol.ts';
import type { Problem, ProblemActionKind } from '../../../shared/problem.ts';
import { type ChatState, initialState, modelOf } from './chatState.ts';

/** The page's only state, and the few changes that it makes to it on its own. */
export class PageState {
  #now: ChatState = initialState;
  readonly #draw: (before: ChatState) => void;

  /** @param draw draws what one of the page's own changes made different */
  constructor(draw: (before: ChatState) => void) {
    this.#draw = draw;
  }

  get now(): ChatState {
    return this.#now;
  }

  /** Takes in a message from the host. It's drawn by whoever handles the message. */
  receive(message: ToPage): void {
    this.#now = reduce(this.#now, message);
  }

  /** @param refusal why a message wasn't sent; undefined if that's settled or dismissed */
  refuse(refusal: Problem | undefined): void {
    const { refusal: _settled, ...rest } = this.#now;
    this.#change(refusal === undefined ? rest : { ...rest, refusal });
  }

  /** Dismisses the warning that the conversation isn't saved, until that changes. */
  forgetUnsaved(): void {
    const { unsaved: _before, ...rest } = this.#now;
    this.#change(rest);
  }

  #change(next: ChatState): void {
    const before = this.#now;
    this.#now = next;
    this.#draw(before);
  }
}

type Delta = Exclude<ToPage, { type: 'snapshot' }>;

/**
 * The next state. A message with a gap before it, or text that doesn't fit the known text, makes the state stale: from
 * then on only a snapshot changes it.
 */
export function reduce(state: ChatState, message: ToPage): ChatState {
  if (message.type === 'snapshot') return withoutSettled(state, fromSnapshot(state, message.seq, message.snapshot));
  if (state.stale) return state;
  if (message.seq !== state.seq + 1) return { ...state, stale: true };
  return withoutSettled(state, { ...applyDelta(state, message), seq: message.seq });
}

/** A refusal doesn't outlive its cause. */
function withoutSettled(before: ChatState, now: ChatState): ChatState {
  const { refusal, ...rest } = now;
  const isOld = refusal !== undefined && refusal === before.refusal;
  return isOld && isSettled(refusal, before, now) ? rest : now;
}

function fromSnapshot(state: ChatState, seq: number, snapshot: ChatSnapshot): ChatState {
  const sameConversation = snapshot.conversationId === state.conversationId;
  const messages = mergeById([], snapshot.messages);
  return {
    seq,
    stale: false,
    conversationId: snapshot.conversationId,
    title: snapshot.title,
    messages,
    hasOlder: snapshot.hasOlder,
    options: snapshot.options,
    defaults: snapshot.defaults,
    connection: snapshot.connection,
    suggestions: snapshot.suggestions,
    attachments: snapshot.attachments,
    ...(sameConversation && state.refusal !== undefined && { refusal: state.refusal }),
    ...(snapshot.continues !== undefined && { continues: snapshot.continues }),
    ...(snapshot.summary !== undefined && { summary: snapshot.summary }),
    ...(snapshot.unsaved !== undefined && { unsaved: snapshot.unsaved }),
    notes: snapshot.notes ?? [],
  };
}

function applyDelta(state: ChatState, message: Delta): ChatState {
  switch (message.type) {
    case 'olderMessages':
      return { ...state, messages: mergeById(message.messages, state.messages), hasOlder: message.hasOlder };
    case 'messageAdded': {
      const { refusal: _settled, ...rest } = state;
      return { ...rest, messages: withMessage(state.messages, message.message) };
    }
    case 'replyGrew':
      return grown(state, message);
    case 'replyChanged':
      return withReply(state, message.replyId, (reply) => changed(reply, message.change));
    case 'messagesRemoved': {
      const gone = new Set(message.ids);
      return { ...state, messages: state.messages.filter(({ id }) => !gone.has(id)) };
    }
    case 'titleChanged':
      return { ...state, title: message.title };
    case 'optionsChanged':
      return { ...state, options: message.options, defaults: message.defaults };
    case 'summaryChanged': {
      const { summary: _before, ...rest } = state;
      return message.summary === undefined ? rest : { ...rest, summary: message.summary };
    }
    case 'connectionChanged':
      return { ...state, connection: message.connection };
    case 'attachmentsChanged':
      return { ...state, attachments: message.attachments };
    case 'suggestionsChanged':
      return { ...state, suggestions: message.suggestions };
    case 'askRefused':
      return { ...state, refusal: message.problem };
    case 'unsavedChanged': {
      const { unsaved: _before, ...rest } = state;
      return message.unsaved === undefined ? rest : { ...rest, unsaved: message.unsaved };
    }
    case 'notesChanged':
      return { ...state, notes: message.notes };
    case 'notAdded':
      return message.problem === undefined ? state : { ...state, refusal: message.problem };
    // The page does these at once, so there's nothing to store.
    case 'adding':
    case 'pictureRead':
    case 'completions':
    case 'draftAdded':
    case 'draftReplaced':
    case 'draftSaved':
    case 'retryOffers':
    case 'modelPickerOpened':
    case 'modelRows':
    case 'promptRows':
    case 'composerFocused':
    case 'messageRevealed':
    case 'stepDone':
    case 'found':
    case 'copied':
    case 'parametersOpened':
      return state;
  }
}

function grown(state: ChatState, message: Extract<ToPage, { type: 'replyGrew' }>): ChatState {
  const reply = state.messages.findLast(({ id }) => id === message.replyId);
  // A reply that isn't loaded has no text here that could be out of date.
  if (reply?.role !== 'assistant') return state;
  if (reply[message.part].length !== message.offset) return { ...state, stale: true };
  return withReply(state, reply.id, (old) => ({ ...old, [message.part]: old[message.part] + message.text }));
}

/** Everything except the text is replaced: a field that is absent in `change` is absent afterwards. */
function changed(reply: ReplyView, change: ReplyChange): ReplyView {
  const { role, id, at, model, text, reasoning, versions } = reply;
  return { role, id, at, model, text, reasoning, ...(versions !== undefined && { versions }), ...change };
}

function withReply(state: ChatState, replyId: string, update: (reply: ReplyView) => ReplyView): ChatState {
  const index = state.messages.findLastIndex(({ id }) => id === replyId);
  const reply = state.messages[index];
  if (reply?.role !== 'assistant') return state;
  return { ...state, messages: state.messages.with(index, update(reply)) };
}

/** The messages with one more at the end, or instead of an earlier version of it. */
function withMessage(messages: readonly MessageView[], message: MessageView): readonly MessageView[] {
  const index = messages.findLastIndex(({ id }) => id === message.id);
  return index < 0 ? [...messages, message] : messages.with(index, message);
}

/** `first` and then `second`, each ID once: at its first position, with its last value. */
function mergeById(first: readonly MessageView[], second: readonly MessageView[]): readonly MessageView[] {
  const byId = new Map<string, MessageView>();
  for (const message of first) byId.set(message.id, message);
  for (const message of second) byId.set(message.id, message);
  return [...byId.values()];
}

/** What a user changes with a problem's button; undefined if this page doesn't know. */
const changedBy: Readonly<Record<ProblemActionKind, 'connection' | 'model' | 'options' | undefined>> = {
  setApiKey: 'connection',
  setBaseUrl: 'connection',
  findLocalServices: 'connection',
  useKeyForThisHost: 'connection',
  useNoKey: 'connection',
  useHttps: 'connection',
  selectModel: 'model',
  useModel: 'model',
  openParameters: 'options',
  changeField: undefined,
  retry: undefined,
  continue: undefined,
  openKeysPage: undefined,
  openCreditsPage: undefined,
  openInferenceLogPage: undefined,
  newChat: undefined,
  summarize: undefined,
  leaveOutEarliest: undefined,
  testConnection: undefined,
  openProxySettings: undefined,
  openSettings: undefined,
  showLog: undefined,
};

/**
 * Whether something that a problem asked the user to change has changed, anywhere, so that the problem might be solved.
 * If it isn't, the next attempt shows it again.
 */
function isSettled(problem: Problem, before: ChatState, now: ChatState): boolean {
  return problem.actions.some(({ kind }) => {
    const part = changedBy[kind];
    if (part === undefined || contentOf[part](before) === contentOf[part](now)) return false;
    // The news that something is missing can arrive after the refusal that it caused.
    return part !== 'connection' || !isReady(before) || isReady(now);
  });
}

function isReady({ connection }: ChatState): boolean {
  return connection.state === 'ready' && connection.problem === undefined;
}

const contentOf = {
  connection: ({ connection }: ChatState) => JSON.stringify(connection),
  model: modelOf,
  options: ({ defaults, options }: ChatState) => JSON.stringify({ ...defaults, ...options }),
};
