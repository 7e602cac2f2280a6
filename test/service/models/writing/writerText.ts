import type { ChatRequest } from '../../chatRequest.ts';
import { countTokens, tokensOf } from '../../tokenizer.ts';
import { essay } from './essay.ts';
import { Sampler } from './sampler.ts';
import type { Topic } from './topic.ts';
import { topics } from './topics.ts';

/** An answer that no number was asked for ends with the block that reaches this many tokens. */
const usualTokens = 400;

/**
 * The writer's reply: Markdown about the topic that the last user message asks for. A number of
 * tokens in the message is the exact count wanted, `1,000` and `1_000` included; in one line of words any number is. The text is decided by the
 * messages, the temperature and top_p, and by nothing else.
 */
export function* writerText(request: ChatRequest): Generator<string, void, undefined> {
  const question = lastUserMessage(request);
  const sampler = new Sampler({
    seed: JSON.stringify(request.messages),
    temperature: request.temperature,
    topP: request.topP,
  });
  const blocks = essay(topics, askedTopic(question, sampler), sampler);
  const wanted = wantedTokens(question);
  yield* wanted === undefined ? wholeBlocks(blocks, usualTokens) : exactly(blocks, wanted);
}

/** Content of the last user message, or of the last message where no user speaks. */
export function lastUserMessage({ messages }: ChatRequest): string {
  return (messages.findLast(({ role }) => role === 'user') ?? messages.at(-1))?.content ?? '';
}

/** In a message that holds code or more than a line, a number alone is most likely about something else. */
function wantedTokens(question: string): number | undefined {
  const named = /(\d[\d,_]*)\s*(?:more\s+)?tokens?\b/.exec(question)?.[1];
  const digits = named ?? (/[`\n]/.test(question) ? undefined : /\d[\d,_]*/.exec(question)?.[0]);
  return digits === undefined ? undefined : Number(digits.replace(/[,_]/g, ''));
}

/** The topic with the most of its keywords in the question; where none fits, a chosen one. */
function askedTopic(question: string, sampler: Sampler): Topic {
  const words = new Set(question.toLowerCase().match(/[a-z+#]+/g));
  const fits = (topic: Topic): number => topic.keywords.filter((keyword) => words.has(keyword)).length;
  const best = topics.toSorted((left, right) => fits(right) - fits(left))[0];
  return best && fits(best) > 0 ? best : sampler.pick(topics);
}

function* wholeBlocks(blocks: Iterable<string>, tokens: number): Generator<string, void, undefined> {
  let written = 0;
  let held = '';
  for (const block of blocks) {
    // A heading is held back until something stands below it.
    held += block;
    if (block.startsWith('#')) continue;
    written += countTokens(held);
    if (written >= tokens) {
      yield held.trimEnd();
      return;
    }
    yield held;
    held = '';
  }
}

function* exactly(blocks: Iterable<string>, tokens: number): Generator<string, void, undefined> {
  let left = tokens;
  for (const block of blocks) {
    for (const token of tokensOf(block)) {
      if (left === 0) return;
      left -= 1;
      yield token;
    }
  }
}
