import type { ErrorEnvelope } from '../shared/apiFailure.ts';
import { cleanRequestId } from './requestId.ts';
import type { ServiceMetrics, Usage } from './types.ts';

/** Readers of unknown JSON. None of them throws, whatever comes. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What some services put into `error` when there is none. */
const noErrors: ReadonlySet<unknown> = new Set([undefined, null, false, '']);

/** Whether a reply or an answer says that it is an error. */
export function hasError(json: JsonObject): boolean {
  return !noErrors.has(json['error']);
}

/** Undefined in place of an exception: no JSON text has that value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts and durations are finite and not negative; anything else is as good as missing. */
export function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Spec, Usage. Undefined when nothing usable is in it. */
export function decodeUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const promptTokens = amount(value['prompt_tokens']);
  const completionTokens = amount(value['completion_tokens']);
  const totalTokens = amount(value['total_tokens']);
  if (promptTokens === undefined && completionTokens === undefined && totalTokens === undefined) return undefined;
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(completionTokens === undefined ? {} : { completionTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}

/** Spec, Metrics (`x_metrics`). Undefined when nothing usable is in it. */
export function decodeMetrics(value: unknown): ServiceMetrics | undefined {
  if (!isObject(value)) return undefined;
  const ttftSeconds = amount(value['ttft_seconds']);
  const tokensPerSecond = amount(value['tps']);
  const totalTimeSeconds = amount(value['total_time_seconds']);
  if (ttftSeconds === undefined && tokensPerSecond === undefined && totalTimeSeconds === undefined) return undefined;
  return {
    ...(ttftSeconds === undefined ? {} : { ttftSeconds }),
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
    ...(totalTimeSeconds === undefined ? {} : { totalTimeSeconds }),
  };
}

/** What one choice of a reply, streamed or whole, adds. */
export interface ChoicePart {
  readonly text: string;
  readonly reasoning: string;
  /** `tool_calls` as it came. */
  readonly toolCalls: unknown;
  readonly finishReason?: string;
  /** The text came as `message`, the form of a whole reply. */
  readonly isMessage: boolean;
}

/** The first choice, in every form that services were seen to send; undefined when there is none. */
export function decodeChoice(reply: JsonObject): ChoicePart | undefined {
  const { choices } = reply;
  if (!Array.isArray(choices)) return undefined;
  const choice: unknown = choices.find((each: unknown) => isObject(each) && (each['index'] ?? 0) === 0);
  if (!isObject(choice)) return undefined;
  const { delta, message } = choice;
  const isMessage = !isObject(delta) && isObject(message);
  const part = isObject(delta) ? delta : isObject(message) ? message : {};
  const finishReason = nonEmptyString(choice['finish_reason']);
  return {
    text: contentText(part['content']) || (isMessage ? '' : (nonEmptyString(choice['text']) ?? '')),
    reasoning: nonEmptyString(part['reasoning_content']) ?? nonEmptyString(part['reasoning']) ?? '',
    toolCalls: part['tool_calls'],
    isMessage,
    ...(finishReason === undefined ? {} : { finishReason }),
  };
}

/** `content` is a string, or a list of parts of which the texts count. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) ? (nonEmptyString(part['text']) ?? '') : '')).join('');
}

/**
 * The fields of an error body, from the envelope and from every broken form of it: a bare string,
 * `detail`, a `message` at the top, an `errors` list.
 *
 * @param body parsed JSON.
 * @param headerRequestId used where the body names none.
 */
export function decodeErrorEnvelope(body: unknown, headerRequestId?: string): ErrorEnvelope {
  const top = isObject(body) ? body : {};
  const error = top['error'];
  const inner = isObject(error) ? error : top;
  const requestId = cleanRequestId(inner['request_id']) ?? cleanRequestId(top['request_id']) ?? headerRequestId;
  const type = shortText(inner['type']);
  const code = shortText(inner['code']);
  const param = shortText(inner['param']);
  return {
    message: errorMessage(body),
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Message texts are drawn, so they are bounded. */
const messageLimit = 2000;

function errorMessage(body: unknown): string {
  return (bestText(body, 0) ?? '').slice(0, messageLimit);
}

const textFields = ['message', 'error', 'detail', 'msg', 'error_message', 'error_description', 'errors', 'title'];

/** Looks no deeper than the broken forms go: JSON can be nested without end. */
function bestText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim();
  if (depth > 4) return undefined;
  if (Array.isArray(value)) return bestText(value[0], depth + 1);
  if (!isObject(value)) return undefined;
  if (isObject(value['error'])) {
    const inner = bestText(value['error'], depth + 1);
    if (inner !== undefined) return inner;
  }
  for (const field of textFields) {
    const text = bestText(value[field], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

function shortText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return nonEmptyString(value)?.slice(0, 200);
}
