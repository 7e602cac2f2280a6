import { nonEmptyString, shownWord, type JsonObject } from './decode.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** What one choice of a streamed or whole reply adds. */
export interface ChoicePart {
  readonly index: number;
  /** Includes a refusal that arrived in its own field. */
  readonly text: string;
  readonly reasoning: string;
  /** `reasoning_content`, if the service has that field: some expect it back. */
  readonly reasoningContent: string | undefined;
  /** `reasoning_details`, unchanged: OpenRouter expects them back. */
  readonly reasoningDetails: unknown;
  /** `tool_calls`, unchanged. */
  readonly toolCalls: unknown;
  readonly finishReason: string | undefined;
  /** `usage`, unchanged: some services send it here. */
  readonly usage: unknown;
  /** The text arrived as `message`, the form of a whole reply. */
  readonly isMessage: boolean;
  /** The text explains why the model declined. */
  readonly isRefusal: boolean;
}

/**
 * The choice with this index, in every form that services have been seen to send; undefined if there's none.
 * @param index of the choice that a stream started with; undefined takes the one with the lowest index.
 */
export function decodeChoice(reply: JsonObject, index?: number): ChoicePart | undefined {
  const choice = chosen(choicesOf(reply['choices']), index);
  if (choice === undefined) return undefined;
  const { delta, message } = choice;
  const isMessage = !isRecord(delta) && isRecord(message);
  const part = isRecord(delta) ? delta : isRecord(message) ? message : {};
  const content = contentOf(part['content']);
  const refusal = nonEmptyString(part['refusal']) ?? '';
  return {
    index: indexOf(choice),
    text: content.text || refusal || (isMessage ? '' : (nonEmptyString(choice['text']) ?? '')),
    reasoning:
      nonEmptyString(part['reasoning_content']) ??
      nonEmptyString(part['reasoning']) ??
      (content.reasoning || textsOfDetails(part['reasoning_details'])),
    reasoningContent: typeof part['reasoning_content'] === 'string' ? part['reasoning_content'] : undefined,
    reasoningDetails: part['reasoning_details'],
    toolCalls: part['tool_calls'],
    usage: choice['usage'],
    isMessage,
    isRefusal: refusal !== '',
    finishReason: finishReasonOf(choice['finish_reason']),
  };
}

/** The first one with this index, or with the lowest. */
function chosen(choices: readonly unknown[], index: number | undefined): JsonObject | undefined {
  let lowest: JsonObject | undefined;
  for (const choice of choices) {
    if (!isRecord(choice)) continue;
    if (indexOf(choice) === index) return choice;
    if (lowest === undefined || indexOf(choice) < indexOf(lowest)) lowest = choice;
  }
  return index === undefined ? lowest : undefined;
}

/** A list, a single choice, or an object whose keys are the indexes. */
function choicesOf(choices: unknown): readonly unknown[] {
  if (Array.isArray(choices)) return choices;
  if (!isRecord(choices)) return [];
  const isChoice = ['delta', 'message', 'text', 'finish_reason'].some((field) => field in choices);
  return isChoice ? [choices] : Object.values(choices);
}

function indexOf({ index }: JsonObject): number {
  const value = typeof index === 'string' ? Number(index) : index;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** Bounded here, because it's shown next to every reply. Some services write `"null"` for none. */
function finishReasonOf(value: unknown): string | undefined {
  const reason = shownWord(value);
  return reason === 'null' || reason === 'None' ? undefined : reason;
}

/** `content` is a string, or a list of strings and parts. Of these, text and reasoning count. */
function contentOf(content: unknown): { readonly text: string; readonly reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  const parts: readonly unknown[] = Array.isArray(content) ? content : isRecord(content) ? [content] : [];
  let text = '';
  let reasoning = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    if (!isRecord(part)) continue;
    text += nonEmptyString(part['text']) ?? nonEmptyString(part['refusal']) ?? '';
    const { thinking } = part;
    reasoning += typeof thinking === 'string' ? thinking : contentTexts(thinking);
  }
  return { text, reasoning };
}

function contentTexts(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts.map((part: unknown) => (isRecord(part) ? (nonEmptyString(part['text']) ?? '') : '')).join('');
}

/** What some gateways send instead of `reasoning`. Encrypted parts have no text. */
function textsOfDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details
    .map((part: unknown) =>
      isRecord(part) ? (nonEmptyString(part['text']) ?? nonEmptyString(part['summary']) ?? '') : '',
    )
    .join('');
}
