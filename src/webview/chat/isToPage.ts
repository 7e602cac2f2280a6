import type { ToPage } from '../../shared/chatProtocol.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const object =
  (fields: Fields): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

const options = object({
  model: maybe(text),
  systemPrompt: maybe(text),
  maxTokens: maybe(number),
  temperature: maybe(number),
  topP: maybe(number),
  stream: maybe(flag),
});

const figure = maybe(object({ value: number, from: oneOf('service', 'here', 'estimate') }));
const metrics = object({
  timeToFirstTokenSeconds: figure,
  tokensPerSecond: figure,
  totalSeconds: figure,
  promptTokens: figure,
  completionTokens: figure,
});

// A record over the kinds, so that a new one does not compile until it is here.
const actionKinds: Readonly<Record<ProblemActionKind, true>> = {
  retry: true,
  continue: true,
  setApiKey: true,
  setBaseUrl: true,
  useKeyForThisHost: true,
  openKeysPage: true,
  openCreditsPage: true,
  openInferenceLogPage: true,
  selectModel: true,
  useModel: true,
  openParameters: true,
  newChat: true,
  testConnection: true,
  openProxySettings: true,
  openSettings: true,
  showLog: true,
};

const problem = object({
  severity: oneOf('error', 'warning'),
  title: text,
  detail: text,
  actions: listOf(object({ kind: oneOf(...Object.keys(actionKinds)), label: text, model: maybe(text) })),
  technical: text,
  requestId: maybe(text),
  retryAt: maybe(number),
});

const replyChange: Fields = {
  state: oneOf('running', 'elsewhere', 'done', 'incomplete', 'stopped', 'failed', 'interrupted'),
  metrics,
  finishReason: maybe(text),
  requestId: maybe(text),
  problem: maybe(problem),
  retry: maybe(object({ attempt: number, at: number, reason: text })),
};

const userMessage = object({ id: text, at: number, text });
const reply = object({ id: text, at: number, model: text, text, reasoning: text, ...replyChange });
const message: Check = (value) =>
  isRecord(value) && (value['role'] === 'user' ? userMessage(value) : value['role'] === 'assistant' && reply(value));

const connection = object({
  state: oneOf('ready', 'needsBaseUrl', 'needsApiKey', 'needsModel'),
  problem: maybe(problem),
  host: text,
});

const snapshot = object({
  conversationId: text,
  title: text,
  messages: listOf(message),
  hasOlder: flag,
  options,
  defaults: options,
  draft: text,
  connection,
  suggestions: listOf(object({ id: text, label: text })),
});

const checks: Readonly<Record<ToPage['type'], Check>> = {
  snapshot: object({ snapshot }),
  olderMessages: object({ messages: listOf(message), hasOlder: flag }),
  messageAdded: object({ message }),
  replyGrew: object({ replyId: text, part: oneOf('text', 'reasoning'), offset: number, text }),
  replyChanged: object({ replyId: text, change: object(replyChange) }),
  messagesRemoved: object({ ids: listOf(text), canRestore: flag }),
  titleChanged: object({ title: text }),
  optionsChanged: object({ options, defaults: options }),
  connectionChanged: object({ connection }),
  draftSet: object({ text }),
  composerFocused: object({}),
  parametersOpened: object({}),
  askRefused: object({ text, problem }),
};

/** Whether this is a message of the protocol, whole and well formed. */
export function isToPage(value: unknown): value is ToPage {
  if (!isRecord(value) || !number(value['seq'])) return false;
  const type = value['type'];
  return typeof type === 'string' && isType(type) && checks[type](value);
}

function isType(type: string): type is ToPage['type'] {
  return Object.hasOwn(checks, type);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
