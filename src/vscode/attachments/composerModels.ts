import { ChangeEvent } from '../../core/changeEvent.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { type EndedChat, learnWindowFrom } from '../../core/requests/windowLesson.ts';
import type { KnownModels } from '../../core/chat/measureConversation.ts';
import type { AllMarks } from '../../core/models/allMarks.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import { takesPictures } from '../../core/models/modelAbilities.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';

const AGAIN_AFTER_MS = 10 * 60_000;

type MessageCatalog = Pick<
  ModelCatalogs,
  'load' | 'ensure' | 'index' | 'contextWindowOf' | 'learnWindow' | 'accepted' | 'onDidChange'
>;

export interface ComposerModelsDeps {
  readonly catalog: MessageCatalog;
  readonly marks: Pick<AllMarks, 'load' | 'isHidden' | 'onDidChange'>;
  readonly support: Pick<ServiceSupport, 'lacksImages' | 'hasAcceptedImages' | 'lacking' | 'load'>;
}

/** What the model list says about models and sending. It's fetched silently when something is added. */
export class ComposerModels implements KnownModels {
  readonly #catalog: MessageCatalog;
  readonly #marks: ComposerModelsDeps['marks'];
  readonly #support: ComposerModelsDeps['support'];
  readonly #changed = new ChangeEvent();
  #hasLoaded = false;
  #askedAt = -Infinity;

  constructor({ catalog, marks, support }: ComposerModelsDeps) {
    this.#catalog = catalog;
    this.#marks = marks;
    this.#support = support;
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    const ends = [
      this.#catalog.onDidChange(listener),
      this.#marks.onDidChange(listener),
      this.#changed.listen(listener),
    ];
    return () => ends.forEach((end) => end());
  }

  /** Called when attachments become visible: what is on disk is enough, and nothing is sent. */
  load(): void {
    void this.#catalog.load();
    if (this.#hasLoaded) return;
    this.#hasLoaded = true;
    void this.#marks.load();
    void this.#support.load().then(() => this.#changed.fire());
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

  /** Those that the user hasn't hidden, without those of services that are known not to support chat. */
  get models(): readonly ModelInfo[] {
    const lacking = this.#support.lacking('chat');
    return this.#catalog.index.models
      .map(({ model }) => model)
      .filter(({ id }) => !lacking.has(refParts(id).service) && !this.#marks.isHidden(id));
  }

  find(id: string): ModelInfo | undefined {
    return this.#catalog.index.find(id)?.model;
  }

  /** Undefined if unknown. */
  seesPictures(model: ModelRef): boolean | undefined {
    if (this.#support.lacksImages(refParts(model).service)) return false;
    const known = this.#catalog.index.find(model)?.model;
    const isListed = known === undefined ? undefined : takesPictures(known);
    return isListed ?? (this.#support.hasAcceptedImages(model) ? true : undefined);
  }
}
