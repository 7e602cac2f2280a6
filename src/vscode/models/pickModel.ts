import { mainServiceId, type ModelRef, modelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { imagesText, selectWords, type WantedModel } from '../../core/models/kindText.ts';
import { type BestModels, bestModels } from '../../core/models/bestModels.ts';
import { speedOf } from '../../core/models/measuredModel.ts';
import { modelFacts } from '../../core/models/modelFacts.ts';
import type { ModelGroup } from '../../core/models/modelGroups.ts';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import { inline } from '../../words/inline.ts';
import { numberText } from '../../words/numberText.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { Explainer } from '../problems/explainer.ts';
import { modelChoices } from '../../core/models/modelChoices.ts';
import { bringUpToDate, type ModelSources } from './modelSources.ts';
import { groupLabel } from '../../core/models/groupLabel.ts';
import type { ShownItem } from '../platform/plainItems.ts';
import { commandIds } from '../settings/contributions.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { LateRow, type ModelWords } from './lateRow.ts';
import { matchingRows } from '../../core/models/matchingRows.ts';
import { meantRow } from './meantRow.ts';
import { hasSeveralServices, modelLabel, serviceName, serviceNames } from '../../words/modelLabel.ts';

export interface PickModelDeps {
  readonly models: ModelSources;
  readonly explainer: Explainer;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  /** What services are known to lack, so that their rows say so. */
  readonly support: () => Pick<ServiceSupport, 'load' | 'lacking'>;
}

/**
 * Asks for a model, for a chat by default.
 *
 * @param only ID of the service whose models are offered; all of them if absent
 */
export type PickModel = (
  current: ModelRef | undefined,
  wanted?: WantedModel,
  only?: string,
) => Promise<ModelRef | undefined>;

interface Row extends ShownItem {
  /** The model that this row selects. */
  readonly model?: ModelRef;
  /** What this row does instead if fetching the list failed. */
  readonly action?: ProblemActionKind;
  /** ID of the service that the action is about; the main one's if absent. */
  readonly service?: string;
}

/**
 * Asks for a model, from the list or typed, because model lists can be incomplete. Undefined if the user cancels. Known
 * models are shown at once, and an old list is fetched again.
 */
export function pickModel(
  current: ModelRef | undefined,
  deps: PickModelDeps,
  wanted: WantedModel = 'chat',
  only?: string,
): Promise<ModelRef | undefined> {
  return new ModelPick(current, deps, wanted, only).run();
}

class ModelPick {
  readonly #deps: PickModelDeps;
  readonly #current: ModelRef | undefined;
  readonly #wanted: WantedModel;
  readonly #only: string | undefined;
  readonly #own = new DisposableList();
  readonly #pick = this.#own.add(plainWindow.createQuickPick<Row>());
  readonly #chosen = Promise.withResolvers<ModelRef | undefined>();
  readonly #star = { iconPath: new vscode.ThemeIcon('star-empty'), tooltip: vscode.l10n.t('Add to Favorites') };
  readonly #unstar = { iconPath: new vscode.ThemeIcon('star-full'), tooltip: vscode.l10n.t('Remove from Favorites') };
  readonly #add = { iconPath: new vscode.ThemeIcon('add'), tooltip: vscode.l10n.t('Add Service…') };
  #rows: readonly Row[] = [];
  #drawn: readonly Row[] = [];
  #drawnBefore: readonly Row[] = [];
  #allKinds = false;
  #best: BestModels = {};
  /** IDs of services. */
  #lacking: ReadonlySet<string> = new Set();
  /** IDs of services that lack this or can't be sent images. */
  #blind: ReadonlySet<string> = new Set();

  constructor(current: ModelRef | undefined, deps: PickModelDeps, wanted: WantedModel, only: string | undefined) {
    this.#current = current;
    this.#wanted = wanted;
    this.#only = only;
    this.#deps = deps;
  }

  async run(): Promise<ModelRef | undefined> {
    const pick = this.#pick;
    const { catalog, marks } = this.#deps.models;
    pick.title = selectWords(this.#wanted).title;
    pick.placeholder = vscode.l10n.t('Search, or type a model ID (<provider>/<model>)');
    pick.matchOnDescription = true;
    this.#own.add(pick.onDidChangeValue(() => this.#draw()));
    this.#own.add(
      pick.onDidAccept(() => this.#accept(meantRow(pick.selectedItems[0], this.#drawn, this.#drawnBefore, pick.value))),
    );
    this.#own.add(pick.onDidTriggerButton((button) => this.#press(button)));
    this.#own.add(pick.onDidTriggerItemButton(({ item }) => this.#toggleFavorite(item)));
    this.#own.add(pick.onDidHide(() => this.#chosen.resolve(undefined)));
    for (const stop of [catalog.onDidChange(() => this.#changed()), marks.onDidChange(() => this.#changed())]) {
      this.#own.add({ dispose: stop });
    }
    this.#changed();
    pick.show();
    bringUpToDate(this.#deps.models).catch(this.#chosen.reject);
    this.#markLacking().catch(this.#chosen.reject);
    try {
      return await this.#chosen.promise;
    } finally {
      this.#own.dispose();
    }
  }

  #changed(): void {
    this.#rows = this.#stateRows();
    this.#pick.busy = this.#deps.models.catalog.isRefreshing;
    this.#draw();
  }

  async #markLacking(): Promise<void> {
    const support = this.#deps.support();
    await support.load();
    this.#lacking = support.lacking(this.#wanted);
    this.#blind = new Set([...this.#lacking, ...support.lacking('multimodal')]);
    if (this.#blind.size > 0) this.#changed();
  }

  #toggleFavorite({ model }: Row): void {
    const { marks } = this.#deps.models;
    if (model !== undefined) marks.setFavorite(model, !marks.isFavorite(model)).catch(this.#chosen.reject);
  }

  #accept(row: Row | undefined): void {
    if (row?.model !== undefined) {
      this.#chosen.resolve(row.model);
    } else if (row?.action === 'retry') {
      const { catalog } = this.#deps.models;
      const asked = row.service === undefined ? catalog : (catalog.of(row.service) ?? catalog);
      // A failure is part of the catalog's state.
      asked.refresh().catch(() => undefined);
    } else if (row?.action !== undefined) {
      const { action, service } = row;
      this.#chosen.resolve(undefined);
      void this.#deps.runAction(action, service);
    }
  }

  #press(button: vscode.QuickInputButton): void {
    if (button !== this.#add) return this.#toggleKinds();
    this.#chosen.resolve(undefined);
    void vscode.commands.executeCommand(commandIds.addService);
  }

  #toggleKinds(): void {
    this.#allKinds = !this.#allKinds;
    this.#changed();
  }

  #draw(): void {
    const pick = this.#pick;
    const active = pick.activeItems[0]?.model ?? this.#current;
    // The typed text comes last, so that Enter selects the best match in the list, if any.
    const rows = [...this.#shownRows(), ...this.#typedRows()];
    this.#drawnBefore = this.#drawn;
    this.#drawn = rows;
    pick.items = rows;
    const keep = rows.find((row) => row.model !== undefined && row.model === active);
    // If fetching failed, the first action rather than the message about it.
    const start = pick.value === '' ? (keep ?? rows.find((row) => row.action !== undefined)) : undefined;
    if (start !== undefined) pick.activeItems = [start];
    pick.buttons = [...this.#kindButtons(), ...(this.#only === undefined ? [this.#add] : [])];
  }

  /** VS Code matches and sorts the rows itself. A long list is first reduced to possible matches. */
  #shownRows(): readonly Row[] {
    const rows = matchingRows(this.#rows, this.#pick.value);
    if (this.#pick.value.trim() !== '' || rows === this.#rows) return rows;
    const count = this.#rows.filter(({ model }) => model !== undefined).length;
    const label = vscode.l10n.t('Type to search all {0} models', numberText(count));
    return [...rows, { icon: 'search', label, alwaysShow: true }];
  }

  #kindButtons(): readonly vscode.QuickInputButton[] {
    const { models } = this.#deps.models.catalog.index;
    const fitting = models.filter(({ abilities }) => abilities.has(this.#wanted)).length;
    if (fitting === 0 || fitting === models.length) return [];
    return [
      this.#allKinds
        ? { iconPath: new vscode.ThemeIcon('filter-filled'), tooltip: selectWords(this.#wanted).onlyThese }
        : { iconPath: new vscode.ThemeIcon('filter'), tooltip: vscode.l10n.t('Show Models of All Kinds') },
    ];
  }

  #stateRows(): readonly Row[] {
    const { catalog } = this.#deps.models;
    const { error, fetchedAt, isRefreshing } = catalog;
    if (hasSeveralServices()) return [...this.#modelRows(), ...this.#downRows()];
    // An existing list stays. The error is only shown without one, after favorites and recently used models.
    if (fetchedAt !== undefined) return this.#modelRows();
    const isFailed = !isRefreshing && error !== undefined;
    return [
      ...this.#knownRows(),
      ...(isFailed ? failedRows(this.#deps.explainer.problemOfError(error.cause, { during: 'catalog' })) : []),
    ];
  }

  /** Services that couldn't list their models, after all the models of the others. */
  #downRows(): readonly Row[] {
    const rows = [...this.#deps.models.catalog.byService].flatMap(([service, { error, fetchedAt, isRefreshing }]) => {
      if (error === undefined || fetchedAt !== undefined || isRefreshing || this.#isLeftOut(service)) return [];
      const problem = this.#deps.explainer.problemOfError(error.cause, { during: 'catalog', service });
      const label = vscode.l10n.t('{0}: {1}', serviceName(service), problem.title);
      return [
        { icon: 'warning', label, detail: problem.detail, service, action: 'retry' as const },
        ...actionRows(problem, service).filter(({ action }) => action !== 'retry'),
      ];
    });
    if (rows.length === 0) return [];
    return [{ label: vscode.l10n.t('Not Available'), kind: vscode.QuickPickItemKind.Separator }, ...rows];
  }

  #isLeftOut(service: string): boolean {
    return this.#only !== undefined && this.#only !== service;
  }

  #knownRows(): readonly Row[] {
    const { models } = this.#deps;
    const { catalog, measured } = models;
    const index = (this.#only === undefined ? undefined : catalog.of(this.#only)?.index) ?? catalog.index;
    const groups = this.#offered(
      modelChoices({ ...models, catalog: { index } }, this.#allKinds ? undefined : this.#wanted),
    );
    this.#best = bestModels(groups, (id) => speedOf(measured.figures(id)));
    return groups.flatMap((group, place) => this.#groupRows(group, place === 0));
  }

  #modelRows(): readonly Row[] {
    const { catalog } = this.#deps.models;
    const known = this.#knownRows();
    if (known.length > 0) return known;
    if (hasSeveralServices() && (catalog.isRefreshing || catalog.error !== undefined)) return [];
    return [
      {
        icon: 'info',
        label: vscode.l10n.t('The service lists no models'),
        detail: vscode.l10n.t('Type a model ID, exactly as the service spells it.'),
        alwaysShow: true,
      },
    ];
  }

  #offered(groups: readonly ModelGroup[]): readonly ModelGroup[] {
    return groups
      .map((group) => ({ ...group, models: group.models.filter(({ service }) => !this.#isLeftOut(service)) }))
      .filter(({ models }) => models.length > 0);
  }

  #groupRows(group: ModelGroup, isFirst: boolean): readonly Row[] {
    // Models of other kinds have none of these figures.
    const isExplained = isFirst && this.#wanted === 'chat';
    const separator = { label: headingOf(group, isExplained), kind: vscode.QuickPickItemKind.Separator };
    return [separator, ...group.models.map((entry) => new LateRow(entry, (each) => this.#row(each)))];
  }

  #row(entry: IndexedModel): ModelWords {
    const { model, isListed, service } = entry;
    const { marks, measured } = this.#deps.models;
    const facts = [
      this.#lacking.has(service) ? vscode.l10n.t('not supported by the service') : '',
      isListed ? '' : vscode.l10n.t('not in the list'),
      modelFacts(model, speedOf(measured.figures(model.id))),
      this.#wanted === 'chat' ? imagesText(entry, this.#blind) : '',
      model.id === this.#current ? vscode.l10n.t('current') : '',
      model.id === this.#best.fastest ? vscode.l10n.t('fastest') : '',
      model.id === this.#best.cheapest ? vscode.l10n.t('cheapest') : '',
    ];
    return {
      label: inline(modelLabel(model.id), 256),
      description: facts.filter((fact) => fact !== '').join(' · '),
      buttons: [marks.isFavorite(model.id) ? this.#unstar : this.#star],
    };
  }

  /** For an ID that isn't in the list above. */
  #typedRows(): readonly Row[] {
    const typed = this.#pick.value.trim();
    if (typed === '' || /\s/.test(typed) || typed.length > 256) return [];
    const offered = new Set(this.#rows.map(({ model }) => model));
    const ids = Object.keys(serviceNames());
    const services = (ids.length === 0 ? [mainServiceId] : ids).filter((service) => !this.#isLeftOut(service));
    const refs = services.map((service) => modelRef(service, typed));
    const rows = refs.filter((ref) => !offered.has(ref));
    return rows.length === 0
      ? []
      : [
          { label: vscode.l10n.t('By ID'), kind: vscode.QuickPickItemKind.Separator },
          ...rows.map((ref) => ({
            icon: 'edit',
            // VS Code puts rows whose label matches first, in alphabetical order, and only then the others.
            label: '',
            description: vscode.l10n.t('Use "{0}"', modelLabel(ref)),
            alwaysShow: true,
            model: ref,
          })),
        ];
  }
}

function failedRows(problem: Problem): readonly Row[] {
  return [
    { icon: 'error', label: problem.title, detail: problem.detail, alwaysShow: true },
    ...actionRows(problem, problem.service).map((row) => ({ ...row, alwaysShow: true })),
  ];
}

function actionRows({ actions }: Problem, service: string | undefined) {
  return actions.map(({ kind, label }) => ({
    icon: kind === 'retry' ? 'refresh' : 'arrow-right',
    label,
    action: kind,
    ...(service !== undefined && { service }),
  }));
}

/** The first group explains the figures in all rows, because VS Code's lists have no columns. */
function headingOf(group: ModelGroup, isExplained: boolean): string {
  const label = groupLabel(group);
  return isExplained ? vscode.l10n.t('{0}: speed · first token · price in/out per 1M tokens · context', label) : label;
}
