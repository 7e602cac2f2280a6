import { takesPictures } from '../../core/models/modelAbilities.ts';
import type { ModelCatalog } from '../../core/models/modelCatalog.ts';

const AGAIN_AFTER_MS = 10 * 60_000;

/** What the catalog says about models that matters to what is sent, asked for quietly when something is added. */
export class ComposerModels {
  readonly #catalog: Pick<ModelCatalog, 'load' | 'ensure' | 'index' | 'contextWindowOf' | 'onDidChange'>;
  #askedAt = -Infinity;

  constructor(catalog: Pick<ModelCatalog, 'load' | 'ensure' | 'index' | 'contextWindowOf' | 'onDidChange'>) {
    this.#catalog = catalog;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    return this.#catalog.onDidChange(listener);
  }

  /** Someone sees what was added: what is on disk is enough for that, and nothing is sent. */
  load(): void {
    void this.#catalog.load();
  }

  /** A person adds something. What cannot be read is not known, and nobody is told. */
  wanted(): void {
    if (Date.now() - this.#askedAt < AGAIN_AFTER_MS) return;
    this.#askedAt = Date.now();
    void this.#catalog.ensure(Infinity);
  }

  /** Tokens; undefined where nobody knows. */
  contextWindowOf(model: string): number | undefined {
    return this.#catalog.contextWindowOf(model);
  }

  /** Undefined where nobody knows. */
  seesPictures(model: string): boolean | undefined {
    const known = this.#catalog.index.find(model)?.model;
    return known === undefined ? undefined : takesPictures(known);
  }
}
