import { chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { ChatOptions, ReplyMetrics } from '../../shared/chat.ts';
import type { SummaryView } from '../../shared/protocol/chatProtocol.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { attachedContents } from './attachedContents.ts';
import type { Message, ReplyEnd } from './conversation.ts';
import { ReplyClock } from './replyMetrics.ts';
import type { SessionSurroundings } from './sessionSurroundings.ts';
import { sentAmount } from './sentAmount.ts';
import { summarizedMessages, summaryRequest } from './summaryRequest.ts';
import { summaryViews } from './summaryViews.ts';

export interface SummaryEnd {
  readonly outcome: ReplyEnd['outcome'];
  readonly metrics: ReplyMetrics;
}

/**
 * A summary of messages that are sent, as it's being written.
 * @param ended called once, however it ends, even if nobody reads to the end
 * @throws {ApiError}
 */
export async function* summarize(
  asked: {
    readonly sent: readonly Message[];
    readonly model: ModelRef;
    readonly options: ChatOptions;
    readonly signal: AbortSignal;
    readonly stop: () => void;
  },
  around: Pick<SessionSurroundings, 'attachments' | 'clientFor' | 'ticks'>,
  ended: (end: SummaryEnd) => void,
): AsyncGenerator<SummaryView> {
  const { sent, model, options, signal, stop } = asked;
  const messages = summarizedMessages(sent);
  const contents = await attachedContents(messages, model, around.attachments);
  const request = summaryRequest(model, options, messages, contents);
  const clock = new ReplyClock(around.ticks());
  let outcome: ReplyEnd['outcome'] = 'stopped';
  let answeredBy: string | undefined;
  const heard = (event: ChatEvent): void => {
    clock.heard(event, around.ticks());
    if (event.type === 'response') answeredBy = event.model;
    if (event.type === 'end') outcome = event.complete ? 'done' : 'incomplete';
  };
  const lacksFirst = (): boolean => {
    const amount = { model, systemPrompt: options.systemPrompt, sent: messages, contents };
    return sentAmount(amount, { answeredBy, counted: clock.countedPrompt }).sentAtLeast !== undefined;
  };
  try {
    const events = around.clientFor(model, stop).stream(chatCompletion(request), { signal });
    yield* summaryViews(events, heard, messages.length < sent.length, lacksFirst);
  } catch (error) {
    if (!signal.aborted) outcome = 'failed';
    throw error;
  } finally {
    ended({ outcome, metrics: clock.metrics(around.ticks(), options.stream ?? true) });
  }
}
