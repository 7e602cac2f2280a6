import { ChangeEvent } from '../changeEvent.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { systemClock } from '../../api/clock.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { closestModels } from './closestModels.ts';
import type { ModelAbility } from './modelAbilities.ts';
import type { CatalogError, ModelCatalog } from './modelCatalog.ts';
import { ModelIndex } from './modelIndex.ts';

/** What a refusal showed about the context window of a model. */
export interface WindowLesson {
  readonly tokens: number;
  /** The service stated it as the size of the window. Otherwise, it's the length of a request that it refused. */
  readonly isStated: boolean;
}

/** Context windows, learned from refusals. */
export interface LearnedContextWindows {
  load(): Promise<void>;
  /** Undefined if nothing was learned. */
  of(model: ModelRef): WindowLesson | undefined;
  /** The smallest refused length counts, until a size is stated. */
  learn(model: ModelRef, lesson: WindowLesson): void;
  /** The model accepted a request of this many tokens. A smaller window was too low, and is forgotten. */
  accepted(model: ModelRef, tokens: number): void;
  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void;
}

/**
 * The models of all services. Each list has its own state, age, and failure, so that an unavailable service doesn't
 * affect the others.
 */
export class ModelCatalogs {
  readonly #changed = new ChangeEvent();
  readonly #learned: LearnedContextWindows | undefined;
  readonly #stopLearning: (() => void) | undefined;
  #catalogs: ReadonlyMap<string, ModelCatalog> = new Map();
  #stops: readonly (() => void)[] = [];
  #joined: { readonly of: readonly ModelIndex[]; readonly index: ModelIndex } | undefined;

  constructor(learned?: LearnedContextWindows) {
    this.#learned = learned;
    this.#stopLearning = learned?.onDidChange(() => this.#changed.fire());
  }

