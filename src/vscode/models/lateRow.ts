import type * as vscode from 'vscode';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import type { ModelRef } from '../../shared/modelRef.ts';

/** What a row says about its model. */
export interface ModelWords {
  readonly label: string;
  readonly description: string;
  readonly buttons: readonly vscode.QuickInputButton[];
}

/** The row of a model, worded when it's first shown: of tens of thousands, most never are. */
export class LateRow {
  readonly model: ModelRef;
  readonly searched: string;
  readonly #entry: IndexedModel;
  readonly #say: (entry: IndexedModel) => ModelWords;
  #words: ModelWords | undefined;

  constructor(entry: IndexedModel, say: (entry: IndexedModel) => ModelWords) {
    this.model = entry.model.id;
    this.searched = entry.searched;
    this.#entry = entry;
    this.#say = say;
  }

  get label(): string {
    return this.#said.label;
  }

  get description(): string {
    return this.#said.description;
  }

  get buttons(): readonly vscode.QuickInputButton[] {
    return this.#said.buttons;
  }

  get #said(): ModelWords {
    return (this.#words ??= this.#say(this.#entry));
  }
}
