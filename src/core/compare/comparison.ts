import type { ModelRef } from '../../shared/modelRef.ts';
import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { CompareOrder } from '../../shared/protocol/compareProtocol.ts';
import type { Experiment, ExperimentModel } from '../experiments/experiment.ts';
import { experimentId } from '../experiments/experimentId.ts';
import type { ExperimentLog, PlannedState } from '../experiments/experimentLog.ts';
import { plannedRequests } from '../experiments/experimentPlan.ts';
import type { SentReply } from '../experiments/experimentRun.ts';
import { failureReach } from '../experiments/failureReach.ts';

/** A model of a comparison. The column stays when another model replaces it. */
export interface ComparedColumn {
  readonly id: string;
  readonly model: ModelRef;
  readonly options?: ChatOptions;
}

/** A question to all columns or to some. */
export interface ComparedTurn {
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** As it's sent, including attachments. */
  readonly content: ChatMessage['content'];
  readonly order: CompareOrder;
  /** IDs of the columns it's sent to. */
  readonly columns: readonly string[];
  readonly isBlind: boolean;
  /** Only for this question, whoever is asked it and however often. */
  readonly options?: ChatOptions;
}

/** The content of a column for one turn. */
export interface ComparedReply {
  /** ID of its attempt, or of its planned request while it's queued. */
  readonly id: string;
  readonly turnId: string;
  readonly columnId: string;
  readonly model: ModelRef;
  /** When the request was sent, as Unix time in milliseconds. */
  readonly at: number;
  readonly text: string;
  readonly reasoning: string;
  /**
   * `queued`: not sent yet. `elsewhere`: another window is working on it. `interrupted`: its window was closed before it
   * ended.
   */
  readonly state: 'queued' | 'running' | 'elsewhere' | 'interrupted' | SentReply['outcome'];
  readonly end?: SentReply;
  /** The service refused it for now. It's sent again then, at the earliest, as Unix time in milliseconds. */
  readonly waitsUntil?: number;
  /** In currency units. */
  readonly cost?: number;
  /** The column's own parameters at that time. */
  readonly options?: ChatOptions;
  /** All parameters that it was asked with: the shared ones, and the column's own. */
  readonly parameters?: ChatOptions;
}

/** How a question is sent. */
export interface ComparedSetup {
  /** For every column without its own. */
  readonly options: ChatOptions;
  readonly order: CompareOrder;
  /** Those of them that are kept for the next questions. */
  readonly shared?: ChatOptions;
}

/** An experiment of a comparison, as read from disk. */
export interface StoredTurn {
  readonly experiment: Experiment;
  readonly log: ExperimentLog;
  /** The states of its planned requests, by their keys. */
  readonly states: ReadonlyMap<string, PlannedState>;
  /** A run of it is under way, although it might be waiting and have nothing in flight. */
  readonly isRunning: boolean;
  readonly createdAt: number;
}

/** Several questions in a row to several models side by side: what a page shows, and what is sent next. */
export class Comparison {
  readonly id: string;
  #columns: readonly ComparedColumn[] = [];
  #turns: readonly ComparedTurn[] = [];
  #replies: readonly ComparedReply[] = [];
  #before: readonly ChatMessage[];
  #shared: ChatOptions = {};

  constructor(id: string, columns: readonly ComparedColumn[] = [], before: readonly ChatMessage[] = []) {
    this.id = id;
    this.#columns = columns;
    this.#before = before;
  }

  /** Built from its experiments. If a column was asked the same question several times, the last one counts. */
  static of(id: string, stored: readonly StoredTurn[]): Comparison {
    const comparison = new Comparison(id);
    for (const each of stored.toSorted((a, b) => a.createdAt - b.createdAt)) comparison.#read(each);
    return comparison;
  }

  get columns(): readonly ComparedColumn[] {
    return this.#columns;
  }

  get turns(): readonly ComparedTurn[] {
    return this.#turns;
  }

  /** At most one for each column and turn. */
  get replies(): readonly ComparedReply[] {
    return this.#replies;
  }

