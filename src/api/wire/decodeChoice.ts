import { isObject, nonEmptyString, shownWord, type JsonObject } from './decode.ts';

/** What one choice of a reply, streamed or whole, adds. */
export interface ChoicePart {
  readonly index: number;
  /** A refusal that came in a field of its own is text too. */
  readonly text: string;
  readonly reasoning: string;
  /** `tool_calls` as it came. */
  readonly toolCalls: unknown;
  readonly finishReason?: string;
  /** `usage` as it came: some services count here. */
  readonly usage: unknown;
  /** The text came as `message`, the form of a whole reply. */
  readonly isMessage: boolean;
  /** The text is why the model declined, not what was asked for. */
  readonly isRefusal: boolean;
}

/**
 * The choice of this index, in every form that services were seen to send; undefined when there is none.
 *
 * @param index of the choice that a stream began with; undefined takes the one with the lowest index.
 */
export function decodeChoice(reply: JsonObject, index?: number): ChoicePart | undefined {
  const choices = choicesOf(reply['choices']);
  const lowest = Math.min(...choices.map(indexOf));
  const choice = choices.find((each) => indexOf(each) === (index ?? lowest));
  if (choice === undefined) return undefined;
  const { delta, message } = choice;
  const isMessage = !isObject(delta) && isObject(message);
  const part = isObject(delta) ? delta : isObject(message) ? message : {};
  const content = contentOf(part['content']);
  const refusal = nonEmptyString(part['refusal']) ?? '';
  const finishReason = finishReasonOf(choice['finish_reason']);
  return {
    index: indexOf(choice),
    text: content.text || refusal || (isMessage ? '' : (nonEmptyString(choice['text']) ?? '')),
    reasoning:
      nonEmptyString(part['reasoning_content']) ??
      nonEmptyString(part['reasoning']) ??
      (content.reasoning || reasoningDetails(part['reasoning_details'])),
    toolCalls: part['tool_calls'],
    usage: choice['usage'],
    isMessage,
    isRefusal: refusal !== '',
    ...(finishReason === undefined ? {} : { finishReason }),
  };
}

/** A list, one choice without its list, or an object whose keys are the indexes. */
function choicesOf(choices: unknown): readonly JsonObject[] {
  if (Array.isArray(choices)) return choices.filter(isObject);
  if (!isObject(choices)) return [];
  const isChoice = ['delta', 'message', 'text', 'finish_reason'].some((field) => field in choices);
  return isChoice ? [choices] : Object.values(choices).filter(isObject);
}

function indexOf({ index }: JsonObject): number {
  const value = typeof index === 'string' ? Number(index) : index;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : 0;
}

/** Bounded here, because it is shown wherever a reply is. Some services write `"null"` for none. */
function finishReasonOf(value: unknown): string | undefined {
  const reason = shownWord(value);
  return reason === 'null' || reason === 'None' ? undefined : reason;
}

/** `content` is a string, or a list of strings and parts: of these the texts count, and what a model thought. */
function contentOf(content: unknown): { readonly text: string; readonly reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' };
  const parts: readonly unknown[] = Array.isArray(content) ? content : isObject(content) ? [content] : [];
  let text = '';
  let reasoning = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    if (!isObject(part)) continue;
    text += nonEmptyString(part['text']) ?? nonEmptyString(part['refusal']) ?? '';
    const { thinking } = part;
    reasoning += typeof thinking === 'string' ? thinking : contentTexts(thinking);
  }
  return { text, reasoning };
}

function contentTexts(parts: unknown): string {
  if (!Array.isArray(parts)) return '';
  return parts.map((part: unknown) => (isObject(part) ? (nonEmptyString(part['text']) ?? '') : '')).join('');
}

/** What some gateways send in place of `reasoning`; parts that are encrypted have no text. */
function reasoningDetails(details: unknown): string {
  if (!Array.isArray(details)) return '';
  return details
    .map((part: unknown) =>
      isObject(part) ? (nonEmptyString(part['text']) ?? nonEmptyString(part['summary']) ?? '') : '',
    )
    .join('');
}
