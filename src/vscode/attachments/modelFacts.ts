import type { AnswerOptions, ModelInfo } from '../../api/types.ts';

const AGAIN_AFTER_MS = 10 * 60_000;

/** What the catalogue says about models, as far as it was read. */
export interface ModelKnowledge {
  /** Tokens; undefined where nobody knows. */
  contextWindowOf(model: string): number | undefined;
  /** Undefined where nobody knows. */
  seesPictures(model: string): boolean | undefined;
}

/** Remembers the catalogue each time it is read, and reads it quietly once something was added to a message. */
export class ModelFacts implements ModelKnowledge {
  readonly #list: (options?: AnswerOptions) => Promise<readonly ModelInfo[]>;
  readonly #listeners = new Set<() => void>();
  #models = new Map<string, ModelInfo>();
  #askedAt = -Infinity;

  constructor(list: (options?: AnswerOptions) => Promise<readonly ModelInfo[]>) {
    this.#list = list;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The catalogue, read now. */
  async listModels(options?: AnswerOptions): Promise<readonly ModelInfo[]> {
    const models = await this.#list(options);
    this.#models = new Map(models.map((model) => [model.id, model]));
    for (const listener of this.#listeners) listener();
    return models;
  }

  /** Someone needs to know. What cannot be read is not known, and nobody is told. */
  wanted(): void {
    if (Date.now() - this.#askedAt < AGAIN_AFTER_MS) return;
    this.#askedAt = Date.now();
    this.listModels().catch(() => undefined);
  }

  contextWindowOf(model: string): number | undefined {
    return this.#models.get(model)?.contextWindow;
  }

  seesPictures(model: string): boolean | undefined {
    const known = this.#models.get(model);
    if (known?.inputModalities !== undefined && known.inputModalities.length > 0) {
      return known.inputModalities.includes('image');
    }
    return known?.kind === 'multimodal' || known?.kind === 'vision' ? true : undefined;
  }
}
