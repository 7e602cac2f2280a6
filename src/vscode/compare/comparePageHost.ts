import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { attachedContents } from '../../core/chat/attachedContents.ts';
import { chatRequest } from '../../core/chat/chatRequest.ts';
import { continuedConversation } from '../../core/compare/continuedConversation.ts';
import { type BlindChoice, blindOrder, type BlindStage, blindStage, blindVote } from '../../core/compare/blindTurn.ts';
import { compareEstimate } from '../../core/compare/compareEstimate.ts';
import type { ComparedColumn, ComparedReply, ComparedTurn, Comparison } from '../../core/compare/comparison.ts';
import { experimentFaults } from '../../core/experiments/experimentForecast.ts';
import { problemOfBlindModel, problemOfChangedAttachments } from '../../core/problems/attachmentProblems.ts';
import { problemOfComparison } from '../../core/problems/compareProblems.ts';
import { problemOfRunningReply } from '../../core/problems/conversationProblems.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import {
  type CompareColumnView,
  type CompareOrder,
  type CompareRankingView,
  type CompareReplyView,
  type CompareSnapshot,
  maxColumns,
  type ReplyAct,
  type ToCompareHost,
  type ToComparePage,
} from '../../shared/compareProtocol.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import { copyText, insertCode, openCode, openLink } from '../platform/codeActs.ts';
import { compareCode } from '../chat/compareCode.ts';
import { PageAttachments } from '../chat/pageAttachments.ts';
import { PageChannel } from '../chat/pageChannel.ts';
import type { Chat } from '../chat/registerChat.ts';
import type { ReplyDocuments } from '../chat/replyDocuments.ts';
import { compareTexts } from './compareTexts.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { type PageLog, PagePort } from '../platform/pagePort.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { exportComparison } from './comparisonFiles.ts';
import { compareMessage } from './compareMessage.ts';
import type { VoteStore } from './voteStore.ts';
import { CompareViews, type CompareViewDeps } from './compareViews.ts';
import { ComparisonRuns } from './comparisonRuns.ts';

export interface ComparePageDeps extends Omit<CompareViewDeps, 'modelOf'> {
  readonly experiments: Experiments;
  readonly attachments: Attachments;
  readonly replies: ReplyDocuments;
  readonly continueInChat: Chat['continueInChat'];
  readonly chatDefaults: () => ChatOptions;
  readonly onDidChangeChatDefaults: vscode.Event<unknown>;
  /** @returns a function that ends the subscription. */
  readonly onDidChangeModels: (listener: () => void) => () => void;
  /** @throws {ApiError} with a setup failure if no request can be made. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  readonly explainError: (error: unknown) => Problem;
  readonly pickModel: (current: string | undefined) => Promise<string | undefined>;
  /** Opens a connection before requests. */
  readonly warm: (model: ModelRef | undefined) => Promise<void>;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  readonly addVote: VoteStore['add'];
  readonly ranking: () => Promise<CompareRankingView>;
  /** Lets the user select a stored one. */
  readonly openComparison: () => Promise<void>;
  readonly newComparison: () => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
  readonly pageLog: PageLog;
  /** Its title changed, or another comparison is shown. */
  readonly onDidChange: (page: ComparePageHost) => void;
}

/** What would tell who wrote a blind reply. */
const namesModels: readonly ReplyAct[] = ['compareText', 'continueInChat'];

type Handlers = { readonly [M in ToCompareHost as M['type']]: (message: M) => Promise<void> | void };

/** The host of one comparison's page. All state is here, none in the page. */
export class ComparePageHost implements vscode.Disposable {
  readonly comparison: Comparison;
  readonly #deps: ComparePageDeps;
  readonly #own = new DisposableList();
  readonly #channel: PageChannel<ToComparePage>;
  readonly #attachments: PageAttachments;
  readonly #views: CompareViews;
  readonly #runs: ComparisonRuns;
  #options: ChatOptions = {};
  #order: CompareOrder = 'allAtOnce';
  #draft = '';
  #isSending = false;
  #isBlind = false;
  /** Turns that were voted on. */
  readonly #voted = new Set<string>();
  #stage: BlindStage = 'off';

