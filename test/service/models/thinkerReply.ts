import type { ChatRequest } from '../chatRequest.ts';
import { countTokens } from '../tokenizer.ts';
import type { ReplyPart } from './modelDefinition.ts';
import { lastUserMessage, writerText } from './writing/writerText.ts';

/** Reasoning that says only what is true of the request, then the writer's text. */
export function* thinkerReply(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  const question = lastUserMessage(request);
  const number = /\d+/.exec(question)?.[0];
  const system = request.messages.filter(({ role }) => role === 'system').length;
  const steps = [
    `The conversation has ${request.messages.length} messages, and ${system} of them from the system.`,
    `The last question has ${countTokens(question)} tokens and ${question.includes('?') ? 'a' : 'no'} question mark.`,
    number === undefined
      ? 'It names no number, so an answer of the usual length will do.'
      : `It names the number ${number}, so the answer is to have that many tokens.`,
    'I look for the topic that shares the most words with the question.',
    'The answer should open with what to do, then show code, then say what to know about it.',
  ];
  for (const step of steps) yield { part: 'reasoning', text: `${step}\n` };
  for (const text of writerText(request)) yield { part: 'text', text };
}
