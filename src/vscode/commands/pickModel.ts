import * as vscode from 'vscode';
import type { ModelInfo } from '../../api/types.ts';
import { groupByProvider, mayChat, modelFacts } from '../../core/modelList.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import { DisposableList } from '../disposables.ts';
import { plainLabel } from '../plainLabel.ts';
import type { ServiceCalls } from './serviceCalls.ts';

export interface PickModelDeps {
  readonly service: Pick<ServiceCalls, 'listModels'>;
  /** Turns what `listModels` threw into words. */
  readonly explain: (error: unknown) => Problem;
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
}

interface Row extends vscode.QuickPickItem {
  /** The model this row chooses. */
  readonly model?: string;
  /** What this row of a failed list does instead. */
  readonly action?: ProblemActionKind;
}

type State =
  | { readonly type: 'loading' }
  | { readonly type: 'listed'; readonly models: readonly ModelInfo[] }
  | { readonly type: 'failed'; readonly problem: Problem };

/**
 * Asks for a model: from the service's catalogue, or typed, because a catalogue need not list every
 * model. Undefined when the person leaves. The catalogue is asked for each time: this is the person's act.
 */
export function pickModel(current: string | undefined, deps: PickModelDeps): Promise<string | undefined> {
  return new ModelPick(current, deps).run();
}

class ModelPick {
  readonly #deps: PickModelDeps;
  readonly #current: string | undefined;
  readonly #own = new DisposableList();
  readonly #pick = this.#own.add(vscode.window.createQuickPick<Row>());
  readonly #chosen = Promise.withResolvers<string | undefined>();
  readonly #abort = new AbortController();
  #state: State = { type: 'loading' };
  #allKinds = false;

  constructor(current: string | undefined, deps: PickModelDeps) {
    this.#current = current;
    this.#deps = deps;
  }

  async run(): Promise<string | undefined> {
    const pick = this.#pick;
    pick.title = vscode.l10n.t('Select Model');
    pick.placeholder = vscode.l10n.t('Search, or type a model as <provider>/<model>');
    pick.matchOnDescription = true;
    this.#own.add(pick.onDidChangeValue(() => this.#draw()));
    this.#own.add(pick.onDidAccept(() => this.#accept(pick.selectedItems[0])));
    this.#own.add(pick.onDidTriggerButton(() => this.#toggleKinds()));
    this.#own.add(pick.onDidHide(() => this.#chosen.resolve(undefined)));
    pick.show();
    // A failure is a state of the list and never rejects.
    void this.#load();
    try {
      return await this.#chosen.promise;
    } finally {
      this.#abort.abort();
      this.#own.dispose();
    }
  }

  async #load(): Promise<void> {
    this.#set({ type: 'loading' });
    try {
      const models = await this.#deps.service.listModels({ signal: this.#abort.signal });
      this.#set({ type: 'listed', models });
    } catch (error) {
      if (!this.#abort.signal.aborted) {
        this.#set({ type: 'failed', problem: this.#deps.explain(error) });
      }
    }
  }

  #set(state: State): void {
    if (this.#own.disposed) {
      return;
    }
    this.#state = state;
    this.#pick.busy = state.type === 'loading';
    this.#draw();
  }

  #accept(row: Row | undefined): void {
    if (row?.model !== undefined) {
      this.#chosen.resolve(row.model);
    } else if (row?.action === 'retry') {
      void this.#load();
    } else if (row?.action !== undefined) {
      const { action } = row;
      this.#chosen.resolve(undefined);
      void this.#deps.runAction(action);
    }
  }

  #toggleKinds(): void {
    this.#allKinds = !this.#allKinds;
    this.#draw();
  }

  #draw(): void {
    const pick = this.#pick;
    const active = pick.activeItems[0]?.model ?? this.#current;
    // What is typed comes last, so that Enter takes the best match of the list where there is one.
    const rows = [...this.#stateRows(), ...this.#typedRows()];
    pick.items = rows;
    const keep = rows.find((row) => row.model !== undefined && row.model === active);
    // Of a failed list, the first thing to do rather than the words about it.
    const start = pick.value === '' ? (keep ?? rows.find((row) => row.action !== undefined)) : undefined;
    if (start !== undefined) {
      pick.activeItems = [start];
    }
    pick.buttons = this.#kindButtons();
  }

  #kindButtons(): readonly vscode.QuickInputButton[] {
    if (this.#state.type !== 'listed' || this.#state.models.every(mayChat)) {
      return [];
    }
    return [
      this.#allKinds
        ? { iconPath: new vscode.ThemeIcon('filter-filled'), tooltip: vscode.l10n.t('Show Chat Models Only') }
        : { iconPath: new vscode.ThemeIcon('filter'), tooltip: vscode.l10n.t('Show Models of All Kinds') },
    ];
  }

  #stateRows(): readonly Row[] {
    switch (this.#state.type) {
      case 'loading':
        return [];
      case 'failed':
        return failedRows(this.#state.problem);
      case 'listed':
        return this.#modelRows(this.#state.models);
    }
  }

  #modelRows(models: readonly ModelInfo[]): readonly Row[] {
    const shown = this.#shown(models);
    if (shown.length === 0) {
      return [
        {
          label: vscode.l10n.t('$(info) The service lists no models'),
          detail: vscode.l10n.t('Type the name of one, as the service writes it.'),
          alwaysShow: true,
        },
      ];
    }
    return groupByProvider(shown).flatMap(({ provider, models: group }): readonly Row[] => [
      { label: provider === '' ? vscode.l10n.t('Other') : provider, kind: vscode.QuickPickItemKind.Separator },
      ...group.map((model) => ({
        label: plainLabel(model.id),
        description: [modelFacts(model), model.id === this.#current ? vscode.l10n.t('current') : '']
          .filter((fact) => fact !== '')
          .join(' · '),
        model: model.id,
      })),
    ]);
  }

  #shown(models: readonly ModelInfo[]): readonly ModelInfo[] {
    return this.#allKinds ? models : models.filter(mayChat);
  }

  /** For the id that the list above lacks. */
  #typedRows(): readonly Row[] {
    const typed = this.#pick.value.trim();
    if (typed === '' || /\s/.test(typed) || typed.length > 256) {
      return [];
    }
    const listed = this.#state.type === 'listed' && this.#shown(this.#state.models).some(({ id }) => id === typed);
    return listed
      ? []
      : [
          { label: vscode.l10n.t('By name'), kind: vscode.QuickPickItemKind.Separator },
          { label: vscode.l10n.t('$(edit) Use “{0}”', plainLabel(typed)), alwaysShow: true, model: typed },
        ];
  }
}

function failedRows(problem: Problem): readonly Row[] {
  return [
    { label: `$(error) ${problem.title}`, detail: problem.detail, alwaysShow: true },
    ...problem.actions.map((action) => ({
      label: action.kind === 'retry' ? `$(refresh) ${action.label}` : `$(arrow-right) ${action.label}`,
      alwaysShow: true,
      action: action.kind,
    })),
  ];
}
