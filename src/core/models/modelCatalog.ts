import { ChangeEvent } from '../changeEvent.ts';
import { type ModelRef, modelRef, refParts } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { ModelIndex } from './modelIndex.ts';
import { SharedCall } from './sharedCall.ts';
import { type StatedModels, withStated } from './statedModel.ts';

/** The model list of one service as it was when it was fetched. */
export interface KeptCatalog {
  readonly models: readonly ModelInfo[];
  /** Unix time in milliseconds. */
  readonly fetchedAt: number;
}

/** Stores model lists between sessions, one per service. Neither method rejects: a lost list is fetched again. */
export interface CatalogStore {
  read(service: string): Promise<KeptCatalog | undefined>;
  write(service: string, catalog: KeptCatalog): Promise<void>;
}

export interface CatalogSurroundings {
  readonly list: (options: { readonly signal: AbortSignal }) => Promise<readonly ModelInfo[]>;
  readonly store: CatalogStore;
  /** ID of the service whose list this is. */
  readonly id: string;
  /** The user's own details about its models. */
  readonly stated: () => StatedModels;
  /** Its base URL, which identifies the stored list; undefined while it has none. */
  readonly service: () => string | undefined;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export interface CatalogError {
  readonly cause: unknown;
  /** Unix time in milliseconds. */
  readonly at: number;
}

interface HeldList {
  readonly index: ModelIndex;
  readonly fetchedAt: number | undefined;
  /** As the service listed them. */
  readonly models: readonly ModelInfo[];
}

const noModels: readonly ModelInfo[] = [];

/**
 * The service's models: the list on disk at first, and the service's own once it's fetched. A failure never removes the
 * list.
 */
export class ModelCatalog {
  readonly #around: CatalogSurroundings;
  readonly #changed = new ChangeEvent();
  readonly #call: SharedCall<readonly ModelInfo[]>;
  #service: string | undefined;
  #loading: Promise<void> | undefined;
  #held: HeldList;
  #stated: StatedModels;
  #error: CatalogError | undefined;
  #isOutdated = false;

  constructor(surroundings: CatalogSurroundings) {
    this.#around = surroundings;
    this.#service = surroundings.service();
    this.#stated = surroundings.stated();
    this.#held = this.#listOf(noModels, undefined);
    this.#call = new SharedCall(
      (signal) => this.#ask(signal),
      () => this.#changed.fire(),
    );
  }

  /** Empty until it was loaded or fetched. */
  get index(): ModelIndex {
    return this.#held.index;
  }

  /** When the list was fetched, as Unix time in milliseconds; undefined without a list. */
  get fetchedAt(): number | undefined {
    return this.#held.fetchedAt;
  }

  get isRefreshing(): boolean {
    return this.#call.isRunning;
  }

  /** The error of the last fetch, if it failed. */
  get error(): CatalogError | undefined {
    return this.#error;
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Loads the list from disk, once. Sends nothing. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Fetches the list. Concurrent calls share one request. @throws {ApiError} or the signal's reason */
  async refresh(options: { readonly signal?: AbortSignal } = {}): Promise<readonly ModelInfo[]> {
    return this.#call.join(options.signal);
  }

  /** Loads the list, and fetches it if it's missing or older than this. A failure is in `error`. */
  async ensure(maxAgeMs: number): Promise<void> {
    await this.load();
    if (!this.isOlderThan(maxAgeMs)) return;
    try {
      await this.refresh();
    } catch {
      // It's part of the catalog's state, which an event reports.
    }
  }

  isOlderThan(maxAgeMs: number): boolean {
    const { fetchedAt } = this.#held;
    if (fetchedAt === undefined || this.#isOutdated) return true;
    // An infinite age is for services that are only asked on request.
    if (maxAgeMs === Infinity) return false;
    const ageMs = this.#around.now() - fetchedAt;
    // A clock that was set back must not keep a list forever.
    return ageMs >= maxAgeMs || ageMs < 0;
  }

  /** The base URL or the key changed, so the list might belong to another service or another account. */
  connectionChanged(): void {
    this.#call.abort();
    this.#error = undefined;
    this.#isOutdated = true;
    const service = this.#around.service();
    if (service !== this.#service) {
      this.#service = service;
      this.#held = this.#listOf(noModels, undefined);
      this.#loading = undefined;
    }
    this.#changed.fire();
  }

  /** The user's own details about models might have changed. */
  statedChanged(): void {
    const stated = this.#around.stated();
    if (stated === this.#stated) return;
    this.#stated = stated;
    this.#held = this.#listOf(this.#held.models, this.#held.fetchedAt);
    this.#changed.fire();
  }

  /** In tokens. */
  contextWindowOf(modelId: ModelRef): number | undefined {
    return this.index.find(modelId)?.model.contextWindow;
  }

  /** Whether the context window is the user's own figure. */
  isWindowStated(modelId: ModelRef): boolean {
    const { model } = refParts(modelId);
    return Object.hasOwn(this.#stated, model) && this.#stated[model]?.contextWindow !== undefined;
  }

  dispose(): void {
    this.#call.abort();
    this.#changed.clear();
  }

  async #load(): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    const kept = await this.#around.store.read(service);
    // The service might have responded first, and its list is newer than any file.
    if (kept === undefined || service !== this.#service || this.#held.fetchedAt !== undefined) return;
    this.#held = this.#listOf(kept.models, kept.fetchedAt);
    this.#changed.fire();
  }

  async #ask(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const service = this.#service;
    try {
      const models = await this.#around.list({ signal });
      signal.throwIfAborted();
      this.#error = undefined;
      this.#isOutdated = false;
      const kept = { models, fetchedAt: this.#around.now() };
      const held = this.#listOf(models, kept.fetchedAt);
      // The same list gives the same index, so that views don't have to be redrawn.
      this.#held = held.index.equals(this.index) ? { ...held, index: this.index } : held;
      if (service !== undefined) void this.#around.store.write(service, kept);
      return models;
    } catch (error) {
      if (!signal.aborted) this.#error = { cause: error, at: this.#around.now() };
      throw error;
    }
  }

  #listOf(models: readonly ModelInfo[], fetchedAt: number | undefined): HeldList {
    const { id: service } = this.#around;
    const stated = new Map(Object.entries(this.#stated));
    const named = ({ id, ...model }: ModelInfo) => {
      const own = withStated({ ...model, id: modelRef(service, id) }, stated.get(id));
      stated.delete(id);
      return own;
    };
    const listed = models.map(named);
    const unlisted = [...stated.keys()].map((id) => named({ id, raw: {} }));
    return { index: new ModelIndex(listed, unlisted), fetchedAt, models };
  }
}