  constructor(webview: vscode.Webview, comparison: Comparison, deps: ComparePageDeps) {
    this.comparison = comparison;
    this.#deps = deps;
    const { experiments } = deps;
    this.#views = new CompareViews({ ...deps, modelOf: experiments.forecast.modelOf });
    this.#isBlind = comparison.turns.at(-1)?.isBlind ?? false;
    // Turns with an earlier vote, or without one, are shown openly.
    for (const { id } of comparison.turns) this.#voted.add(id);
    this.#order = comparison.turns.at(-1)?.order ?? 'allAtOnce';
    const port = new PagePort<ToComparePage, ToCompareHost>(webview, deps.pageLog);
    this.#channel = new PageChannel(port);
    this.#runs = new ComparisonRuns(comparison, experiments, {
      onReply: (reply) => this.#showReply(reply),
      onGrew: (...growth) => {
        if (this.#stage === 'off') this.#channel.grow(...growth);
      },
    });
    const options = (): ChatOptions => this.#options;
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
    this.#own.add(port.onMessage(compareMessage, (message) => this.#receive(message)));
    this.#own.add(deps.onDidChangeChatDefaults(() => this.#setupChanged()));
    this.#own.add({ dispose: deps.onDidChangeModels(() => this.#columnsChanged()) });
    this.#own.add({ dispose: () => this.#channel.pause() });
  }

  /** Puts a text into the composer. */
  setDraft(text: string): void {
    this.#draft = text;
    if (this.#channel.isOpen) this.#start();
  }

  setOptions(options: ChatOptions): void {
    this.#options = options;
    this.#setupChanged();
  }

  /** Asks something that wasn't typed here. @param content as it's sent, including attachments */
  ask(text: string, content: ComparedTurn['content']): Promise<void> {
    const turn = this.#turn(text, [], this.comparison.columns);
    return this.#send(text, this.comparison.columns, () => Promise.resolve({ ...turn, content }));
  }

  focusComposer(): void {
    this.#channel.postWhenOpen({ type: 'composerFocused' });
  }

  /** Asks for a model and adds a column for it. */
  addModel(): Promise<void> {
    return this.#chooseModel();
  }

  /** The page is hidden, which destroys it. Its requests continue. */
  hidden(): void {
    this.#channel.pause();
  }

  /** Stops what runs. Settles once it has ended. */
  ended(): Promise<void> {
    return this.#runs.ended();
  }

  dispose(): void {
    this.#runs.stop();
    this.#own.dispose();
  }

  #receive(message: ToCompareHost): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mapped type ties each tag to its handler, which TypeScript can't see through the look-up
    const handle = this.#handlers[message.type] as (message: unknown) => Promise<void> | void;
    const run = async () => handle(message);
    run().catch(this.#deps.onUnexpected);
  }

  get #handlers(): Handlers {
    return {
      ...this.#attachments.handlers,
      ready: async () => {
        await this.#deps.attachments.drafts.load(this.comparison.id);
        this.#start();
      },
      compare: ({ text, attachments, to }) => this.#compare(text, attachments, to),
      askColumn: ({ columnId }) => this.#askAgain(columnId),
      retry: ({ replyId }) => {
        const reply = this.comparison.reply(replyId);
        return reply === undefined ? undefined : this.#askAgain(reply.columnId, reply.turnId);
      },
      stop: () => this.#runs.stop(),
      stopColumn: ({ columnId }) => this.#runs.stop(columnId),
      chooseModel: ({ columnId }) => this.#chooseModel(columnId),
      closeColumn: ({ columnId }) => {
        if (this.#stage !== 'off') return;
        this.#runs.stop(columnId);
        this.#setColumns(this.comparison.columns.filter(({ id }) => id !== columnId));
      },
      setBlind: ({ isBlind }) => {
        this.#isBlind = isBlind;
        this.#setupChanged();
      },
      vote: ({ choice }) => this.#vote(choice),
      showRanking: async () => this.#channel.post({ type: 'rankingShown', ranking: await this.#deps.ranking() }),
      openComparison: () => this.#deps.openComparison(),
      newComparison: () => this.#deps.newComparison(),
      exportComparison: () => this.#export(),
      setOrder: ({ order }) => {
        this.#order = order;
        this.#setupChanged();
      },
      optionsChanged: ({ options }) => {
        this.#options = options;
        this.#setupChanged();
      },
      composing: async () => {
        for (const { model } of this.comparison.columns) await this.#deps.warm(model);
      },
      draftChanged: ({ text }) => {
        this.#draft = text;
        this.#estimate();
      },
      actOnReply: async ({ replyId, act }) => {
        const reply = this.comparison.reply(replyId);
        if (reply === undefined || (this.#stage !== 'off' && namesModels.includes(act))) return;
        if (act === 'copy' && (await copyText(reply.text))) this.#channel.post({ type: 'copied' });
        if (act === 'continueInChat') {
          await this.#deps.continueInChat((by) => continuedConversation(this.comparison, reply.columnId, by));
        }
        if (act === 'compareText') await compareTexts(reply, this.comparison, this.#deps.replies);
        if (act === 'insert') await insertCode(reply.text, this.#deps.attachments.editor());
      },
      copyText: async ({ text }) => {
        if (await copyText(text)) this.#channel.post({ type: 'copied' });
      },
      insertCode: ({ text }) => insertCode(text, this.#deps.attachments.editor()),
      compareCode: ({ text }) => compareCode(text, this.#deps.attachments.editor(), this.#deps.replies),
      openCode: ({ text, language }) => openCode(text, language),
      openLink: ({ href }) => openLink(href),
      runAction: ({ action, replyId, model }) => this.#runAction(action, replyId, model),
    };
  }

  #start(): void {
    this.#channel.start({ type: 'snapshot', snapshot: this.#snapshot() });
    this.#deps.onDidChange(this);
  }

  #snapshot(): CompareSnapshot {
    const { id, title, columns, turns, replies } = this.comparison;
    return {
      comparisonId: id,
      title,
      columns: this.#columnViews(columns),
      turns: turns.map((turn) => this.#views.turn(turn)),
      // While a question is blind, what was said before would tell who is who.
      replies: replies
        .filter(({ turnId }) => this.#stage === 'off' || turnId === turns.at(-1)?.id)
        .map((reply) => this.#replyView(this.#runs.current(reply))),
      options: this.#options,
      defaults: this.#deps.chatDefaults(),
      order: this.#order,
      isBlind: this.#isBlind,
      blindStage: this.#stage,
      draft: this.#draft,
      estimate: this.#estimated(),
      attachments: this.#attachments.view(),
    };
  }

  async #compare(text: string, ids: readonly string[], to: string | undefined): Promise<void> {
    const { columns, id } = this.comparison;
    const asked = to === undefined ? columns : columns.filter((column) => column.id === to);
    const attachments = ids.length === 0 ? [] : await this.#attachments.chosen(id, ids);
    if (attachments.length !== ids.length) return this.#refuse(text, problemOfChangedAttachments());
    const turn = this.#turn(text, attachments, asked);
    await this.#send(text, asked, async () => ({ ...turn, content: await this.#content(text, attachments) }));
  }

  #turn(text: string, attachments: readonly Attachment[], columns: readonly ComparedColumn[]): ComparedTurn {
    return {
      id: crypto.randomUUID(),
      at: Date.now(),
      text,
      attachments,
      content: text,
      order: this.#order,
      columns: columns.map((column) => column.id),
      isBlind: this.#isBlind,
    };
  }

  /** The last question unless another one is given. */
  #askAgain(columnId: string, turnId?: string): Promise<void> {
    const { turns } = this.comparison;
    const column = this.comparison.column(columnId);
    const turn = turnId === undefined ? turns.at(-1) : turns.find(({ id }) => id === turnId);
    if (column === undefined || turn === undefined) return Promise.resolve();
    const columns = [...new Set([...turn.columns, columnId])];
    return this.#send('', [column], () => Promise.resolve({ ...turn, columns }));
  }

  /** @param text typed by the user, to restore if nothing is sent */
  async #send(text: string, columns: readonly ComparedColumn[], turnOf: () => Promise<ComparedTurn>): Promise<void> {
    if (this.#isSending || columns.some(({ id }) => this.comparison.isRunning(id))) {
      return this.#refuse(text, problemOfRunningReply());
    }
    this.#isSending = true;
    try {
      for (const { model } of columns) await this.#deps.checkSetup(model);
      const turn = await turnOf();
      const refused = this.#refusal(turn, columns);
      if (refused !== undefined) return this.#refuse(text, refused);
      await this.#runs.send(turn, columns, this.#setup, () => {
        this.#attachments.sent(this.comparison.id, turn.attachments);
        if (this.#channel.isOpen) this.#channel.post({ type: 'turnChanged', turn: this.#views.turn(turn) });
        if (text !== '') this.#draft = '';
      });
      this.#deps.onDidChange(this);
      this.#estimate();
    } catch (error) {
      this.#refuse(text, this.#deps.explainError(error));
    } finally {
      this.#isSending = false;
    }
  }

  get #setup() {
    return { options: { ...this.#deps.chatDefaults(), ...this.#options }, order: this.#order };
  }

  #refusal(turn: ComparedTurn, columns: readonly ComparedColumn[]): Problem | undefined {
    const experiment = this.comparison.experiment(turn, columns, { ...this.#setup, unique: '0' });
    const [fault] = experimentFaults(experiment, this.#deps.experiments.forecast);
    if (fault !== undefined) return problemOfComparison(fault);
    if (!turn.attachments.some(({ kind }) => kind === 'picture')) return undefined;
    const blind = columns.find(({ model }) => this.#deps.attachments.models.seesPictures(model) === false);
    return blind === undefined ? undefined : problemOfBlindModel(blind.model);
  }

  async #content(text: string, attachments: readonly Attachment[]): Promise<ComparedTurn['content']> {
    const message = { role: 'user', id: '', at: 0, text, attachments } as const;
    const source = this.#deps.attachments.source(this.comparison.id);
    const contents = await attachedContents([message], '', {
      read: (attachment) => source.read(attachment),
      seesPictures: () => true,
    });
    const [sent] = chatRequest('', {}, [message], contents).messages;
    return sent?.role === 'user' ? sent.content : text;
  }

  async #chooseModel(columnId?: string): Promise<void> {
    const { columns } = this.comparison;
    // The list of models shows the one that the column has.
    if (columnId === undefined ? columns.length >= maxColumns : this.#stage !== 'off') return;
    const column = columnId === undefined ? undefined : this.comparison.column(columnId);
    const model = await this.#deps.pickModel(column?.model);
    if (model === undefined) return;
    if (column === undefined) this.#setColumns([...columns, { id: crypto.randomUUID(), model }]);
    else {
      this.#runs.stop(column.id);
      const { service: _other, ...kept } = column;
      this.#setColumns(columns.map((each) => (each.id === column.id ? { ...kept, model } : each)));
    }
    this.focusComposer();
  }

  #setColumns(columns: readonly ComparedColumn[]): void {
    this.comparison.setColumns(columns);
    this.#columnsChanged();
    this.#deps.onDidChange(this);
  }

  #columnsChanged(): void {
    const columns = this.#columnViews(this.comparison.columns);
    if (this.#channel.isOpen) this.#channel.post({ type: 'columnsChanged', columns });
    this.#estimate();
  }

  #setupChanged(): void {
    const setup = { options: this.#options, order: this.#order, isBlind: this.#isBlind };
    if (this.#channel.isOpen) this.#channel.post({ type: 'setupChanged', ...setup });
    this.#estimate();
  }

  #showReply(reply: ComparedReply): void {
    const before = this.#stage;
    this.#stage = blindStage(this.comparison, this.#voted);
    if (!this.#channel.isOpen) return;
    // The whole page looks different then.
    if (this.#stage !== before) this.#start();
    else this.#channel.post({ type: 'replyShown', reply: this.#replyView(reply) });
  }

  async #vote(choice: BlindChoice): Promise<void> {
    const turn = this.comparison.turns.at(-1);
    const vote = this.#stage === 'voting' ? blindVote(this.comparison, choice) : undefined;
    if (turn === undefined || vote === undefined) return;
    try {
      await this.#deps.addVote(vote);
    } catch (error) {
      return this.#refuse('', this.#deps.explainError(error));
    }
    this.#voted.add(turn.id);
    this.#stage = 'off';
    this.#start();
  }

  async #export(): Promise<void> {
    if (this.#stage === 'off') return exportComparison(this.comparison);
    void plainWindow.showInformationMessage(vscode.l10n.t('Vote first: the export names the models.'));
  }

  /** Without names, prices, and column order while a question is blind. */
  #columnViews(columns: readonly ComparedColumn[]): readonly CompareColumnView[] {
    const turn = this.comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return columns.map((column) => this.#views.column(column));
    return blindOrder(columns, turn.id).map((column, index) => this.#views.blindColumn(column, index));
  }

  #replyView(reply: ComparedReply): CompareReplyView {
    const turn = this.comparison.turns.at(-1);
    if (this.#stage === 'off' || turn === undefined) return this.#views.reply(reply);
    const place = blindOrder(this.comparison.columns, turn.id).findIndex(({ id }) => id === reply.columnId);
    return this.#views.blindReply(reply, place, this.#stage === 'writing' && reply.turnId === turn.id);
  }

  #estimate(): void {
    if (this.#channel.isOpen) this.#channel.post({ type: 'estimated', estimate: this.#estimated() });
  }

  #estimated() {
    const { columns, id } = this.comparison;
    const { drafts } = this.#deps.attachments;
    const attached = drafts.of(id).reduce((sum, { tokens }) => sum + tokens, 0);
    if (this.#draft.trim() === '' && attached === 0) return {};
    const turn = this.#turn(this.#draft, [], columns);
    const experiment = this.comparison.experiment(turn, columns, { ...this.#setup, unique: '0' });
    return compareEstimate(experiment, this.#deps.experiments.forecast, attached);
  }

  #refuse(text: string, problem: Problem): void {
    this.#channel.post({ type: 'askRefused', text, problem });
  }

  async #runAction(action: ProblemActionKind, replyId: string | undefined, model?: ModelRef): Promise<void> {
    const reply = replyId === undefined ? undefined : this.comparison.reply(replyId);
    switch (action) {
      case 'retry':
        return reply === undefined ? undefined : this.#askAgain(reply.columnId, reply.turnId);
      case 'selectModel':
        return this.#chooseModel(reply?.columnId);
      case 'useModel': {
        // A page isn't trusted to name a model that isn't listed.
        const isListed = model !== undefined && this.#deps.experiments.forecast.modelOf({ id: model }) !== undefined;
        if (reply === undefined || !isListed) return undefined;
        const replaced = this.comparison.columns.map((each) =>
          each.id === reply.columnId ? { ...each, model } : each,
        );
        this.#setColumns(replaced);
        return this.#askAgain(reply.columnId, reply.turnId);
      }
      case 'continue':
      case 'newChat':
      case 'openParameters':
        return undefined;
      default:
        return this.#deps.runAction(action, reply && refParts(reply.model).service);
    }
  }
}
