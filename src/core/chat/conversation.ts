import type { ModelRef } from '../../shared/modelRef.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions, ReplyMetrics } from '../../shared/chat.ts';
import type { ConversationRecord } from './conversationRecord.ts';
import type { ContinuedConversation } from '../../shared/protocol/chatProtocol.ts';
import type { SentFrom } from './sentFrom.ts';
import { questionTitle } from './questionTitle.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import { searchedWords } from '../../shared/text/findText.ts';
import { MessageTree, type MessageVersion } from './messageTree.ts';

export interface UserMessage {
  readonly role: 'user';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

export interface Reply {
  readonly role: 'assistant';
  readonly id: string;
  readonly at: number;
  readonly model: ModelRef;
  /** The window that runs or ran it, and its process. */
  readonly writer: string;
  readonly pid: number;
  text: string;
  reasoning: string;
  /** When its first and latest text arrived, and those of the reasoning in it, as Unix times in milliseconds. */
  firstTextAt?: number;
  lastTextAt?: number;
  firstThoughtAt?: number;
  lastThoughtAt?: number;
  /** Absent while it's running, and for good if the window was closed before the end. */
  end?: ReplyEnd;
  /** True if only the end showed that the beginning of its text was reasoning. */
  isSplit?: true;
}

export interface ReplyEnd {
  readonly outcome: 'done' | 'incomplete' | 'stopped' | 'failed';
  readonly at: number;
  readonly metrics: ReplyMetrics;
  readonly finishReason?: string;
  readonly requestId?: string;
  readonly failure?: ApiFailure;
  /** The model that replied, according to the service. */
  readonly answeredBy?: string;
  /** Number of requests that were sent for it. */
  readonly attempts?: number;
  /** Tokens that its request had at least, judged by the text. */
  readonly leastTokens?: number;
  /** Set if the service counted clearly fewer tokens than were sent, at least this many: it dropped some of them. */
  readonly sentAtLeast?: number;
}

export type Message = UserMessage | Reply;

type Removal = Extract<ConversationRecord, { type: 'removed' | 'restored' }>;
type Summarized = Extract<ConversationRecord, { type: 'summarized' }>;

/**
 * A conversation as the sum of its records. It only holds data, without any window, file, or clock. Whoever applies a
 * record notifies the pages.
 */
export class Conversation {
  readonly id: string;
  options: ChatOptions = {};
  createdAt = 0;
  updatedAt = 0;
  /** When it was deleted, as Unix time in milliseconds; undefined again once it's restored or continued. */
  deletedAt: number | undefined;
  /** The conversation whose summary this one started with. */
  continues: ContinuedConversation | undefined;
  readonly #tree = new MessageTree<Message>();
  #title = '';
  /** Every question that it was sent from, with the time, oldest first. None for a time when everything was sent. */
  readonly #lines: { readonly id: string | undefined; readonly at: number }[] = [];
  readonly #removals: Removal[] = [];
  readonly #summaries: Summarized[] = [];

  constructor(id: string) {
    this.id = id;
  }

