import type { ModelRef } from '../../shared/modelRef.ts';

const mostKept = 100;

/**
 * The models that a person was asked about, until each runs: picked anew, it could be another by then.
 * VS Code hands a tool its input at the question and at the run, and nothing else that ties the two.
 */
export class ConfirmedModels {
  /** By tool and input, the oldest first. */
  readonly #models = new Map<string, string>();

  shown(tool: string, input: object, model: ModelRef): void {
    const key = JSON.stringify([tool, input]);
    this.#models.delete(key);
    this.#models.set(key, model);
    // The person said no to some.
    for (const [oldest] of this.#models) if (this.#models.size > mostKept) this.#models.delete(oldest);
  }

  /** The model that was shown for it. Undefined where nobody was asked. */
  take(tool: string, input: object): string | undefined {
    const key = JSON.stringify([tool, input]);
    const model = this.#models.get(key);
    this.#models.delete(key);
    return model;
  }
}
