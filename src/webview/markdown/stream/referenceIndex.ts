import { referenceLabels } from './boundedLexer.ts';

/**
 * Committed text that may refer to a link by its label, so that a definition that comes later
 * redraws exactly the text it changes.
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

  /** Removes and returns what refers to `label`: the first definition of a label is the only one. */
  take(label: string): Iterable<T> {
    const targets = this.#byLabel.get(label);
    this.#byLabel.delete(label);
    return targets ?? [];
  }
}
