import { contextKinds } from '../../../shared/attachment.ts';
import type { ToPage } from '../../../shared/chatProtocol.ts';
import {
  type Check,
  type Fields,
  flag,
  isRecord,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  problem,
  text,
} from '../../kit/shapeCheck.ts';

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

const replyChange: Fields = {
  state: oneOf('running', 'elsewhere', 'done', 'incomplete', 'stopped', 'failed', 'interrupted'),
  metrics,
  finishReason: maybe(text),
  answeredBy: maybe(text),
  requestId: maybe(text),
  problem: maybe(problem),
  retry: maybe(object({ attempt: number, at: number, reason: text })),
};

const contextKind = oneOf(...contextKinds);
const pictureType = oneOf('image/png', 'image/jpeg', 'image/webp', 'image/gif');
const attachmentFacts: Fields = { id: text, name: text, detail: text, tokens: number, at: number };
const context = object({ kind: contextKind, ...attachmentFacts });
const picture = object({
  mediaType: pictureType,
  width: number,
  height: number,
  bytes: number,
  ...attachmentFacts,
});
const attachment: Check = (value) => isRecord(value) && (value['kind'] === 'picture' ? picture(value) : context(value));
const attachments = object({
  items: listOf(attachment),
  conversationTokens: number,
  contextWindow: maybe(number),
  seesPictures: maybe(flag),
  maxPictureEdge: number,
  folder: text,
});

const userMessage = object({ id: text, at: number, text, attachments: maybe(listOf(attachment)) });
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
  attachments,
  unsaved: maybe(problem),
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
  draftAdded: object({ text }),
  draftSaved: object({ conversationId: text, version: number }),
  attachmentsChanged: object({ attachments }),
  notAdded: object({ id: text, problem: maybe(problem) }),
  pictureRead: object({ id: text, name: text, mediaType: pictureType, bytes: (value) => value instanceof Uint8Array }),
  completions: object({
    request: number,
    items: listOf(object({ id: text, kind: contextKind, label: text, detail: text })),
  }),
  composerFocused: object({}),
  copied: object({}),
  parametersOpened: object({}),
  askRefused: object({ text, problem }),
  unsavedChanged: object({ unsaved: maybe(problem) }),
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
