import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { KnownModels } from '../../core/chat/measureConversation.ts';
import type { LearnedWindows } from './learnedWindows.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import type { ModelCatalog } from '../../core/models/modelCatalog.ts';

const AGAIN_AFTER_MS = 10 * 60_000;

/** What the model list says about models and sending. It's fetched silently when something is added. */
export class ComposerModels implements KnownModels {
  readonly #catalog: Pick<ModelCatalog, 'load' | 'ensure' | 'index' | 'contextWindowOf' | 'onDidChange'>;
  readonly #learned: LearnedWindows;
  readonly #lacksImages: (service: string) => boolean;
  #askedAt = -Infinity;

  constructor(
    catalog: Pick<ModelCatalog, 'load' | 'ensure' | 'index' | 'contextWindowOf' | 'onDidChange'>,
    learned: LearnedWindows,
    /** Whether a service, by its ID, is known not to accept images. */
    lacksImages: (service: string) => boolean = () => false,
  ) {
    this.#catalog = catalog;
    this.#learned = learned;
    this.#lacksImages = lacksImages;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    const ends = [this.#catalog.onDidChange(listener), this.#learned.onDidChange(listener)];
    return () => ends.forEach((end) => end());
  }

  /** Called when attachments become visible: the list on disk is enough, and nothing is sent. */
  load(): void {
    void this.#catalog.load();
    this.#learned.load();
  }

  /** Called when the user adds something. A list that can't be fetched is ignored silently. */
  wanted(): void {
    if (Date.now() - this.#askedAt < AGAIN_AFTER_MS) return;
    this.#askedAt = Date.now();
    void this.#catalog.ensure(Infinity);
  }

  /** In tokens; undefined if unknown. */
  contextWindowOf(model: ModelRef): number | undefined {
    return this.#catalog.contextWindowOf(model) ?? this.#learned.of(model);
  }

  /** A model with an unlisted context window refused this many tokens, or reported its window. */
  learn(model: ModelRef, tokens: number): void {
    if (this.#catalog.contextWindowOf(model) === undefined) this.#learned.learn(model, tokens);
  }

  /** A model accepted a request of this many tokens. A smaller learned window was too low an estimate. */
  accepted(model: ModelRef, tokens: number): void {
    if ((this.#learned.of(model) ?? Infinity) < tokens) this.#learned.forget(model);
  }

  settled(): Promise<void> {
    return this.#learned.settled();
  }

  get models(): readonly ModelInfo[] {
    return this.#catalog.index.models.map(({ model }) => model);
  }

  find(id: string): ModelInfo | undefined {
    return this.#catalog.index.find(id)?.model;
  }

  /** Undefined if unknown. */
  seesPictures(model: ModelRef): boolean | undefined {
    if (this.#lacksImages(refParts(model).service)) return false;
    const known = this.#catalog.index.find(model)?.model;
    return known === undefined ? undefined : takesPictures(known);
  }
}
