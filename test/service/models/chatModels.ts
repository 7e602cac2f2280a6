import type { ChatRequest } from '../chatRequest.ts';
import type { ModelDefinition, ReplyPart } from './modelDefinition.ts';
import { callerReply } from './callerReply.ts';
import { thinkerReply } from './thinkerReply.ts';
import { visionReply } from './visionReply.ts';
import { writerText } from './writing/writerText.ts';
import { writingModel } from './writingModel.ts';

const longId =
  'local/an-echo-with-a-name-so-long-that-it-fits-into-no-picker-no-status-bar-and-no-heading-of-a-reply-v2.1-instruct';

/** The models that respond correctly. */
export function chatModels(): readonly ModelDefinition[] {
  return [
    writingModel(
      'local/writer',
      'Writes Markdown about programming, the same for the same question; `300 tokens` in the question is the exact count. Asked for nothing but code, it returns it corrected.',
      { reply: write },
    ),
    writingModel('local/echo', 'Repeats the last user message.'),
    writingModel('local/thinker', 'Thinks aloud in reasoning_content, then writes like local/writer.', {
      reply: thinkerReply,
    }),
    writingModel('local/fast', 'Writes like local/writer, as fast as the reader reads.', {
      reply: write,
      pace: { tokensPerSecond: Infinity, firstTokenDelayMs: 0 },
    }),
    writingModel('local/slow', 'Writes like local/writer: 2 s to the first token, then 8 tokens a second.', {
      reply: write,
      pace: { tokensPerSecond: 8, firstTokenDelayMs: 2000 },
    }),
    writingModel('local/plain', 'Writes like local/writer, and sends neither usage nor metrics.', {
      reply: write,
      sendsFigures: false,
    }),
    writingModel('local/small', 'Repeats the last user message; its context window is 256 tokens.', {
      contextWindow: 256,
      maxOutputTokens: 256,
    }),
    writingModel(longId, `Repeats the last user message; its ID is ${longId.length} characters long.`),
    writingModel('local/vision', 'Lists the images it was given (format, size, bytes), then repeats the text.', {
      reply: visionReply,
      sees: true,
    }),
  ];
}

/** Not listed, so that nobody knows its context window. */
export function forgetfulModels(): readonly ModelDefinition[] {
  return [
    writingModel(
      'local/forgetful',
      "Writes like local/writer; drops the earliest messages, or the beginning of the last one, if the request doesn't fit into 1,024 tokens, and returns no error, like Ollama.",
      { reply: write, contextWindow: 1024, hidden: true, dropsBeginning: true },
    ),
  ];
}

/** Listed only on request: the specification's catalog has no tools. */
export function toolModels(): readonly ModelDefinition[] {
  return [
    writingModel('local/caller', 'Calls the tools that the last user message names, then repeats what they returned.', {
      reply: callerReply,
      sees: true,
      hidden: true,
    }),
  ];
}

/** Only the writer's text. */
export function* write(request: ChatRequest): Generator<ReplyPart, void, undefined> {
  for (const text of writerText(request)) yield { part: 'text', text };
}
