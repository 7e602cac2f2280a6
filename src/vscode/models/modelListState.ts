import * as v from 'valibot';
import * as vscode from 'vscode';
import { modelAbilities } from '../../core/models/modelAbilities.ts';
import { type ModelListView, modelSorts, plainView } from '../../core/models/modelGroups.ts';

const stateKey = 'parlance.models.view';

const schema = v.object({
  text: v.pipe(v.string(), v.maxLength(256)),
  abilities: v.array(v.picklist(modelAbilities)),
  sort: v.picklist(modelSorts),
  isGrouped: v.boolean(),
  showsHidden: v.boolean(),
}) satisfies v.GenericSchema<ModelListView>;

/** How the models are shown, stored per workspace. */
export class ModelListState implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  #view: ModelListView;

  readonly onDidChange = this.#changed.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
    const kept = v.safeParse(schema, memento.get<unknown>(stateKey));
    this.#view = kept.success ? kept.output : plainView;
  }

  get view(): ModelListView {
    return this.#view;
  }

  change(change: Partial<ModelListView>): void {
    this.#view = { ...this.#view, ...change };
    void this.#memento.update(stateKey, this.#view);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
