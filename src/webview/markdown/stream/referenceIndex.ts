import { referenceLabels } from './boundedLexer.ts';

/**
 * Committed text that might refer to a link by its label, so that a later definition only redraws the text that it
 * changes.
 */
export class ReferenceIndex<T> {
  readonly #byLabel = new Map<string, Set<T>>();

  /** `src` is the Markdown that `target` was drawn from. */
  add(src: string, target: T): void {
    for (const label of referenceLabels(src)) {
      const targets = this.#byLabel.get(label);
      if (targets === undefined) this.#byLabel.set(label, new Set([target]));
      else targets.add(target);
    }
  }

  /** Removes and returns what refers to `label`, because only the first definition of a label counts. */
  take(label: string): Iterable<T> {
    const targets = this.#byLabel.get(label);
    this.#byLabel.delete(label);
    return targets ?? [];
  }
}
