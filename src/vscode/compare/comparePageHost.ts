import * as vscode from 'vscode';
import { countedVotes } from '../../core/compare/compareVote.ts';
import type { BlindChoice } from '../../core/compare/blindTurn.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { offeredModel } from '../../core/problems/offeredModel.ts';
import type { ComparedReply, ComparedTurn, Comparison } from '../../core/compare/comparison.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import {
  type CompareSnapshot,
  type ReplyAct,
  type ToCompareHost,
  type ToComparePage,
} from '../../shared/protocol/compareProtocol.ts';
import { handleMessage, type Handlers } from '../../shared/protocol/pageMessage.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { copyText, insertCode, openCode, openLink } from '../platform/codeActs.ts';
import { compareCode } from '../chat/compareCode.ts';
import { PageAttachments } from '../chat/pageAttachments.ts';
import { PageChannel } from '../chat/pageChannel.ts';
import { PageNotes } from '../chat/pageNotes.ts';
import { DisposableList } from '../platform/disposables.ts';
import { PagePort } from '../platform/pages/pagePort.ts';
import { BlindVoting } from './blindVoting.ts';
import { modelRankingView } from './modelRankingView.ts';
import { comparedReplyAct } from './comparedReplyActs.ts';
import { exportComparison } from './comparisonFiles.ts';
import { ComparisonAsking } from './comparisonAsking.ts';
import type { ComparePageDeps } from './comparePageDeps.ts';
import { compareMessageSchema } from './compareMessage.ts';
import { CompareViews } from './compareViews.ts';
import { followRepliesElsewhere } from './followRepliesElsewhere.ts';
import { ComparisonColumns } from './comparisonColumns.ts';
import { ComparisonRuns } from './comparisonRuns.ts';

/** The host side of the page for one comparison. All state is here, none in the page. */
export class ComparePageHost implements vscode.Disposable {
  readonly comparison: Comparison;
  readonly #deps: ComparePageDeps;
  readonly #own = new DisposableList();
  readonly #channel: PageChannel<ToComparePage>;
  readonly #attachments: PageAttachments;
  readonly #notes: PageNotes;
  readonly #views: CompareViews;
  readonly #runs: ComparisonRuns;
  readonly #asking: ComparisonAsking;
  readonly #voting: BlindVoting;
  readonly #columns: ComparisonColumns;
  #tags: readonly string[] = [];
  /** The column whose model the last question couldn't be sent to. */
  #refused: string | undefined;

