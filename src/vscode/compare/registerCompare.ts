import * as vscode from 'vscode';
import { type ComparedColumn, Comparison } from '../../core/compare/comparison.ts';
import { mayChat } from '../../core/models/modelAbilities.ts';
import { maxColumns } from '../../shared/compareProtocol.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { Attachments } from '../attachments/registerAttachments.ts';
import type { ReplyDocuments } from '../chat/replyDocuments.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { PickModel } from '../models/pickModel.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import { pageLogOf } from '../platform/pagePort.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Settings } from '../settings/settings.ts';
import { CompareEditors } from './compareEditors.ts';

export interface CompareDeps {
  readonly commands: CommandHandlers;
  readonly extensionUri: vscode.Uri;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly settings: Settings;
  readonly endpoint: EndpointSource;
  readonly explainer: Explainer;
  readonly log: Log;
  readonly warm: () => Promise<void>;
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
  /** Those of this window's chats: the composer is the same. */
  readonly attachments: Attachments;
  readonly replies: ReplyDocuments;
  readonly experiments: Experiments;
}

export interface Compare extends vscode.Disposable {
  readonly editors: vscode.WebviewPanelSerializer;
}

/** Comparisons of models: their tabs and commands. */
export function registerCompare(deps: CompareDeps): Compare {
  const own = new DisposableList();
  const { models, settings, endpoint, explainer, log, attachments, experiments } = deps;
  const { catalog, marks, measured } = models;
  const onUnexpected = (error: unknown) => log.error('Compare Models', error);
  const folders = { extensionUri: deps.extensionUri, picturesUri: vscode.Uri.file(attachments.store.folder) };
  const editors = own.add(
    new CompareEditors(
      folders,
      {
        experiments,
        attachments,
        replies: deps.replies,
        measured,
        hostOf: () => endpoint.host,
        chatDefaults: () => settings.chatDefaults(),
        onDidChangeChatDefaults: settings.onDidChangeChatDefaults,
        onDidChangeModels: (listener) => catalog.onDidChange(listener),
        checkSetup: () => endpoint.check(),
        explain: (failure, { model, at, text }) =>
          explainer.problem(failure, { model, at, hasPartialText: text !== '' }),
        explainError: (error) => explainer.problemOfError(error),
        pickModel: (current) => deps.pickModel(current),
        warm: deps.warm,
        runAction: deps.runAction,
        onUnexpected,
        pageLog: pageLogOf(log, 'compare'),
        onDidChange: () => undefined,
      },
      reopen,
    ),
  );
  deps.commands.handle(commandIds.compareModels, async () => {
    await Promise.all([catalog.load(), marks.load()]);
    editors.open(new Comparison(crypto.randomUUID(), firstColumns())).focusComposer();
  });
  return { editors, dispose: () => own.dispose() };

  async function reopen(id: string): Promise<Comparison> {
    const { store } = experiments;
    const all = (await store.list('comparison')).filter(({ experiment }) => experiment.of?.comparison === id);
    if (all.length === 0) {
      await Promise.all([catalog.load(), marks.load()]);
      return new Comparison(id, firstColumns());
    }
    const stored = all.map(async ({ experiment, createdAt }) => {
      const { log: lines } = await store.open(experiment.id);
      return { experiment, createdAt, log: lines };
    });
    return Comparison.of(id, await Promise.all(stored));
  }

  /** The model of new chats and the one that was used last besides it, so that there's nothing to do but to ask. */
  function firstColumns(): readonly ComparedColumn[] {
    const { model } = settings.chatDefaults();
    const { recent, favorites } = marks.view;
    const listed = catalog.index.models.map(({ model: { id } }) => id);
    const able = (id: string) => {
      const known = catalog.index.find(id)?.model;
      return known === undefined || mayChat(known);
    };
    const wanted = [...(model === undefined ? [] : [model]), ...recent, ...favorites, ...listed].filter(able);
    return columnsOf([...new Set(wanted)].slice(0, 2));
  }
}

function columnsOf(models: readonly string[]): readonly ComparedColumn[] {
  return models.slice(0, maxColumns).map((model) => ({ id: crypto.randomUUID(), model }));
}