  /** The messages before the first question, for a comparison that started in a chat. */
  get before(): readonly ChatMessage[] {
    return this.#before;
  }

  /** The parameters that were set for the whole comparison when its last question was sent, as read from disk. */
  get shared(): ChatOptions {
    return this.#shared;
  }

  /** The first question, for a list. */
  get title(): string {
    return this.#turns[0]?.text ?? '';
  }

  column(id: string): ComparedColumn | undefined {
    return this.#columns.find((column) => column.id === id);
  }

  reply(id: string): ComparedReply | undefined {
    return this.#replies.find((reply) => reply.id === id);
  }

  /**
   * The reply to a question that a column's next question follows. A column that was added later continues from the
   * first one's replies. A turn without a reply is left out, and so is a follow-up to another column.
   */
  replyIn(turn: ComparedTurn, columnId: string): ComparedReply | undefined {
    const all = this.#replies
      .filter(({ turnId, text }) => turnId === turn.id && text !== '')
      // Not in the order in which they're stored, which is arbitrary after a reload.
      .toSorted((a, b) => turn.columns.indexOf(a.columnId) - turn.columns.indexOf(b.columnId));
    const asked = this.#turns.findIndex(({ columns }) => columns.includes(columnId));
    const isLater = asked === -1 || this.#turns.findIndex(({ id }) => id === turn.id) < asked;
    return all.find((each) => each.columnId === columnId) ?? (isLater ? all[0] : undefined);
  }

  /** In this window or another. */
  isRunning(columnId?: string): boolean {
    return this.#replies.some((reply) => isUnderWay(reply) && (columnId === undefined || reply.columnId === columnId));
  }

  setColumns(columns: readonly ComparedColumn[]): void {
    this.#columns = columns;
  }

  /** A new turn, or one that was sent to more columns. */
  setTurn(turn: ComparedTurn): void {
    const at = this.#turns.findIndex(({ id }) => id === turn.id);
    this.#turns = at === -1 ? [...this.#turns, turn] : this.#turns.with(at, turn);
  }

  /** Replaces the column's earlier reply to the turn. */
  setReply(reply: ComparedReply): void {
    const isSame = ({ turnId, columnId }: ComparedReply) => turnId === reply.turnId && columnId === reply.columnId;
    const at = this.#replies.findIndex(isSame);
    this.#replies = at === -1 ? [...this.#replies, reply] : this.#replies.with(at, reply);
  }

  /** What to send to these columns for a turn: one experiment, whose requests are sent together. */
  experiment(
    turn: ComparedTurn,
    columns: readonly ComparedColumn[],
    { unique, options, order, shared: kept = {} }: ComparedSetup & { readonly unique: string },
  ): Experiment {
    const { model: _model, ...shared } = { ...options, ...turn.options };
    return {
      id: experimentId('comparison', unique),
      kind: 'comparison',
      title: turn.text.slice(0, 200),
      of: {
        comparison: this.id,
        turn: turn.id,
        text: turn.text,
        ...(turn.attachments.length > 0 && { attachments: [...turn.attachments] }),
        ...(turn.isBlind && { isBlind: true }),
        ...(Object.keys(kept).length > 0 && { shared: kept }),
        ...(turn.options !== undefined && { own: turn.options }),
      },
      prompts: [{ id: turn.id, messages: [{ role: 'user', content: turn.content }] }],
      models: columns.map(({ id: column, model, options: own }) => {
        const before = this.#saidBefore(turn, column);
        return {
          id: model,
          column,
          ...(own !== undefined && { options: own }),
          ...(before.length > 0 && { before: [...before] }),
        };
      }),
      repeats: 1,
      order,
      concurrency: [1],
      warmUp: 0,
      hasUniquePrefix: false,
      keepsReplies: true,
      limits: {},
      options: shared,
    };
  }

