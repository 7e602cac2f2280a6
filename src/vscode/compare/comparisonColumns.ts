import type { ComparedColumn, Comparison } from '../../core/compare/comparison.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { maxColumns } from '../../shared/protocol/compareProtocol.ts';

interface ColumnsDeps {
  readonly pickModel: (current: ModelRef | undefined) => Promise<ModelRef | undefined>;
  /** Stops the reply in a column. */
  readonly stop: (columnId: string) => void;
  readonly changed: () => void;
}

/** Which models are compared, and with which parameters. */
export class ComparisonColumns {
  readonly #comparison: Comparison;
  readonly #deps: ColumnsDeps;

  constructor(comparison: Comparison, deps: ColumnsDeps) {
    this.#comparison = comparison;
    this.#deps = deps;
  }

  /**
   * Asks for a model.
   * @param columnId the column whose model it replaces; by default, a new column
   */
  async choose(columnId: string | undefined): Promise<void> {
    const { columns } = this.#comparison;
    if (columnId === undefined && columns.length >= maxColumns) return;
    const column = columnId === undefined ? undefined : this.#comparison.column(columnId);
    const model = await this.#deps.pickModel(column?.model);
    if (model === undefined) return;
    if (column === undefined) this.#set([...this.#comparison.columns, { id: crypto.randomUUID(), model }]);
    else {
      this.#deps.stop(column.id);
      this.replaceModel(column.id, model);
    }
  }

  replaceModel(columnId: string, model: ModelRef): void {
    this.#change(columnId, (column) => ({ ...column, model }));
  }

  /** @param options none for the shared ones */
  setOptions(columnId: string, options: ChatOptions): void {
    const hasAny = Object.keys(options).length > 0;
    this.#change(columnId, ({ options: _before, ...kept }) => ({ ...kept, ...(hasAny && { options }) }));
  }

  close(columnId: string): void {
    this.#deps.stop(columnId);
    this.#set(this.#comparison.columns.filter(({ id }) => id !== columnId));
  }

  #change(columnId: string, change: (column: ComparedColumn) => ComparedColumn): void {
    this.#set(this.#comparison.columns.map((column) => (column.id === columnId ? change(column) : column)));
  }

  #set(columns: readonly ComparedColumn[]): void {
    this.#comparison.setColumns(columns);
    this.#deps.changed();
  }
}
