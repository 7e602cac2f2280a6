import type { ModelRef } from '../../shared/modelRef.ts';

const mostKept = 100;

/**
 * The model that each confirmation showed, until the tool runs: selected again, it could be another one by then. VS
 * Code passes a tool its input at the confirmation and at the run, and nothing else that connects the two.
 */
export class ConfirmedModels {
  /** By tool and input, oldest first. */
  readonly #models = new Map<string, string>();

  shown(tool: string, input: object, model: ModelRef): void {
    const key = JSON.stringify([tool, input]);
    this.#models.delete(key);
    this.#models.set(key, model);
    // The user declined some.
    for (const [oldest] of this.#models) if (this.#models.size > mostKept) this.#models.delete(oldest);
  }

  /** The model that the confirmation showed. Undefined if nobody was asked. */
  take(tool: string, input: object): string | undefined {
    const key = JSON.stringify([tool, input]);
    const model = this.#models.get(key);
    this.#models.delete(key);
    return model;
  }
}