  #saidBefore(turn: ComparedTurn, columnId: string): readonly ChatMessage[] {
    const at = this.#turns.findIndex(({ id }) => id === turn.id);
    const earlier = at === -1 ? this.#turns : this.#turns.slice(0, at);
    return [...this.#before, ...earlier.flatMap((each) => this.#exchange(each, columnId))];
  }

  #exchange(turn: ComparedTurn, columnId: string): readonly ChatMessage[] {
    const reply = this.replyIn(turn, columnId);
    if (reply === undefined) return [];
    return [
      { role: 'user', content: turn.content },
      { role: 'assistant', content: reply.text },
    ];
  }

  #read({ experiment, log, states, isRunning, createdAt }: StoredTurn): void {
    const { of, models, prompts, order } = experiment;
    const message = prompts[0]?.messages[0];
    if (of === undefined || message?.role !== 'user' || models.length === 0) return;
    for (const { column: id = '', id: model, options } of models) {
      const column = { id, model, ...(options !== undefined && { options }) };
      const at = this.#columns.findIndex((each) => each.id === id);
      this.#columns = at === -1 ? [...this.#columns, column] : this.#columns.with(at, column);
    }
    this.#shared = of.shared ?? {};
    const columns = models.map(({ column = '' }) => column);
    const before = this.#turns.find(({ id }) => id === of.turn);
    const turn: ComparedTurn = {
      id: of.turn,
      at: before?.at ?? createdAt,
      text: of.text,
      attachments: of.attachments ?? [],
      content: message.content,
      order: order === 'oneAfterAnother' ? order : 'allAtOnce',
      columns: [...new Set([...(before?.columns ?? []), ...columns])],
      isBlind: of.isBlind === true,
      ...(of.own !== undefined && { options: of.own }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only such messages are stored there
    if (this.#turns.length === 0) this.#before = (models[0]?.before ?? []) as readonly ChatMessage[];
    this.setTurn(turn);
    const planned = new Map(plannedRequests(experiment).map((request) => [request.key, request.model]));
    for (const { id, request, at, end } of log.attempts()) {
      const model = planned.get(request);
      if (model === undefined) continue;
      // Its window sends it again.
      const isPaused = isRunning && end?.failure !== undefined && failureReach(end.failure) === 'pause';
      const {
        outcome,
        failure,
        finishReason,
        requestId,
        sample,
        cost,
        text = '',
        reasoning = '',
      } = (isPaused ? undefined : end) ?? {};
      this.setReply({
        id,
        turnId: turn.id,
        columnId: model.column ?? '',
        model: model.id,
        at,
        text,
        reasoning,
        state: outcome ?? (isPaused || states.get(request) === 'running' ? 'elsewhere' : 'interrupted'),
        ...(outcome !== undefined && {
          end: {
            outcome,
            wasSent: true,
            ...(failure !== undefined && { failure }),
            ...(finishReason !== undefined && { finishReason }),
            ...(requestId !== undefined && { requestId }),
            ...(sample !== undefined && { sample }),
          },
        }),
        ...(cost !== undefined && { cost }),
        ...(model.options !== undefined && { options: model.options }),
        parameters: { ...experiment.options, ...model.options },
      });
    }
    if (isRunning) this.#readQueued(turn.id, planned, states, createdAt);
  }

  /** What another window will send once it's their turn. */
  #readQueued(
    turnId: string,
    planned: ReadonlyMap<string, ExperimentModel>,
    states: StoredTurn['states'],
    at: number,
  ): void {
    for (const [id, { column: columnId = '', id: model, options }] of planned) {
      const isKnown = this.#replies.some((reply) => reply.turnId === turnId && reply.columnId === columnId);
      if (isKnown || states.get(id) !== 'notSent') continue;
      const own = options !== undefined && { options };
      this.setReply({ id, turnId, columnId, model, at, text: '', reasoning: '', state: 'elsewhere', ...own });
    }
  }
}

/** Whether it hasn't ended yet. */
export function isUnderWay({ state }: Pick<ComparedReply, 'state'>): boolean {
  return state === 'running' || state === 'queued' || state === 'elsewhere';
}
