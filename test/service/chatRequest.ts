import { ServiceError } from './serviceError.ts';

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A checked request body (spec, ChatRequest), with the specification's defaults filled in. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  readonly stream: boolean;
}

const roles = ['system', 'user', 'assistant'] as const;
const highestTemperature = 2;

/** @throws {ServiceError} 400 with the name of the first offending field. Unknown fields are ignored. */
export function parseChatRequest(body: unknown): ChatRequest {
  if (!isObject(body)) throw new ServiceError(400, 'The body must be a JSON object.');
  return {
    model: readModel(body['model']),
    messages: readMessages(body['messages']),
    maxTokens: readMaxTokens(body['max_tokens']),
    temperature: readTemperature(body['temperature']),
    topP: readTopP(body['top_p']),
    stream: readStream(body['stream']),
  };
}

function readModel(value: unknown): string {
  if (value === undefined) throw invalid('model', 'is required.');
  if (typeof value !== 'string' || value === '') throw invalid('model', 'must be a string that is not empty.');
  return value;
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
  const content = value['content'];
  if (typeof content !== 'string') throw invalid(`${param}.content`, 'must be a string.');
  return { role, content };
}

function readMaxTokens(value: unknown): number {
  if (value === undefined) return 4096;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw invalid('max_tokens', 'must be an integer of at least 1.');
  }
  return value;
}

function readTemperature(value: unknown): number {
  if (value === undefined) return 0.7;
  if (typeof value !== 'number' || value < 0 || value > highestTemperature) {
    throw invalid('temperature', `must be a number from 0 to ${highestTemperature}.`);
  }
  return value;
}

function readTopP(value: unknown): number {
  if (value === undefined) return 1;
  if (typeof value !== 'number' || value <= 0 || value > 1) {
    throw invalid('top_p', 'must be a number above 0 and at most 1.');
  }
  return value;
}

function readStream(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'boolean') throw invalid('stream', 'must be true or false.');
  return value;
}

function invalid(param: string, problem: string): ServiceError {
  return new ServiceError(400, `${param} ${problem}`, { param });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
