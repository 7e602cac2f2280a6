import { chatCompletion, type ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { ChatOptions, ReplyMetrics } from '../../shared/chat.ts';
import type { SummaryView } from '../../shared/protocol/chatProtocol.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { attachedContents } from './attachedContents.ts';
import type { Message, ReplyEnd } from './conversation.ts';
import { ReplyClock } from './replyMetrics.ts';
import type { SessionSurroundings } from './sessionSurroundings.ts';
import { sentAmount } from './sentAmount.ts';
import * as l10n from '@vscode/l10n';
import { incompleteSentence } from '../../words/ending.ts';
import { warning } from '../../words/warning.ts';
import { chatRequest } from './chatRequest.ts';
import { isOverflowFailure } from '../../api/wire/errorCodes.ts';

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

/**
 * A summary as it's being written, and finally its outcome: a new chat can't start with an empty one.
 * @param heard called with each event as it arrives
 * @param lacksLast whether it isn't about the last message
 * @param lacksFirst whether the service dropped the beginning of the conversation, once all events were heard
 */
async function* summaryViews(
  events: AsyncIterable<ChatEvent>,
  heard: (event: ChatEvent) => unknown,
  lacksLast: boolean,
  lacksFirst: () => boolean,
): AsyncGenerator<SummaryView> {
  let text = '';
  let reason: string | undefined;
  let isComplete = false;
  for await (const event of events) {
    heard(event);
    if (event.type === 'text') yield { state: 'writing', text: (text += event.text) };
    if (event.type === 'finish') ({ reason } = event);
    if (event.type === 'end') isComplete = event.complete;
  }
  const dropped = lacksFirst()
    ? l10n.t("The service probably dropped the beginning of the conversation, so it isn't in the summary.")
    : undefined;
  const ending = [isComplete ? undefined : incompleteSentence(reason), dropped].filter(Boolean).join(' ') || undefined;
  yield text.trim() === ''
    ? { state: 'failed', text: '', problem: warning(l10n.t('The reply has no text'), ending ?? '') }
    : { state: 'ready', text, ...(ending !== undefined && { ending }), ...(lacksLast && { lacksLast }) };
}

/** Asks the model for a summary of these messages that another chat can start with. */
function summaryRequest(
  model: ModelRef,
  options: ChatOptions,
  messages: readonly Message[],
  contents?: ReadonlyMap<string, string>,
): ChatRequest {
  const text = l10n.t(
    "Summarize this conversation so that it can continue in a new chat: its goal, what was decided and why, what was done, and what's still open. Keep the names, numbers, and code that are still needed. Write the summary only.",
  );
  const request: Message = { role: 'user', id: 'summary', at: 0, text };
  return chatRequest(model, options, [...messages, request], contents);
}

/**
 * The messages to summarize: without the last questions if they were too long for their model, because the request for
 * the summary would be too long as well.
 */
function summarizedMessages(messages: readonly Message[]): readonly Message[] {
  let end = messages.length;
  while (isRefused(messages[end - 1])) end -= messages[end - 2]?.role === 'user' ? 2 : 1;
  return end > 0 ? messages.slice(0, end) : messages;
}

function isRefused(message: Message | undefined): boolean {
  if (message?.role !== 'assistant' || message.text !== '') return false;
  const { failure } = message.end ?? {};
  return failure !== undefined && isOverflowFailure(failure);
}
