import type { Picture, PictureLink } from './pictures/readPictures.ts';
import { checkToolFields, readTools, type ToolDefinition } from './toolFields.ts';
import {
  invalid,
  isObject,
  type JsonObject,
  readBodyObject,
  readBoolean,
  readModelName,
  readRequiredText,
} from './requestFields.ts';

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** For content in parts: its texts, one per line. */
  readonly content: string;
  /** For content in parts; absent if the content is a string. */
  readonly pictures?: readonly PictureLink[];
}

/** A checked request body (spec, ChatRequest), with the specification's defaults filled in. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly stream: boolean;
  /** Empty if the model may not call any. */
  readonly tools: readonly ToolDefinition[];
  readonly mustCallTool: boolean;
  /** All images in the messages, once they were read. */
  readonly pictures?: readonly Picture[];
}

const roles = ['system', 'user', 'assistant', 'tool'] as const;
const highestTemperature = 2;

/** @throws {ServiceError} 400 with the name of the first offending field. Unknown fields are ignored. */
export function parseChatRequest(body: unknown): ChatRequest {
  const fields = readBodyObject(body);
  checkSampling(fields);
  return {
    model: readModelName(fields['model']),
    messages: readMessages(fields['messages']),
    maxTokens: readMaxTokens(fields['max_tokens']),
    stream: readBoolean('stream', fields['stream'], true),
    ...readTools(fields),
  };
}

function readMessages(value: unknown): readonly ChatMessage[] {
  if (value === undefined) throw invalid('messages', 'is required.');
  if (!Array.isArray(value)) throw invalid('messages', 'must be an array.');
  if (value.length === 0) throw invalid('messages', 'must hold at least one message.');
  return value.map((message: unknown, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(value: unknown, param: string): ChatMessage {
  if (!isObject(value)) throw invalid(param, 'must be an object.');
  const role = roles.find((known) => known === value['role']);
  if (!role) throw invalid(`${param}.role`, `must be one of ${roles.join(', ')}.`);
  checkToolFields(value, role, param);
  // A message with a tool call doesn't need text.
  const content =
    role === 'assistant' && value['tool_calls'] !== undefined ? (value['content'] ?? '') : value['content'];
  return { role, ...readContent(content, `${param}.content`) };
}

function readContent(value: unknown, param: string): Omit<ChatMessage, 'role'> {
  if (typeof value === 'string') return { content: value };
  if (!Array.isArray(value)) throw invalid(param, 'must be a string, or an array of parts.');
  const parts = value.map((part: unknown, index) => readPart(part, `${param}[${index}]`));
  return {
    content: parts.flatMap((part) => (typeof part === 'string' ? [part] : [])).join('\n'),
    pictures: parts.filter((part) => typeof part !== 'string'),
  };
}

/** A text, or the URL of an image. */
function readPart(value: unknown, param: string): string | PictureLink {
  if (!isObject(value)) throw invalid(param, 'must be an object.');
  switch (value['type']) {
    case 'text': {
      const text = value['text'];
      if (typeof text !== 'string') throw invalid(`${param}.text`, 'must be a string.');
      return text;
    }
    case 'image_url': {
      const picture = value['image_url'];
      if (!isObject(picture)) throw invalid(`${param}.image_url`, 'must be an object.');
      const urlParam = `${param}.image_url.url`;
      return { url: readRequiredText(urlParam, picture['url']), param: urlParam };
    }
    default:
      throw invalid(`${param}.type`, 'must be text or image_url.');
  }
}

function readMaxTokens(value: unknown): number {
  if (value === undefined) return 4096;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw invalid('max_tokens', 'must be an integer of at least 1.');
  }
  return value;
}

/** Nothing is sampled here, but a value out of range is refused as in any service. */
function checkSampling({ temperature = 0, top_p: topP = 1 }: JsonObject): void {
  if (typeof temperature !== 'number' || temperature < 0 || temperature > highestTemperature) {
    throw invalid('temperature', `must be a number from 0 to ${highestTemperature}.`);
  }
  if (typeof topP !== 'number' || topP <= 0 || topP > 1) {
    throw invalid('top_p', 'must be a number above 0 and at most 1.');
  }
}
