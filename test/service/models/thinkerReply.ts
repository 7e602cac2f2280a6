import type { ChatRequest } from '../chatRequest.ts';
import { countTokens } from '../tokenizer.ts';
import type { ReplyPart } from './modelDefinition.ts';
import { lastUserMessage, writerText } from './writing/writerText.ts';

/** Reasoning that states only facts about the request, then the writer's text. */
export function* thinkerReply(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  const question = lastUserMessage(request);
  const number = /\d+/.exec(question)?.[0];
  const system = request.messages.filter(({ role }) => role === 'system').length;
  const steps = [
    `This conversation has ${count(request.messages.length, 'message')}, ${system} of them from the system.`,
    `The last question has ${count(countTokens(question), 'token')} and ${question.includes('?') ? 'a' : 'no'} question mark.`,
    number === undefined
      ? 'It doesn’t name a number, so an answer of the usual length will do.'
      : `It names the number ${number}, so the answer should have exactly that many tokens.`,
    'I’ll start with what goes wrong, then show the code, then say what to watch out for.',
  ];
  for (const step of steps) yield { part: 'reasoning', text: `${step}\n` };
  for (const text of writerText(request)) yield { part: 'text', text };
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
