import type { ChatRequest } from '../../chatRequest.ts';
import { seededRandom } from '../../seededRandom.ts';
import { tokensOf } from '../../tokenizer.ts';
import { codeReply } from './codeReply.ts';
import { loopAnswer } from './loopAnswer.ts';

/** The number of sections in a reply if no number of tokens was requested. */
const usualSections = 2;

/**
 * The writer's reply in Markdown. A number of tokens in the last user message is the exact count, including `1,000` and
 * `1_000`; in a message of one line, any number is. A message that asks for nothing but code gets nothing else.
 * Only the messages determine the text.
 */
export function* writerText({ messages }: ChatRequest): Generator<string, void, undefined> {
  const question = lastUserMessage({ messages });
  const random = seededRandom(JSON.stringify(messages));
  const wanted = wantedTokens(question);
  if (wanted === undefined) yield codeReply(question) ?? answer(question, random, usualSections).join('\n\n');
  else yield* exactly(wanted, () => `${answer(question, random).join('\n\n')}\n\n`);
}

/** Content of the last user message, or of the last message if there's none. */
export function lastUserMessage({ messages }: Pick<ChatRequest, 'messages'>): string {
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content ?? '';
}

/** In a message with code or several lines, a bare number is most likely about something else. */
function wantedTokens(question: string): number | undefined {
  const named = /(\d[\d,_]*)\s*(?:more\s+)?tokens?\b/.exec(question)?.[1];
  const digits = named ?? (/[`\n]/.test(question) ? undefined : /\d[\d,_]*/.exec(question)?.[0]);
  return digits === undefined ? undefined : Number(digits.replace(/[,_]/g, ''));
}

/** Markdown blocks that end with a full sentence. */
function answer(question: string, random: () => number, mostSections = Infinity): string[] {
  const { asksForIt, remark, openings, code, sections, closing } = loopAnswer;
  const opening = openings[Math.floor(random() * openings.length)] ?? openings[0];
  const shuffled = sections
    .map((section) => ({ section, place: random() }))
    .toSorted((left, right) => left.place - right.place)
    .slice(0, mostSections);
  return [
    ...(asksForIt.test(question) ? [] : [remark]),
    opening,
    ...code,
    ...shuffled.flatMap(({ section }) => section),
    closing,
  ];
}

/** As many replies as needed, cut off after the last token. */
function* exactly(tokens: number, write: () => string): Generator<string, void, undefined> {
  let left = tokens;
  while (left > 0) {
    for (const token of tokensOf(write())) {
      if (left === 0) return;
      left -= 1;
      yield token;
    }
  }
}
