import * as vscode from 'vscode';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { ModelQuestion } from '../../shared/modelRow.ts';
import type { ToHost, ToHostHandlers } from '../../shared/protocol/chatProtocol.ts';
import { ModelRows } from '../../core/models/modelRows.ts';
import { bringUpToDate, type ModelSources } from '../models/modelSources.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import { commandIds } from '../settings/contributions.ts';
import type { PageActs } from './pageActs.ts';
import type { PageChannel } from './pageChannel.ts';
import type { ShownConversation } from './shownConversation.ts';

type Handled =
  | 'selectModel'
  | 'retryWithOther'
  | 'findModels'
  | 'takeModel'
  | 'toggleFavorite'
  | 'closeModels'
  | 'showModels'
  | 'addService';

type Message<T extends ToHost['type']> = Extract<ToHost, { type: T }>;

export interface PageModelsDeps {
  readonly models: ModelSources;
  readonly explainer: Explainer;
  readonly support: Pick<ServiceSupport, 'load' | 'lacking'>;
  /** The first model that a user selects also becomes the default. */
  readonly keepFirstModel: (model: ModelRef) => Promise<void>;
  readonly chatDefaults: () => ChatOptions;
  readonly onUnexpected: (error: unknown) => void;
}

/** The page whose model is being selected. */
export interface ChoosingPage {
  readonly channel: Pick<PageChannel, 'post' | 'postWhenOpen'>;
  readonly shown: Pick<ShownConversation, 'session'>;
  readonly acts: Pick<PageActs, 'useModel' | 'retryWith'>;
}

/** The model picker of one page: its rows while it's open, and what's selected in it. */
export class PageModels implements vscode.Disposable {
  readonly #deps: PageModelsDeps;
  readonly #page: ChoosingPage;
  readonly #rows: ModelRows;
  #asked: { readonly request: number; readonly question: ModelQuestion } | undefined;
  /** The model in use, which is marked. */
  #current: ModelRef | undefined;
  #stops: readonly (() => void)[] = [];

  constructor(deps: PageModelsDeps, page: ChoosingPage) {
    this.#deps = deps;
    this.#page = page;
    this.#rows = new ModelRows(
      { ...deps.models, lacking: (ability) => deps.support.lacking(ability) },
      (error, service) =>
        deps.explainer.problemOfError(error, { during: 'catalog', ...(service !== undefined && { service }) }),
    );
  }

  readonly handlers: Pick<ToHostHandlers, Handled> = {
    selectModel: () => this.open(),
    retryWithOther: ({ replyId }) => this.open(replyId),
    findModels: (message) => this.#find(message),
    takeModel: (message) => this.#take(message),
    toggleFavorite: ({ row }) => this.#toggleFavorite(row),
    closeModels: () => this.close(),
    showModels: async () => {
      await vscode.commands.executeCommand(commandIds.showModels);
    },
    addService: async () => {
      await vscode.commands.executeCommand(commandIds.addService);
    },
  };

  /**
   * Shows the picker in the page.
   * @param replyId the reply to try again; without one, the conversation's model is selected
   */
  open(replyId?: string): void {
    const { models, support, chatDefaults, onUnexpected } = this.#deps;
    const { session } = this.#page.shown;
    this.close();
    this.#current =
      replyId === undefined
        ? (session?.conversation.options.model ?? chatDefaults().model)
        : session?.conversation.reply(replyId)?.model;
    this.#stops = [models.catalog, models.marks].map((source) => source.onDidChange(() => this.#changed()));
    bringUpToDate(models).catch(onUnexpected);
    support.load().then(() => this.#changed(), onUnexpected);
    const question = { typed: '', allKinds: false };
    this.#asked = { request: 0, question };
    this.#page.channel.postWhenOpen({
      type: 'modelPickerOpened',
      ...(replyId !== undefined && { replyId }),
      view: this.#rows.find(question, this.#current),
    });
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#asked = undefined;
  }

  dispose(): void {
    this.close();
  }

  #find({ request, question, again = false, service }: Message<'findModels'>): void {
    // A page that has been reloaded has no picker.
    if (this.#asked === undefined) return;
    this.#asked = { request, question };
    // A failure is a state of the catalog.
    const { catalog } = this.#deps.models;
    const asked = (service === undefined ? undefined : catalog.of(service)) ?? catalog;
    if (again) asked.refresh().catch(() => undefined);
    this.#changed();
  }

  #changed(): void {
    if (this.#asked === undefined) return;
    const { request, question } = this.#asked;
    this.#page.channel.post({ type: 'modelRows', request, view: this.#rows.find(question, this.#current) });
  }

  async #take({ row, replyId }: Message<'takeModel'>): Promise<void> {
    const model = this.#rows.model(row);
    this.close();
    if (model === undefined) return;
    if (replyId === undefined) {
      await this.#page.acts.useModel(model);
      await this.#deps.keepFirstModel(model);
    } else {
      await this.#deps.keepFirstModel(model);
      await this.#page.acts.retryWith(replyId, model);
    }
  }

  async #toggleFavorite(row: string): Promise<void> {
    const { marks } = this.#deps.models;
    const model = this.#rows.model(row);
    if (model !== undefined) await marks.setFavorite(model, !marks.isFavorite(model));
  }
}
