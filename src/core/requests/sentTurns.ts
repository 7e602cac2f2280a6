import type { NamedValue, SentTurn } from '../../shared/protocol/requestProtocol.ts';
import { inline } from '../../words/inline.ts';
import { readContextBlocks } from '../chat/contextBlock.ts';
import type { ReceivedBody, SentBody } from './requestBody.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** The parts of a request: the last question, the messages before it, and the options. */
export interface SentTurns {
  readonly system?: SentTurn;
  readonly earlier: readonly SentTurn[];
  readonly question?: SentTurn;
  readonly parameters: readonly NamedValue[];
}

const longestValue = 200;
/** Fields that are shown as the question. */
const askedFields: ReadonlySet<string> = new Set(['model', 'messages', 'prompt', 'positive_prompt']);

/** Reads a body as far as possible. It might be from another version, or for a service with its own fields. */
export function sentTurns(sent: SentBody | undefined): SentTurns {
  const body = recordOf(sent?.body);
  const parameters = Object.entries(body)
    .filter(([name]) => !askedFields.has(name))
    .map(([name, value]) => ({ name: inline(name.replaceAll('_', ' '), 64), value: valueText(value) }));
  const asked = body['prompt'] ?? body['positive_prompt'];
  if (typeof asked === 'string') return { earlier: [], question: turn('user', asked, 0), parameters };
  const turns = itemsOf(body['messages']).map(turnOf);
  const system = turns.find(({ role }) => role === 'system');
  const last = turns.findLastIndex(({ role }) => role === 'user');
  const question = turns[last];
  return {
    ...(system !== undefined && { system }),
    earlier: turns.filter((each, index) => each !== system && index !== last),
    ...(question !== undefined && { question }),
    parameters,
  };
}

/** The text of a reply, its reasoning, and its tool calls. */
export function receivedParts(response: ReceivedBody | undefined): {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly NamedValue[];
} {
  const message = recordOf(recordOf(itemsOf(response?.['choices'])[0])['message']);
  const calls = itemsOf(message['tool_calls']).map((call) => {
    const { name, arguments: input } = recordOf(recordOf(call)['function']);
    return { name: stringOf(name), value: stringOf(input) };
  });
  // A transcript is a separate text.
  return {
    text: stringOf(message['content']) || stringOf(response?.['text']),
    reasoning: stringOf(message['reasoning_content']),
    calls,
  };
}

/** What two replies are compared by: the text and the tool calls, without the reasoning. */
export function comparedText({ text, calls }: ReturnType<typeof receivedParts>): string {
  const parts = [text, ...calls.map(({ name, value }) => `${name}\n${value}`)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function turnOf(message: unknown): SentTurn {
  const { role, content } = recordOf(message);
  const known = role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';
  if (typeof content === 'string') return turn(known, content, 0);
  const parts = itemsOf(content).map(recordOf);
  const text = parts.map((part) => stringOf(part['text'])).filter((each) => each !== '');
  return turn(known, text.join('\n\n'), parts.filter(({ type }) => type === 'image_url').length);
}

function turn(role: SentTurn['role'], text: string, pictures: number): SentTurn {
  const { pieces, words } = role === 'user' ? readContextBlocks(text) : { pieces: [], words: text };
  return { role, words, pieces: pieces.map(({ heading, text: content }) => ({ heading, text: content })), pictures };
}

function valueText(value: unknown): string {
  return inline(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), longestValue);
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