  /** @param catalogs by service ID, in the user's order; never empty */
  set(catalogs: ReadonlyMap<string, ModelCatalog>): void {
    for (const stop of this.#stops) stop();
    this.#catalogs = catalogs;
    this.#stops = [...catalogs.values()].map((catalog) => catalog.onDidChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  /** By service ID, in the user's order. */
  get byService(): ReadonlyMap<string, ModelCatalog> {
    return this.#catalogs;
  }

  of(service: string): ModelCatalog | undefined {
    return this.#catalogs.get(service);
  }

  /** All models, service by service. Empty until a list was loaded or fetched. */
  get index(): ModelIndex {
    const of = this.#all.map(({ index }) => index);
    const [first] = of;
    if (of.length === 1 && first !== undefined) return first;
    const joined = this.#joined;
    if (joined !== undefined && joined.of.length === of.length && joined.of.every((index, at) => index === of[at])) {
      return joined.index;
    }
    this.#joined = { of, index: ModelIndex.joined(of) };
    return this.#joined.index;
  }

  /** When the oldest list was fetched, as Unix time in milliseconds; undefined without any. */
  get fetchedAt(): number | undefined {
    const times = this.#all.flatMap(({ fetchedAt }) => (fetchedAt === undefined ? [] : [fetchedAt]));
    return times.length === 0 ? undefined : Math.min(...times);
  }

  get isRefreshing(): boolean {
    return this.#all.some(({ isRefreshing }) => isRefreshing);
  }

  /** The failure to show for all of them, only if no service has a list to show. */
  get error(): CatalogError | undefined {
    const isAlone = this.#all.length === 1;
    if (!isAlone && this.fetchedAt !== undefined) return undefined;
    return this.#all.find(({ error }) => error !== undefined)?.error;
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Loads the lists and what was learned from disk, once. Sends nothing. */
  async load(): Promise<void> {
    await Promise.all([...this.#all.map((catalog) => catalog.load()), this.#learned?.load()]);
  }

  /** Fetches all lists at once. @throws {ApiError} or the signal's reason, if none of the services returns a list */
  async refresh(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const outcomes = await Promise.allSettled(this.#all.map((catalog) => catalog.refresh(options)));
    options.signal?.throwIfAborted();
    const [first] = outcomes;
    if (first?.status === 'rejected' && outcomes.every(({ status }) => status === 'rejected')) throw first.reason;
  }

  /**
   * Loads the lists, and fetches the missing ones. Once any service has a list, it waits only this much longer for the
   * others, and not at all for those that failed last time: their lists then arrive later.
   * @param only IDs of the services whose lists are wanted; all by default
   * @throws {ApiError} or the signal's reason, if none of the services has a list
   */
  async fetchMissing({
    signal,
    restMs = 2000,
    only,
  }: {
    readonly signal?: AbortSignal;
    readonly restMs?: number;
    readonly only?: ReadonlySet<string>;
  } = {}): Promise<void> {
    const wanted = [...this.#catalogs].flatMap(([id, catalog]) => (only?.has(id) === false ? [] : [catalog]));
    await Promise.all(wanted.map((catalog) => catalog.load()));
    const hasList = (): boolean => wanted.some(({ fetchedAt }) => fetchedAt !== undefined);
    const hadList = hasList();
    const calls = wanted
      .filter((catalog) => catalog.isOlderThan(Infinity))
      .map((catalog) => {
        const isWaitedFor = !hadList || catalog.error === undefined;
        return { isWaitedFor, listed: catalog.refresh({ ...(signal !== undefined && { signal }) }) };
      });
    const all = Promise.allSettled(calls.map(({ listed }) => listed));
    const rest = Promise.allSettled(calls.filter(({ isWaitedFor }) => isWaitedFor).map(({ listed }) => listed));
    const hasOne = hadList ? Promise.resolve() : Promise.any(calls.map(({ listed }) => listed));
    const ended = new AbortController();
    const enough = hasOne.then(() => systemClock.sleep(restMs, ended.signal)).catch(() => undefined);
    await Promise.race([rest, enough]);
    ended.abort();
    signal?.throwIfAborted();
    if (hasList()) return;
    const [first] = await all;
    if (first?.status === 'rejected') throw first.reason;
  }

  /** Loads the lists, and fetches those that are missing or older than this. A failure is in the state of its list. */
  async ensure(maxAgeMs: number): Promise<void> {
    await Promise.all(this.#all.map((catalog) => catalog.ensure(maxAgeMs)));
  }

  isOlderThan(maxAgeMs: number): boolean {
    return this.#all.some((catalog) => catalog.isOlderThan(maxAgeMs));
  }

  /**
   * In tokens; undefined if unknown. The user's own figure counts first, then the one in a refusal, which is about the
   * server that answered, then the list's, and last the length of a refused request.
   */
  contextWindowOf(model: ModelRef): number | undefined {
    return this.#windowOf(model, this.of(refParts(model).service)?.contextWindowOf(model));
  }

  /** A model of a list with the context window that counts. */
  withWindow(model: ModelInfo): ModelInfo {
    const contextWindow = this.#windowOf(model.id, model.contextWindow);
    return contextWindow === undefined || contextWindow === model.contextWindow ? model : { ...model, contextWindow };
  }

  /** A model refused a request because of its length. */
  learnWindow(model: ModelRef, lesson: WindowLesson): void {
    const isListed = this.of(refParts(model).service)?.contextWindowOf(model) !== undefined;
    if (lesson.isStated || !isListed) this.#learned?.learn(model, lesson);
  }

  /** A model accepted a request of this many tokens. */
  accepted(model: ModelRef, tokens: number): void {
    this.#learned?.accepted(model, tokens);
  }

  /** At most three that look like a missing one, closest first, all of the same service. */
  closestTo(model: ModelRef, ability?: ModelAbility): readonly ModelRef[] {
    const catalog = this.of(refParts(model).service);
    if (catalog === undefined || catalog.index.find(model) !== undefined) return [];
    return closestModels(catalog.index, model, 3, ability);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#stopLearning?.();
    for (const catalog of this.#all) catalog.dispose();
    this.#changed.clear();
  }

  get #all(): readonly ModelCatalog[] {
    return [...this.#catalogs.values()];
  }

  #windowOf(model: ModelRef, listed: number | undefined): number | undefined {
    const learned = this.#learned?.of(model);
    if (learned === undefined) return listed;
    const isOwn = this.of(refParts(model).service)?.isWindowStated(model) === true;
    return learned.isStated && !isOwn ? learned.tokens : (listed ?? learned.tokens);
  }
}
