import type { ModelRef } from '../../shared/modelRef.ts';
import { ApiError } from '../../api/apiError.ts';
import { chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { attachedContents } from './attachedContents.ts';
import { chatRequest } from './chatRequest.ts';
import type { Conversation, Message, ReplyEnd } from './conversation.ts';
import type { ConversationFact, ConversationRecord } from './conversationRecord.ts';
import { lineStops, movedLine, sentMessages } from './sentMessages.ts';
import { summarize } from './summarize.ts';
import type { ContinuedConversation, SummaryView } from '../../shared/protocol/chatProtocol.ts';
import type { MessageVersion } from './messageTree.ts';
import { ReplyClock } from './replyMetrics.ts';
import { sentAmount, type SentForReply } from './sentAmount.ts';
import { eventOf, type SessionEvent } from './sessionEvent.ts';
import type { SessionSurroundings } from './sessionSurroundings.ts';
import { reasonOf } from '../problems/reasonOf.ts';

/** A retry that is due. */
export interface PendingRetry {
  readonly attempt: number;
  readonly at: number;
  readonly failure: ApiFailure;
}

/** What the end of a reply says besides its outcome. */
interface ReplyFacts {
  finishReason?: string;
  requestId?: string;
  attempts?: number;
  answeredBy?: string;
}

/** The running reply. */
interface Run {
  readonly replyId: string;
  readonly abort: AbortController;
  readonly finished: Promise<void>;
  retry?: PendingRetry;
  /** It was shown again after another window had switched away from it. */
  wasShownAgain?: boolean;
}

/**
 * A conversation that is open in this window. Handles the user's actions, runs one reply at a time, and owns its abort
 * signal.
 */
export class ChatSession {
  readonly conversation: Conversation;
  readonly #around: SessionSurroundings;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  #run: Run | undefined;
  #abandoned = false;

  constructor(conversation: Conversation, surroundings: SessionSurroundings) {
    this.conversation = conversation;
    this.#around = surroundings;
  }

  /** ID of the reply that is running in this window. */
  get runningReplyId(): string | undefined {
    return this.#run?.replyId;
  }

  get pendingRetry(): PendingRetry | undefined {
    return this.#run?.retry;
  }

  /** @returns a function that ends the subscription. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Adds a user message and runs the reply. Settles when the reply has ended in any way. */
  ask(text: string, model: ModelRef, options: ChatOptions, attachments: readonly Attachment[] = []): Promise<void> {
    if (this.#run !== undefined) return Promise.resolve();
    this.#addQuestion(text, attachments, this.conversation.messages());
    return this.#startReply(model, options, this.conversation.messages().slice());
  }

  /** Asks again for a visible reply. The earlier one stays as a version, with what followed it. */
  retry(replyId: string, model: ModelRef, options: ChatOptions): Promise<void> {
    const hidden = this.conversation.idsFrom(replyId);
    const reply = this.conversation.reply(replyId);
    if (this.#run !== undefined || reply === undefined || hidden.length === 0) return Promise.resolve();
    const before = this.conversation.messagesBefore(replyId).slice();
    const version = this.conversation.nextVersion(replyId);
    // A failure without any text isn't worth going back to, but what followed it is.
    if (hidden.length === 1 && reply.text === '' && reply.reasoning === '')
      this.#record({ type: 'removed', ids: [replyId] });
    this.#emit({ type: 'messagesRemoved', ids: hidden, canRestore: false });
    const ended = this.#startReply(model, options, before, version);
    this.#lineMayHaveMoved();
    return ended;
  }

  /** Shows this version of a message and what followed it. The conversation continues from there. */
  showVersion(messageId: string): void {
    if (this.#run !== undefined || this.conversation.find(messageId) === undefined) return;
    const { title } = this.conversation;
    const choices = this.conversation.choicesTo(messageId);
    for (const id of choices) this.#choose(id);
    if (choices.length > 0) this.#emit({ type: 'messagesRearranged' });
    if (this.conversation.title !== title) this.#emit({ type: 'titleChanged' });
  }

  /** Asks an edited question, with its attachments. The earlier one stays as a version, with what followed it. */
  resend(messageId: string, text: string, model: ModelRef, options: ChatOptions): Promise<void> {
    const hidden = this.conversation.idsFrom(messageId);
    const message = this.conversation.find(messageId);
    if (this.#run !== undefined || message?.role !== 'user' || hidden.length === 0) return Promise.resolve();
    const before = this.conversation.messagesBefore(messageId).slice();
    const version = this.conversation.nextVersion(messageId);
    this.#emit({ type: 'messagesRemoved', ids: hidden, canRestore: false });
    this.#addQuestion(text, message.attachments ?? [], before, version);
    this.#lineMayHaveMoved();
    return this.#startReply(model, options, this.conversation.messages().slice());
  }

  /** Stops the running reply at the service, and keeps the text so far. Settles when that is recorded. */
  async stop(): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    run.abort.abort();
    await run.finished;
  }

  async removeMessage(id: string): Promise<void> {
    if (this.#run?.replyId === id) await this.stop();
    if (this.conversation.find(id) === undefined) return;
    const hasVersions = this.conversation.versions(id).length > 1;
    // The line moves down to the next question. Without one, the next message would move it, unseen until it's sent.
    const isLastLine = id === this.conversation.sentFrom?.id && lineStops(this.conversation.messages()).at(-1) === id;
    const previous = isLastLine && !hasVersions ? movedLine(this.conversation.messages(), id, -1) : undefined;
    if (previous !== undefined) this.sendFrom(previous);
    this.#remove([id]);
    // Another version is shown instead.
    if (hasVersions) this.#emit({ type: 'messagesRearranged' });
    await this.#stopHidden();
  }

  /** Restores deleted messages. */
  restoreMessages(ids: readonly string[]): void {
    this.#record({ type: 'restored', ids: [...ids] });
    const [only] = ids;
    if (only !== undefined && ids.length === 1 && this.conversation.versions(only).length > 1) this.#choose(only);
    this.#emit({ type: 'messagesRearranged' });
    void this.#stopHidden();
  }

  /** Removes the conversation from the list. It can be restored for a week. */
  async delete(): Promise<void> {
    await this.stop();
    this.#record({ type: 'deleted' });
  }

  undelete(): void {
    this.#record({ type: 'undeleted' });
  }

  /** Called when the window closes: the reply ends without a record, so the next start shows it as interrupted. */
  abandon(): void {
    this.#abandoned = true;
    this.#run?.abort.abort();
  }

  /** Sends the conversation from this question on, or all of it with null. Messages that aren't sent stay visible. */
  sendFrom(id: string | null): void {
    const [first, ...others] = lineStops(this.conversation.messages());
    const line = id === first ? null : id;
    if (line !== null && !others.includes(line)) return;
    if (line === (this.conversation.sentFrom?.id ?? null)) return;
    this.#record({ type: 'sentFrom', id: line });
    this.#emit({ type: 'lengthChanged' });
  }

  /** Continues from the summary of another conversation. */
  continueFrom({ id, title }: ContinuedConversation): void {
    this.#record({ type: 'continues', conversationId: id, title });
  }

  /**
   * A summary of the sent part of this conversation, as it's being written. Only its cost is recorded here.
   * @param stop called if the user stops it from the request history
   * @throws {ApiError}
   */
  summarize(model: ModelRef, options: ChatOptions, signal: AbortSignal, stop: () => void): AsyncGenerator<SummaryView> {
    const sent = sentMessages(this.conversation.messages(), this.conversation.sentFrom);
    return summarize({ sent, model, options, signal, stop }, this.#around, (end) => {
      if (this.#abandoned || end.metrics.completionTokens === undefined) return;
      this.#record({ type: 'summarized', model, ...end });
      this.#emit({ type: 'lengthChanged' });
    });
  }

  rename(title: string): void {
    this.#record({ type: 'titled', title });
    this.#emit({ type: 'titleChanged' });
  }

  setOptions(options: ChatOptions): void {
    this.#record({ type: 'optionsSet', options });
    this.#emit({ type: 'optionsChanged' });
  }

  /** A record that another window wrote. */
  applyForeign(record: ConversationRecord): void {
    const event = eventOf(record, this.conversation);
    this.conversation.apply(record);
    if (record.type === 'versionShown') this.#showRunning();
    if (event !== undefined) this.#emit(event);
    // Another version is shown instead.
    const isReplaced = record.type === 'removed' && record.ids.some((id) => this.conversation.versions(id).length > 0);
    if (isReplaced) this.#emit({ type: 'messagesRearranged' });
    void (record.type === 'deleted' ? this.stop() : this.#stopHidden());
  }

  /**
   * Nobody stops a reply by looking at another version, so whoever did that in another window didn't know about it yet.
   * Only once: two windows, each with a reply, would switch back and forth.
   */
  #showRunning(): void {
    const run = this.#run;
    if (run === undefined || run.wasShownAgain === true) return;
    const choices = this.conversation.choicesTo(run.replyId);
    run.wasShownAgain = choices.length > 0;
    for (const id of choices) this.#choose(id);
  }

  /** No page could stop a running reply that it doesn't show, and the next question would have to wait for it. */
  async #stopHidden(): Promise<void> {
    const id = this.#run?.replyId;
    if (id !== undefined && this.conversation.messages().every((message) => message.id !== id)) await this.stop();
  }

  #addQuestion(
    text: string,
    attachments: readonly Attachment[],
    before: readonly Message[],
    version?: MessageVersion,
  ): void {
    const id = this.#around.newId();
    this.#record({
      type: 'asked',
      id,
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
      after: before.at(-1)?.id ?? null,
      ...(version !== undefined && { version }),
    });
    this.#emit({ type: 'messageAdded', id });
    if (before.length === 0) this.#emit({ type: 'titleChanged' });
  }

  #startReply(
    model: ModelRef,
    options: ChatOptions,
    messages: readonly Message[],
    version?: MessageVersion,
  ): Promise<void> {
    const replyId = this.#around.newId();
    this.#record({
      type: 'replyStarted',
      id: replyId,
      model,
      pid: this.#around.pid,
      after: messages.at(-1)?.id ?? null,
      ...(version !== undefined && { version }),
    });
    const abort = new AbortController();
    const { promise: finished, resolve } = Promise.withResolvers<void>();
    this.#run = { replyId, abort, finished };
    this.#emit({ type: 'messageAdded', id: replyId });
    const sent = sentMessages(messages, this.conversation.sentFrom);
    return this.#runReply(this.#run, model, options, sent).finally(resolve);
  }

  async #runReply(run: Run, model: ModelRef, options: ChatOptions, messages: readonly Message[]): Promise<void> {
    const clock = new ReplyClock(this.#around.ticks());
    const facts: ReplyFacts = {};
    let outcome: ReplyEnd['outcome'] = 'incomplete';
    let failure: ApiFailure | undefined;
    let sent: SentForReply | undefined;
    try {
      const contents = await attachedContents(messages, model, this.#around.attachments);
      sent = { model, systemPrompt: options.systemPrompt, sent: messages, contents };
      run.abort.signal.throwIfAborted();
      const request = chatRequest(model, options, messages, contents);
      for await (const event of this.#around
        .clientFor(model, () => run.abort.abort())
        .stream(chatCompletion(request), { signal: run.abort.signal })) {
        if (event.type === 'end') {
          outcome = event.complete ? 'done' : 'incomplete';
          clock.counted(event.deltas);
        } else this.#take(run, event, clock, facts);
      }
    } catch (error) {
      if (run.abort.signal.aborted) outcome = 'stopped';
      else {
        outcome = 'failed';
        failure = this.#failureOf(error);
      }
    }
    if (failure !== undefined && 'requestId' in failure && failure.requestId !== undefined) {
      facts.requestId = failure.requestId;
    }
    const metrics = clock.metrics(this.#around.ticks(), options.stream ?? true);
    this.#run = undefined;
    if (this.#abandoned) return;
    this.#record({
      type: 'replyEnded',
      id: run.replyId,
      outcome,
      metrics,
      ...facts,
      ...(sent !== undefined && sentAmount(sent, { answeredBy: facts.answeredBy, counted: clock.countedPrompt })),
      ...(failure !== undefined && { failure }),
    });
    this.#emit({ type: 'replyChanged', id: run.replyId });
  }

  #take(run: Run, event: Exclude<ChatEvent, { type: 'end' }>, clock: ReplyClock, facts: ReplyFacts): void {
    clock.heard(event, this.#around.ticks());
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.#grow(run.replyId, event.type, event.text);
        return;
      case 'attempt':
        facts.attempts = event.attempt;
        if (run.retry === undefined) return;
        delete run.retry;
        this.#emit({ type: 'replyChanged', id: run.replyId });
        return;
      case 'retrying':
        run.retry = {
          attempt: event.attempt,
          at: this.#around.now() + event.delayMs,
          failure: this.#around.redact(event.failure),
        };
        this.#emit({ type: 'replyChanged', id: run.replyId });
        return;
      case 'opened':
        if (event.requestId !== undefined) facts.requestId = event.requestId;
        return;
      case 'toolCall':
        // Our own chat offers no tools.
        return;
      case 'finish':
        facts.finishReason = event.reason;
        return;
      case 'response':
        if (event.model !== undefined) facts.answeredBy = event.model;
        return;
      case 'usage':
      case 'metrics':
        // The clock handles these.
        return;
    }
  }

  #grow(id: string, part: 'text' | 'reasoning', text: string): void {
    const offset = this.conversation.reply(id)?.[part].length ?? 0;
    this.#record({ type: 'replyGrew', id, part, offset, text });
    this.#emit({ type: 'replyGrew', id, part, offset, text });
  }

  #failureOf(error: unknown): ApiFailure {
    if (error instanceof ApiError) return this.#around.redact(error.failure);
    this.#around.onUnexpected(error);
    return this.#around.redact({ kind: 'unexpected', message: reasonOf(error) });
  }

  /** The pages show where the line is among other messages, before they're sent or together with them. */
  #lineMayHaveMoved(): void {
    if (this.conversation.sentFrom !== undefined) this.#emit({ type: 'lengthChanged' });
  }

  #choose(id: string): void {
    this.#record({ type: 'versionShown', id, turn: this.conversation.nextVersion(id).turn });
  }

  #remove(ids: readonly string[]): void {
    this.#record({ type: 'removed', ids: [...ids] });
    this.#emit({ type: 'messagesRemoved', ids, canRestore: true });
  }

  #record(fact: ConversationFact): void {
    const record: ConversationRecord = { ...fact, writer: this.#around.writer, at: this.#around.now() };
    this.conversation.apply(record);
    this.#around.journal.append(record);
  }

  #emit(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
