import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type EndedChat, learnWindowFrom } from '../../core/requests/windowLesson.ts';
import type { KnownModels } from '../../core/chat/measureConversation.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';

const AGAIN_AFTER_MS = 10 * 60_000;

type MessageCatalog = Pick<
  ModelCatalogs,
  'load' | 'ensure' | 'index' | 'contextWindowOf' | 'learnWindow' | 'accepted' | 'onDidChange'
>;

/** What the model list says about models and sending. It's fetched silently when something is added. */
export class ComposerModels implements KnownModels {
  readonly #catalog: MessageCatalog;
  readonly #lacksImages: (service: string) => boolean;
  #askedAt = -Infinity;

  constructor(
    catalog: MessageCatalog,
    /** Whether a service, by its ID, is known not to accept images. */
    lacksImages: (service: string) => boolean = () => false,
  ) {
    this.#catalog = catalog;
    this.#lacksImages = lacksImages;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    return this.#catalog.onDidChange(listener);
  }

  /** Called when attachments become visible: the list on disk is enough, and nothing is sent. */
  load(): void {
    void this.#catalog.load();
  }

  /** Called when the user adds something. A list that can't be fetched is ignored silently. */
  wanted(): void {
    if (Date.now() - this.#askedAt < AGAIN_AFTER_MS) return;
    this.#askedAt = Date.now();
    void this.#catalog.ensure(Infinity);
  }

  /** In tokens; undefined if unknown. */
  contextWindowOf(model: ModelRef): number | undefined {
    return this.#catalog.contextWindowOf(model);
  }

  learnFrom(ended: EndedChat, model: ModelRef): void {
    learnWindowFrom(ended, model, this.#catalog);
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