  /** The user's title; otherwise the beginning of the first message or the name of its attachment; otherwise empty. */
  get title(): string {
    if (this.#title !== '') return this.#title;
    const first = this.messages().find((message) => message.role === 'user');
    return first === undefined ? '' : first.text.trim() === '' ? attachmentNames(first) : questionTitle(first.text);
  }

  get isEmpty(): boolean {
    return this.messages().length === 0;
  }

  /** True until something is recorded: a message, a title, or an option. */
  get isUntouched(): boolean {
    return this.createdAt === 0;
  }

  /** The visible messages, oldest first. All of them are sent, or those that {@link sentFrom} leaves. */
  messages(): readonly Message[] {
    return this.#tree.path();
  }

  /**
   * Everything before this message is shown, but not sent. If another version of the message is shown, it's that
   * version, because the same messages precede it. If none is shown, it's the nearest message that is.
   */
  get sentFrom(): SentFrom | undefined {
    const line = this.#lines.at(-1)?.id;
    return line === undefined ? undefined : { id: this.#lineIn(this.messages(), line)?.id ?? line };
  }

  /** The messages that were sent for this visible reply. Some might be deleted now, or above a line that was moved. */
  sentWith(reply: Pick<Reply, 'id' | 'at'>): readonly Message[] {
    const messages = this.#tree.everyBefore(reply.id).filter(({ id }) => !this.#wasRemoved(id, reply.at));
    return this.#fromLine(messages, this.#lines.findLast(({ at }) => at <= reply.at)?.id);
  }

  /** What is sent of these messages if nothing follows them. */
  sentOf(messages: readonly Message[]): readonly Message[] {
    return this.#fromLine(messages, this.#lines.at(-1)?.id);
  }

  /** What is shown before this message. */
  messagesBefore(id: string): readonly Message[] {
    return this.#tree.before(id);
  }

  /** Everything that isn't deleted, including other versions of replies and what followed them. */
  everyMessage(): readonly Message[] {
    return this.#tree.all().filter(({ id }) => this.find(id) !== undefined);
  }

  /** How every reply ended, including deleted ones, and every summary. */
  everyEnd(): readonly (Pick<ReplyEnd, 'outcome' | 'metrics'> & Pick<Reply, 'model'>)[] {
    const replies = this.#tree.all().filter((message) => message.role === 'assistant');
    return [...replies.flatMap(({ model, end }) => (end === undefined ? [] : [{ model, ...end }])), ...this.#summaries];
  }

  find(id: string): Message | undefined {
    return this.#tree.find(id);
  }

  reply(id: string): Reply | undefined {
    const message = this.find(id);
    return message?.role === 'assistant' ? message : undefined;
  }

  /** The reply to this request, by the service's ID of the request. It doesn't have to be visible. */
  replyTo(requestId: string): Reply | undefined {
    const replies = this.everyMessage().filter((message) => message.role === 'assistant');
    return replies.find(({ end }) => end?.requestId === requestId);
  }

  /** This message and its other versions, oldest first. Only itself if there are no others. */
  versions(id: string): readonly Message[] {
    return this.#tree.versions(id);
  }

  /**
   * The message with the most of these words, ignoring case; of several, one with all of them in a row, then a visible
   * one. Undefined if none has any. Fewer than all don't count in a message that isn't visible, and nowhere if the user's
   * title has them all.
   */
  messageWith(text: string): Message | undefined {
    const phrase = text.trim().toLowerCase();
    const words = searchedWords(text);
    const title = this.#title.toLowerCase();
    const isInTitle = words.every((word) => title.includes(word));
    const visible = new Set(this.messages());
    const scored = Array.from(new Set([...visible, ...this.everyMessage()]), (message) => {
      const held = message.text.toLowerCase();
      const found = words.filter((word) => held.includes(word)).length;
      const isEnough = found === words.length || (!isInTitle && visible.has(message));
      return { message, score: found === 0 || !isEnough ? 0 : found + (held.includes(phrase) ? 0.5 : 0) };
    });
    const best = Math.max(0, ...scored.map(({ score }) => score));
    return best === 0 ? undefined : scored.find(({ score }) => score === best)?.message;
  }

  /** The versions to switch to so that this message is shown. Empty if it's visible. */
  choicesTo(id: string): readonly string[] {
    return this.#tree.choicesTo(id);
  }

  /** What the record of a new version of this message contains, and that of a switch between versions. */
  nextVersion(id: string): MessageVersion {
    return this.#tree.nextVersion(id);
  }

  /** The visible message with this ID and everything after it. */
  idsFrom(id: string): readonly string[] {
    const messages = this.messages();
    const start = messages.findIndex((message) => message.id === id);
    return start < 0 ? [] : messages.slice(start).map((message) => message.id);
  }

  apply(record: ConversationRecord): void {
    if (this.createdAt === 0) this.createdAt = record.at;
    this.updatedAt = Math.max(this.updatedAt, record.at);
    switch (record.type) {
      case 'created':
        return;
      case 'titled':
        this.#title = record.title;
        return;
      case 'optionsSet':
        this.options = record.options;
        return;
      case 'asked':
        // A record from before the deletion, which a window saved late because of trouble with the disk.
        if (record.at >= (this.deletedAt ?? 0)) this.deletedAt = undefined;
        this.#tree.add(
          {
            role: 'user',
            id: record.id,
            at: record.at,
            text: record.text,
            ...(record.attachments !== undefined && { attachments: record.attachments }),
          },
          record,
        );
        return;
      case 'replyStarted': {
        const { id, at, model, writer, pid } = record;
        this.#tree.add({ role: 'assistant', id, at, model, writer, pid, text: '', reasoning: '' }, record);
        return;
      }
      case 'versionShown':
        this.#tree.choose(record.id, record.turn);
        return;
      case 'replyGrew': {
        const reply = this.#tree.findAny(record.id);
        if (reply?.role !== 'assistant' || reply.isSplit) return;
        reply.firstTextAt ??= record.at;
        reply.lastTextAt = record.at;
        if (record.part === 'reasoning') {
          reply.firstThoughtAt ??= record.at;
          reply.lastThoughtAt = record.at;
        }
        const length = reply[record.part].length;
        reply[record.part] += record.offset < length ? record.text.slice(length - record.offset) : record.text;
        return;
      }
      case 'replyEnded': {
        const reply = this.#tree.findAny(record.id);
        if (reply?.role !== 'assistant') return;
        const { type: _type, id: _id, writer: _writer, ...end } = record;
        reply.end = end;
        const { text, reasoning } = splitUnopenedThoughts(reply.text);
        if (text === reply.text) return;
        reply.text = text;
        reply.reasoning += reasoning;
        reply.isSplit = true;
        return;
      }
      case 'removed':
        this.#removals.push(record);
        this.#tree.remove(record.ids);
        return;
      case 'restored':
        this.#removals.push(record);
        this.#tree.restore(record.ids);
        return;
      case 'sentFrom':
        this.#lines.push({ id: record.id ?? undefined, at: record.at });
        return;
      case 'summarized':
        this.#summaries.push(record);
        return;
      case 'continues':
        this.continues = { id: record.conversationId, title: record.title };
        return;
      case 'deleted':
        this.deletedAt = record.at;
        return;
      case 'undeleted':
        this.deletedAt = undefined;
        return;
    }
  }

  /** All attachments of a message, including removed ones, because those can be restored. */
  attachments(): readonly Attachment[] {
    return this.#tree.all().flatMap((message) => (message.role === 'user' ? (message.attachments ?? []) : []));
  }

  #fromLine(messages: readonly Message[], line: string | undefined): readonly Message[] {
    const first = line === undefined ? undefined : this.#lineIn(messages, line);
    return first === undefined ? messages : messages.slice(messages.indexOf(first));
  }

  /**
   * The first question among these messages that is still sent with the line at this one. Undefined if all of them are.
   */
  #lineIn(messages: readonly Message[], id: string): Message | undefined {
    const version = messages.find((message) => this.#tree.areVersions(message.id, id));
    if (version !== undefined || this.#tree.findAny(id) === undefined) return version;
    const above = this.#tree.leadingTo(id);
    const aboveIds = new Set(above.map((each) => each.id));
    const below = messages.findIndex((message) => !aboveIds.has(message.id));
    const [end, first] = [below < 0 ? messages.length : below, messages[below]];
    const isQuestion = ({ role }: Message): boolean => role === 'user';
    // A reply's other version needs its question, which was above the line. A message that follows a deleted question
    // doesn't.
    const isRetried = first?.role === 'assistant' && above.some((each) => this.#tree.areVersions(each.id, first.id));
    const next = isRetried ? undefined : messages.slice(end).find(isQuestion);
    return next ?? messages.slice(0, end).findLast(isQuestion);
  }

  #wasRemoved(id: string, at: number): boolean {
    return this.#removals.findLast((each) => each.at <= at && each.ids.includes(id))?.type === 'removed';
  }
}

function attachmentNames(message: UserMessage): string {
  return (message.attachments ?? []).map(({ name }) => name).join(', ');
}
