import { attachedContents } from '../../core/chat/attachedContents.ts';
import { chatRequest } from '../../core/chat/chatRequest.ts';
import { compareEstimate } from '../../core/compare/compareEstimate.ts';
import type { ComparedColumn, ComparedSetup, ComparedTurn, Comparison } from '../../core/compare/comparison.ts';
import { experimentFaults, experimentForecast } from '../../core/experiments/experimentForecast.ts';
import { problemOfChangedAttachments } from '../../core/problems/attachmentProblems.ts';
import { problemOfBlindModel } from '../../words/additionProblems.ts';
import { problemOfComparison } from '../../core/problems/compareProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { CompareEstimate, CompareSetup } from '../../shared/protocol/compareProtocol.ts';
import type { MeasureEstimate } from '../../shared/measuring.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { PageAttachments } from '../chat/pageAttachments.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { ComparisonRuns } from './comparisonRuns.ts';

export interface ComparisonAskingDeps {
  readonly attachments: Attachments;
  readonly experiments: Experiments;
  readonly chatDefaults: () => ChatOptions;
  /** @throws {ApiError} with a setup failure if no request can be made. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  readonly explainError: (error: unknown) => Problem;
  /** True if the user agrees to send this much. */
  readonly agrees: (estimate: MeasureEstimate) => Promise<boolean>;
}

/** What the page receives. */
export interface AskingNews {
  /**
   * Nothing is sent.
   * @param problem absent if that was the user's decision
   * @param columnId of the model that it's about
   */
  readonly refused: (text: string, problem?: Problem, columnId?: string) => void;
  /** It's on disk, and is sent next. */
  readonly turn: (turn: ComparedTurn, experimentId: string) => void;
  readonly sent: () => void;
}

/** What a question contains, who gets it, why it can't be sent, and how many tokens it needs. */
export class ComparisonAsking {
  readonly #comparison: Comparison;
  readonly #runs: ComparisonRuns;
  readonly #pageAttachments: PageAttachments;
  readonly #deps: ComparisonAskingDeps;
  readonly #news: AskingNews;
  #setup: CompareSetup;
  #isSending = false;
  draft = '';

  constructor(
    comparison: Comparison,
    runs: ComparisonRuns,
    pageAttachments: PageAttachments,
    deps: ComparisonAskingDeps,
    news: AskingNews,
  ) {
    this.#comparison = comparison;
    this.#runs = runs;
    this.#pageAttachments = pageAttachments;
    this.#deps = deps;
    this.#news = news;
    const last = comparison.turns.at(-1);
    this.#setup = { options: comparison.shared, order: last?.order ?? 'allAtOnce', isBlind: last?.isBlind ?? false };
  }

  get setup(): CompareSetup {
    return this.#setup;
  }

  change(change: Partial<CompareSetup>): void {
    this.#setup = { ...this.#setup, ...change };
    // A single reply has nothing to be compared with blindly.
    if (change.isBlind === true) this.setTo(undefined);
  }

  /** @param columnId the only column that gets the next question; undefined for all */
  setTo(columnId: string | undefined): void {
    const { to: _to, ...setup } = this.#setup;
    const isThere = columnId !== undefined && this.#comparison.column(columnId) !== undefined;
    this.#setup = { ...setup, ...(isThere && !setup.isBlind && { to: columnId }) };
  }