  /** @param unvoted ID of the question that it still hides, if the window was closed before the vote */
  constructor(webview: vscode.Webview, comparison: Comparison, deps: ComparePageDeps, unvoted?: string) {
    this.comparison = comparison;
    this.#deps = deps;
    const { experiments } = deps;
    this.#views = new CompareViews({
      ...deps,
      modelOf: experiments.forecast.modelOf,
      sharedOptions: () => this.#asking.sharedOptions,
    });
    this.#voting = new BlindVoting(comparison, this.#views, deps.withheld, unvoted);
    if (unvoted !== undefined) deps.withheld.join(unvoted);
    // Perhaps too few replies are left to vote on.
    this.#voting.update();
    const port = new PagePort<ToComparePage, ToCompareHost>(webview, deps.pageLog);
    this.#channel = new PageChannel(port);
    this.#notes = this.#own.add(new PageNotes());
    this.#notes.useChannel(this.#channel);
    this.#runs = new ComparisonRuns(comparison, experiments, {
      onReply: (reply) => this.#showReply(reply),
      onGrew: (...growth) => {
        if (this.#voting.stage === 'off') this.#channel.grow(...growth);
      },
    });
    const options = (): ChatOptions => this.#asking.setup.options;
    this.#attachments = this.#own.add(
      new PageAttachments(deps, {
        webview,
        channel: this.#channel,
        shown: {
          id: comparison.id,
          session: undefined,
          isShown: (id) => id === comparison.id,
          get options() {
            return options();
          },
        },
      }),
    );
    this.#asking = new ComparisonAsking(comparison, this.#runs, this.#attachments, deps, {
      refused: (text, problem, columnId) => {
        this.#refused = columnId;
        this.#channel.postWhenOpen({ type: 'askRefused', text, problem });
      },
      turn: (turn, experimentId) => {
        if (this.#voting.hides(turn)) deps.withheld.add(experimentId, turn.id);
        this.#showTurn(turn);
      },
      sent: () => {
        this.#notes.asked();
        deps.onDidChange(comparison);
        this.#estimate();
      },
    });
    this.#columns = new ComparisonColumns(comparison, {
      pickModel: deps.pickModel,
      stop: (columnId) => this.#runs.stop(columnId),
      changed: () => {
        this.#asking.setTo(this.#asking.setup.to);
        this.#columnsChanged();
        deps.keepColumns(comparison);
        deps.onDidChange(comparison);
      },
    });
    this.#own.add(port.onMessage(compareMessageSchema, (message) => this.#receive(message)));
    this.#own.add(deps.onDidChangeChatDefaults(() => this.#setupChanged()));
    this.#own.add({ dispose: deps.onDidChangeModels(() => this.#columnsChanged()) });
    this.#own.add(
      deps.withheld.onDidChange(() => {
        if (this.#voting.updateFromOthers() && this.#channel.isOpen) this.#start();
      }),
    );
    this.#own.add({ dispose: () => this.#channel.pause() });
    this.#own.add(
      followRepliesElsewhere(comparison, {
        store: experiments.store,
        show: (reply) => {
          comparison.setReply(reply);
          this.#showReply(reply);
        },
        onError: deps.onUnexpected,
      }),
    );
  }

  /** Where messages are shown while the page is in view. */
  get notes(): PageNotes | undefined {
    return this.#channel.isOpen ? this.#notes : undefined;
  }

  /** Shows a message in the page, even if that's still loading. */
  tell(text: string): void {
    void this.#notes.tell('info', text, []);
  }

  /** Puts text into the composer. */
  setDraft(text: string): void {
    this.#asking.draft = text;
    if (this.#channel.isOpen) this.#start();
  }

  setOptions(options: ChatOptions): void {
    this.#asking.change({ options });
    this.#setupChanged();
  }

  /**
   * Asks something that wasn't typed here.
   * @param content as it's sent, with its attachments
   */
  ask(text: string, content: ComparedTurn['content'], options?: ChatOptions): Promise<void> {
    return this.#asking.ask(text, content, options);
  }

  focusComposer(): void {
    this.#channel.postWhenOpen({ type: 'composerFocused' });
  }

  /** The page is hidden, which destroys it. Its requests continue. */
  hidden(): void {
    this.#channel.pause();
  }

  /** Stops the running replies. Settles once they have ended. */
  ended(): Promise<void> {
    return this.#runs.ended();
  }

  /** The user has closed its tab. */
  closed(): void {
    this.#voting.giveUp();
    this.dispose();
  }

  dispose(): void {
    this.#runs.dispose();
    this.#own.dispose();
  }

  #receive(message: ToCompareHost): void {
    if (this.#voting.refuses(message)) {
      if (message.type === 'exportComparison')
        void plainWindow.showInformationMessage(vscode.l10n.t('Vote first: the export names the models.'));
      return;
    }
    const run = async (): Promise<void> => handleMessage(this.#handlers, message);
    run().catch(this.#deps.onUnexpected);
  }

  get #handlers(): Handlers<ToCompareHost, Promise<void> | void> {
    const { attachments, replies, prompts } = this.#deps;
    return {
      ...this.#attachments.handlers,
      ready: async () => {
        this.#channel.arrived();
        const [votes] = await Promise.all([this.#deps.votes.all(), attachments.drafts.load(this.comparison.id)]);
        this.#tags = countedVotes(votes, 'tag').map(({ name }) => name);
        this.#voting.recall(votes);
        this.#start();
      },
      compare: ({ text, attachments: ids, to }) => this.#asking.compare(text, ids, to),
      askColumn: ({ columnId }) => this.#asking.askAgain(columnId),
      retry: ({ replyId }) => {
        const reply = this.comparison.reply(replyId);
        return reply === undefined ? undefined : this.#asking.askAgain(reply.columnId, reply.turnId);
      },
      stop: () => this.#runs.stop(),
      stopColumn: ({ columnId }) => this.#runs.stop(columnId),
      chooseModel: ({ columnId }) => this.#chooseModel(columnId),
      closeColumn: ({ columnId }) => this.#columns.close(columnId),
      columnOptionsChanged: ({ columnId, options }) => this.#columns.setOptions(columnId, options),
      setTo: ({ columnId }) => {
        this.#asking.setTo(columnId);
        this.#setupChanged();
      },
      setBlind: ({ isBlind }) => {
        this.#asking.change({ isBlind });
        this.#setupChanged();
      },
      vote: ({ turnId, choice, tag }) => this.#vote(turnId, choice, tag ?? ''),
      showRanking: async ({ type: _type, ...filter }) => {
        const { votes, experiments, measured } = this.#deps;
        const deps = { modelOf: experiments.forecast.modelOf, measured };
        this.#channel.post({
          type: 'rankingShown',
          ranking: await modelRankingView(await votes.all(), filter, deps),
        });
      },
      openComparison: () => this.#deps.openComparison(),
      newComparison: () => this.#deps.newComparison(),
      exportComparison: () => exportComparison(this.comparison),
      deleteComparison: () => this.#deps.deleteComparison(this.comparison.id),
      setOrder: ({ order }) => {
        this.#asking.change({ order });
        this.#setupChanged();
      },
      optionsChanged: ({ options }) => this.setOptions(options),
      composing: async () => {
        for (const { model } of this.comparison.columns) await this.#deps.warm(model);
      },
      draftChanged: ({ text }) => {
        this.#asking.draft = text;
        this.#estimate();
      },
      completePrompt: async ({ request, typed }) =>
        this.#channel.post({ type: 'promptRows', request, rows: await prompts.find(typed) }),
      runPrompt: ({ row }) => prompts.run(row, { target: 'compare', comparison: this.comparison.id }),
      endNote: ({ id, button }) => this.#notes.ended(id, button),
      actOnReply: ({ replyId, act }) => this.#actOnReply(replyId, act),
      copyText: async ({ text }) => {
        if (await copyText(text)) this.#channel.post({ type: 'copied' });
      },
      insertCode: ({ text }) => insertCode(text, this.#deps.lastEditor),
      compareCode: ({ text }) => compareCode(text, this.#deps.lastEditor, replies),
      openCode: ({ text, language }) => openCode(text, language),
      openLink: ({ href }) => openLink(href),
      runAction: ({ action, replyId, model }) => this.#runAction(action, replyId, model),
    };
  }

  #start(): void {
    this.#channel.start({ type: 'snapshot', snapshot: this.#snapshot() });
    this.#deps.onDidChange(this.comparison);
  }

  #snapshot(): CompareSnapshot {
    const { id, title, columns, turns, replies } = this.comparison;
    const { given } = this.#voting;
    return {
      comparisonId: id,
      title,
      columns: this.#voting.columns(columns),
      turns: turns.map((turn) => this.#views.turn(turn)),
      // While a question is blind, earlier replies would reveal the models.
      replies: replies
        .filter(({ turnId }) => this.#voting.stage === 'off' || turnId === turns.at(-1)?.id)
        .map((reply) => this.#voting.reply(this.#runs.current(reply))),
      setup: this.#asking.setup,
      defaults: this.#deps.chatDefaults(),
      blindStage: this.#voting.stage,
      tags: { last: this.#voting.tag, known: this.#tags },
      ...(given !== undefined && { given: this.#views.given(given, columns) }),
      draft: this.#asking.draft,
      estimate: this.#asking.estimate(),
      attachments: this.#attachments.view(),
      notes: this.#notes.view,
    };
  }

  async #chooseModel(columnId: string | undefined): Promise<void> {
    await this.#columns.choose(columnId);
    this.focusComposer();
  }

  #columnsChanged(): void {
    if (!this.#channel.isOpen) return;
    this.#channel.post({ type: 'columnsChanged', columns: this.#voting.columns(this.comparison.columns) });
    this.#setupChanged();
  }

  #setupChanged(): void {
    if (!this.#channel.isOpen) return;
    this.#channel.post({ type: 'setupChanged', setup: this.#asking.setup, defaults: this.#deps.chatDefaults() });
    this.#estimate();
  }

  #showTurn(turn: ComparedTurn): void {
    if (this.#channel.isOpen) this.#channel.post({ type: 'turnChanged', turn: this.#views.turn(turn) });
  }

  #showReply(reply: ComparedReply): void {
    const looksOtherwise = this.#voting.update();
    if (!this.#channel.isOpen) return;
    if (looksOtherwise) this.#start();
    else this.#channel.post({ type: 'replyShown', reply: this.#voting.reply(reply) });
  }

  async #vote(turnId: string, choice: BlindChoice, tag: string): Promise<void> {
    const vote = this.#voting.voteOn(turnId, choice, tag);
    if (vote === undefined && !this.#voting.isUncounted(turnId)) return;
    try {
      if (vote !== undefined) await this.#deps.votes.add(vote);
    } catch (error) {
      return this.#refuse(error);
    }
    this.#voting.voted({ turn: turnId, tag }, choice);
    if (tag !== '') this.#tags = [...new Set([tag, ...this.#tags])];
    this.#start();
  }

  #refuse(error: unknown): void {
    this.#channel.postWhenOpen({ type: 'askRefused', text: '', problem: this.#deps.explainError(error) });
  }

  #estimate(): void {
    if (this.#channel.isOpen) this.#channel.post({ type: 'estimated', estimate: this.#asking.estimate() });
  }

  async #actOnReply(replyId: string, act: ReplyAct): Promise<void> {
    const reply = this.comparison.reply(replyId);
    if (reply === undefined) return;
    try {
      const { options } = this.#asking.setup;
      if (await comparedReplyAct(act, reply, this.comparison, options, this.#deps))
        this.#channel.post({ type: 'copied' });
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #runAction(action: ProblemActionKind, replyId: string | undefined, model?: ModelRef): Promise<void> {
    const reply = replyId === undefined ? undefined : this.comparison.reply(replyId);
    switch (action) {
      case 'retry':
        return reply === undefined ? undefined : this.#asking.askAgain(reply.columnId, reply.turnId);
      case 'selectModel':
        // While replies are blind, the list would show which column has the model.
        return this.#chooseModel(reply?.columnId ?? (this.#voting.stage === 'off' ? this.#refused : undefined));
      case 'useModel': {
        const offered = offeredModel(reply && this.#views.reply(reply).problem, model);
        if (reply === undefined || offered === undefined) return undefined;
        this.#columns.replaceModel(reply.columnId, offered);
        return this.#asking.askAgain(reply.columnId, reply.turnId);
      }
      case 'continue':
      case 'newChat':
      case 'openParameters':
      case 'summarize':
      case 'leaveOutEarliest':
        return undefined;
      default:
        return this.#deps.runAction(action, reply && refParts(reply.model).service);
    }
  }
}
