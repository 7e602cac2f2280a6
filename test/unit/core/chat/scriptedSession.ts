import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { ChatRequest } from '../../../../src/api/operations/chatCompletion.ts';
import type { ChatEvent } from '../../../../src/api/types.ts';
import type { ChatOptions } from '../../../../src/shared/chat.ts';
import type { SummaryView } from '../../../../src/shared/protocol/chatProtocol.ts';
import { ChatSession } from '../../../../src/core/chat/chatSession.ts';
import type { InferenceCalls } from '../../../../src/core/requests/inferenceCalls.ts';
import type { SessionEvent } from '../../../../src/core/chat/sessionEvent.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ConversationRecord } from '../../../../src/core/chat/conversationRecord.ts';

type Script = (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** A session over a scripted client, because these tests are about the order of events. */
export function sessionOf(script: Script, seesPictures?: boolean) {
  const records: ConversationRecord[] = [];
  const events: SessionEvent[] = [];
  const bugs: unknown[] = [];
  let time = 0;
  let ids = 0;
  const seen: ChatRequest[] = [];
  const client: Pick<InferenceCalls, 'stream'> = {
    stream: ({ name, request }, options) => {
      if (name === 'chat') return script(request, options?.signal ?? new AbortController().signal);
      seen.push(request);
      return answer('Seen');
    },
  };
  const session = new ChatSession(new Conversation('c1'), {
    clientFor: () => client,
    attachments: {
      read: ({ id, name }) =>
        name === 'lost' ? Promise.reject(new ApiError({ kind: 'attachmentLost', name })) : Promise.resolve(`<${id}>`),
      seesPictures: () => seesPictures,
    },
    journal: { append: (record) => records.push(structuredClone(record)) },
    now: () => (time += 1),
    ticks: () => time,
    newId: () => `m${(ids += 1)}`,
    writer: 'w1',
    pid: 1,
    redact: (failure) => failure,
    onUnexpected: (error) => bugs.push(error),
  });
  session.onEvent((event) => events.push(event));
  return { session, records, events, bugs, seen };
}

export function wordsOf(message: ChatRequest['messages'][number] | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

export async function* answer(text: string): AsyncIterable<ChatEvent> {
  yield { type: 'attempt', attempt: 1 };
  yield { type: 'opened', requestId: 'req_1' };
  for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word };
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'end', complete: true };
}

export async function summaryOf(session: ChatSession, options: ChatOptions = {}): Promise<readonly SummaryView[]> {
  const views: SummaryView[] = [];
  for await (const view of session.summarize('m', options, new AbortController().signal, assert.fail)) views.push(view);
  return views;
}

export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  );
}

export const tooLong = new ApiError({ kind: 'contextTooLong', status: 413, message: 'too long', requestId: 'req_413' });
export const rateLimited = new ApiError({
  kind: 'rateLimited',
  status: 429,
  message: 'slow down',
  requestId: 'req_429',
});