  /** Applies to a column without its own parameters. */
  get sharedOptions(): ChatOptions {
    return { ...this.#deps.chatDefaults(), ...this.#setup.options };
  }

  /**
   * Asks what was typed.
   * @param ids of its attachments
   * @param to a column; by default, all
   */
  async compare(text: string, ids: readonly string[], to: string | undefined): Promise<void> {
    const { columns, id } = this.#comparison;
    const asked = to === undefined ? columns : columns.filter((column) => column.id === to);
    const attachments = ids.length === 0 ? [] : this.#pageAttachments.chosen(id, ids);
    if (attachments.length !== ids.length) return this.#news.refused(text, problemOfChangedAttachments());
    const turn = this.#turn(text, attachments, asked);
    await this.#send(text, asked, async () => ({ ...turn, content: await this.#content(text, attachments) }));
  }

  /**
   * Asks all models something that wasn't typed here.
   * @param content as it's sent
   * @param options only for this question
   */
  ask(text: string, content: ComparedTurn['content'], options?: ChatOptions): Promise<void> {
    const { columns } = this.#comparison;
    const turn = { ...this.#turn(text, [], columns), content, ...(options !== undefined && { options }) };
    return this.#send(text, columns, () => Promise.resolve(turn));
  }

  /** The last question by default. */
  askAgain(columnId: string, turnId?: string): Promise<void> {
    const { turns } = this.#comparison;
    const column = this.#comparison.column(columnId);
    const turn = turnId === undefined ? turns.at(-1) : turns.find(({ id }) => id === turnId);
    if (column === undefined || turn === undefined) return Promise.resolve();
    const columns = [...new Set([...turn.columns, columnId])];
    return this.#send('', [column], () => Promise.resolve({ ...turn, columns }));
  }

  /** What sending the draft needs. */
  estimate(): CompareEstimate {
    const { columns, id } = this.#comparison;
    const { to } = this.#setup;
    const asked = to === undefined ? columns : columns.filter((column) => column.id === to);
    const attached = this.#deps.attachments.drafts.of(id).reduce((sum, { tokens }) => sum + tokens, 0);
    if (this.draft.trim() === '' && attached === 0) return {};
    const turn = this.#turn(this.draft, [], asked);
    const experiment = this.#comparison.experiment(turn, asked, { ...this.#sendSetup(), unique: '0' });
    return compareEstimate(experiment, this.#deps.experiments.forecast, attached);
  }

  #turn(text: string, attachments: readonly Attachment[], columns: readonly ComparedColumn[]): ComparedTurn {
    return {
      id: crypto.randomUUID(),
      at: Date.now(),
      text,
      attachments,
      content: text,
      order: this.#setup.order,
      columns: columns.map((column) => column.id),
      isBlind: this.#setup.isBlind && columns.length > 1,
    };
  }

  /** @param text typed by the user, to be returned if nothing is sent */
  async #send(text: string, columns: readonly ComparedColumn[], turnOf: () => Promise<ComparedTurn>): Promise<void> {
    if (this.#isSending || columns.some(({ id }) => this.#comparison.isRunning(id))) {
      return this.#news.refused(text, problemOfRunningReply());
    }
    this.#isSending = true;
    let checked: string | undefined;
    try {
      for (const { id, model } of columns) {
        checked = id;
        await this.#deps.checkSetup(model);
      }
      checked = undefined;
      const turn = await turnOf();
      const refused = this.#refusal(turn, columns);
      if (refused !== undefined) return this.#news.refused(text, refused.problem, refused.columnId);
      if (!(await this.#isAgreed(turn, columns))) return this.#news.refused(text);
      await this.#runs.send(turn, columns, this.#sendSetup(), (experimentId) => {
        this.#pageAttachments.sent(this.#comparison.id, turn.attachments);
        this.#news.turn(turn, experimentId);
        if (text !== '') this.draft = '';
      });
      this.#news.sent();
    } catch (error) {
      this.#news.refused(text, this.#deps.explainError(error), checked);
    } finally {
      this.#isSending = false;
    }
  }

  #sendSetup(): ComparedSetup {
    const { order, options: shared } = this.#setup;
    return { options: this.sharedOptions, order, shared };
  }

  #isAgreed(turn: ComparedTurn, columns: readonly ComparedColumn[]): Promise<boolean> {
    const experiment = this.#comparison.experiment(turn, columns, { ...this.#sendSetup(), unique: '0' });
    const forecast = experimentForecast(experiment, this.#deps.experiments.forecast);
    const { requests, promptTokens, replyTokens, cost, isCostAtLeast } = forecast;
    return this.#deps.agrees({ requests, tokens: promptTokens + replyTokens, cost, isCostAtLeast });
  }

  #refusal(
    turn: ComparedTurn,
    columns: readonly ComparedColumn[],
  ): { readonly problem: Problem; readonly columnId?: string } | undefined {
    const experiment = this.#comparison.experiment(turn, columns, { ...this.#sendSetup(), unique: '0' });
    const [fault] = experimentFaults(experiment, this.#deps.experiments.forecast);
    if (fault !== undefined) {
      // Of two with the same model, the later one.
      const column = 'model' in fault ? columns.findLast(({ model }) => model === fault.model) : undefined;
      return { problem: problemOfComparison(fault), ...(column !== undefined && { columnId: column.id }) };
    }
    if (!turn.attachments.some(({ kind }) => kind === 'picture')) return undefined;
    const blind = columns.find(({ model }) => this.#deps.attachments.models.seesPictures(model) === false);
    return blind && { problem: problemOfBlindModel(blind.model), columnId: blind.id };
  }

  async #content(text: string, attachments: readonly Attachment[]): Promise<ComparedTurn['content']> {
    const message = { role: 'user', id: '', at: 0, text, attachments } as const;
    const source = this.#deps.attachments.source(this.#comparison.id);
    const contents = await attachedContents([message], '', {
      read: (attachment) => source.read(attachment),
      seesPictures: () => true,
    });
    const [sent] = chatRequest('', {}, [message], contents).messages;
    return sent?.role === 'user' ? sent.content : text;
  }
}
