import type { ModelRef } from '../../shared/modelRef.ts';
import { ChangeEvent } from '../../core/changeEvent.ts';
import { figuresOf, type MeasuredFigures, type MeasuredModels } from '../../core/models/measuredModel.ts';
import type { ReceivedBody, SentBody } from '../../core/requests/requestBody.ts';
import type { RequestDigest } from '../../core/requests/requestDigest.ts';
import {
  type LoggedRequest,
  newestFirst,
  RequestLog,
  requestState,
  type RequestState,
} from '../../core/requests/requestLog.ts';
import type { RequestEnd, RequestRecord, RequestStart } from '../../core/requests/requestRecord.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { Queue } from '../disk/queue.ts';
import { type FolderWatch, watchFolder } from '../disk/watchFolder.ts';
import type { HistorySums, LogSums } from './log/logSums.ts';
import type { RequestBodies, LogStore } from './log/logStore.ts';
import type { WithheldRequests } from './log/withheldRequests.ts';
import { mayStillRun } from '../disk/processMark.ts';

// Longer than Parlance waits for a service, in milliseconds.
const ALIVE_MS = 30 * 60 * 1000;

/** What is known about a running request. */
export interface RunningRequest {
  /** What was measured so far. */
  readonly figures: () => ReplyMetrics;
  /** What has been received so far; undefined if content isn't saved. */
  readonly received: () => ReceivedBody | undefined;
  /** Stops it, in the way of the feature that sent it; absent if users can't. */
  readonly stop?: () => void;
}

/** The number of requests that users look through before they load more. Files are read whole. */
const PAGE = 100;
const TELL_DELAY_MS = 50;
const FOREIGN_DELAY_MS = 100;
const SUM_DELAY_MS = 500;

interface RequestHistoryDeps {
  readonly store: LogStore;
  readonly digests: LogSums;
  readonly withheld: WithheldRequests;
  readonly onError: (error: unknown) => void;
}

/**
 * The requests of this machine, as far back as needed. This window's own requests are available at once. The disk is
 * only read when a list or a figure is needed, and from then on other windows are followed.
 */
export class RequestHistory implements MeasuredModels {
  readonly #deps: RequestHistoryDeps;
  readonly #changed = new ChangeEvent();
  readonly #summed = new ChangeEvent();
  readonly #costly = new ChangeEvent();
  readonly #log = new RequestLog();
  /** In bytes, of files in which another window's lines were looked for. */
  readonly #sizes = new Map<string, number>();
  /** Files still to be read, newest first. */
  #older: readonly string[] = [];
  #opening: Promise<void> | undefined;
  /** Two reads of the new lines of a file at once would each skip some. */
  readonly #foreign = new Queue();
  #sums: HistorySums | undefined;
  #figures: ReturnType<typeof figuresOf> | undefined;
  #summing: Promise<HistorySums> | undefined;
  #nextSum: Promise<HistorySums> | undefined;
  /** Requests of this window. */
  readonly #running = new Map<string, RunningRequest>();
  #watcher: FolderWatch | undefined;
  #wantsFigures = false;
  #disposed = false;
  readonly #timers = new Map<() => void, NodeJS.Timeout>();

  /** A request started, ended, arrived from another window, or was deleted; or older ones were read. */
  readonly onDidChangeRequests = this.#changed.event;
  /** The sums of the history changed. */
  readonly onDidChange = this.#summed.event;
  /** A cost is known now: a request of this window ended, or requests that were withheld are no longer. */
  readonly onDidLearnCost = this.#costly.event;

  constructor(deps: RequestHistoryDeps) {
    this.#deps = deps;
    deps.withheld.onDidChange(() => {
      this.#soon(this.#tell, 0);
      this.#soon(this.#sumAgain, 0);
      this.#costly.fire();
    });
  }

  /** Newest first, without those that are withheld. The first call opens the history. */
  async requests(): Promise<readonly LoggedRequest[]> {
    await (this.#opening ??= this.#open());
    return newestFirst(this.#log.all()).filter((request) => !this.isWithheld(request));
  }

  /** Whether lists and exports lack requests that are withheld. */
  get withholdsAny(): boolean {
    return !this.#deps.withheld.isEmpty;
  }

  isWithheld({ origin }: Pick<LoggedRequest, 'origin'>): boolean {
    return origin.experiment !== undefined && this.#deps.withheld.has(origin.experiment.id);
  }

  /** Requests of this window, in no particular order. Reads nothing. */
  own(): readonly LoggedRequest[] {
    return [...this.#log.all()].filter((request) => this.#isOwn(request));
  }

  stateOf(request: LoggedRequest): RequestState {
    return requestState(request, (unended) => this.#isOwn(unended) || isAliveElsewhere(unended));
  }

  get hasOlder(): boolean {
    return this.#older.length > 0;
  }

  /** Undefined if it's withheld. */
  find(id: string): LoggedRequest | undefined {
    const found = this.#log.find(id);
    return found === undefined || this.isWithheld(found) ? undefined : found;
  }

  async loadOlder(): Promise<void> {
    await (this.#opening ??= this.#open());
    await this.#readPage();
    this.#soon(this.#tell, 0);
  }

  started(record: RequestStart, running?: RunningRequest): void {
    if (running !== undefined) this.#running.set(record.id, running);
    this.#apply([record]);
  }

  /** The progress of a running request; for another window's, only its duration. */
  progress({ id, at }: Pick<LoggedRequest, 'id' | 'at'>): ReplyMetrics {
    const passed = Math.max(0, Date.now() - at) / 1000;
    return this.#running.get(id)?.figures() ?? { totalSeconds: { value: passed, from: 'here' } };
  }

  /** What has arrived so far for a running request of this window. */
  soFar(id: string): ReceivedBody | undefined {
    return this.#running.get(id)?.received();
  }

  canStop(id: string): boolean {
    return this.#running.get(id)?.stop !== undefined;
  }

  /** Stops a running request of this window, and no other. */
  stop(id: string): void {
    this.#running.get(id)?.stop?.();
  }

  /** It's being sent now. From here on it counts, however it ends. */
  sent(record: RequestStart, request: SentBody | undefined): void {
    this.#deps.store.start(record, request);
  }

  /** It's sent again, for example to the service's other API. The response belongs to this one. */
  changed(id: string, request: SentBody): void {
    this.#deps.store.sentAgain(id, request);
  }

  /** Nothing of it was sent: no URL, no key, or an earlier cancel. */
  dropped(id: string): void {
    this.#running.delete(id);
    if (this.#log.forget(id)) this.#soon(this.#tell, TELL_DELAY_MS);
  }

  ended(record: RequestEnd, response: ReceivedBody | undefined): void {
    this.#running.delete(record.id);
    this.#deps.store.end(record, response);
    this.#apply([record]);
    this.#soon(this.#sumAgain, SUM_DELAY_MS);
    if (record.cost !== undefined) this.#costly.fire();
  }

  bodies(id: string): Promise<RequestBodies> {
    return this.#deps.store.bodies(id);
  }

  /** The whole history without what's withheld, one file at a time, newest first. */
  async *files(): AsyncGenerator<{
    readonly requests: Iterable<LoggedRequest>;
    readonly bodies: () => Promise<ReadonlyMap<string, RequestBodies>>;
  }> {
    await this.#deps.store.flush();
    await this.#deps.withheld.read();
    for (const name of await this.#deps.store.names()) {
      const log = new RequestLog();
      for (const record of await this.#deps.store.readApart(name)) log.apply(record);
      const requests = [...log.all()].filter((request) => !this.isWithheld(request));
      yield { requests, bodies: () => this.#deps.store.allBodies(name) };
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    try {
      await this.#deps.store.delete(ids, Date.now());
      for (const id of ids) this.#log.forget(id);
      this.#soon(this.#tell, 0);
    } finally {
      this.#soon(this.#sumAgain, 0);
    }
  }

  async clear(): Promise<void> {
    try {
      await this.#deps.store.clear();
      for (const { id } of this.#log.all()) this.#log.forget(id);
      this.#sizes.clear();
      this.#older = [];
      this.#soon(this.#tell, 0);
    } finally {
      this.#soon(this.#sumAgain, 0);
    }
  }

  figures(modelId: ModelRef): MeasuredFigures | undefined {
    if (this.#sums === undefined) {
      // Even if a sum for another caller is being calculated: this caller wants to be notified.
      this.#wantsFigures = true;
      this.#soon(this.#sumAgain, 0);
      return undefined;
    }
    this.#figures ??= figuresOf(this.#sums.recorded);
    return this.#figures(modelId);
  }

  /** Sums over the whole history, as it's on disk now. `onDidChange` reports changes. */
  async digest(): Promise<RequestDigest> {
    this.#wantsFigures = true;
    await this.#deps.store.flush();
    const sums = await this.#sum();
    if (sums !== this.#sums) this.#figures = undefined;
    this.#sums = sums;
    await this.#follow();
    return sums.digest;
  }

  /** A running sum might have missed what was written last, so callers in the meantime share the next one. */
  #sum(): Promise<HistorySums> {
    if (this.#summing === undefined) {
      this.#summing = this.#deps.digests.whole().finally(() => (this.#summing = undefined));
      return this.#summing;
    }
    const again = () => {
      this.#nextSum = undefined;
      return this.#sum();
    };
    this.#nextSum ??= this.#summing.then(again, again);
    return this.#nextSum;
  }

  async flush(): Promise<void> {
    await this.#deps.withheld.settled();
    await this.#deps.store.flush();
    await this.#deps.digests.settled();
  }

  dispose(): void {
    this.#disposed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#watcher?.dispose();
  }

  async #open(): Promise<void> {
    try {
      await this.#deps.store.flush();
      await this.#follow();
      await this.#deps.withheld.read();
      this.#older = await this.#deps.store.names();
      await this.#readPage();
    } catch (error) {
      // The next one tries again.
      this.#opening = undefined;
      throw error;
    }
  }

  async #readPage(): Promise<void> {
    const wanted = this.#log.size + PAGE;
    while (this.#older.length > 0 && this.#log.size < wanted) {
      const [name = '', ...rest] = this.#older;
      for (const record of await this.#deps.store.read(name)) this.#log.apply(record);
      this.#older = rest;
    }
  }

  #isOwn({ writer }: LoggedRequest): boolean {
    return writer === this.#deps.store.writer;
  }

  #apply(records: readonly RequestRecord[]): void {
    const changed = records.map((record) => this.#log.apply(record)).includes(true);
    if (changed) this.#soon(this.#tell, TELL_DELAY_MS);
  }

  readonly #tell = (): void => this.#changed.fire();

  readonly #sumAgain = (): void => {
    // No figures were needed yet.
    if (!this.#wantsFigures) return;
    this.digest()
      .then(() => this.#summed.fire())
      .catch(this.#deps.onError);
  };

  #soon(run: () => void, delayMs: number): void {
    if (this.#disposed || this.#timers.has(run)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(run);
      run();
    }, delayMs);
    this.#timers.set(run, timer);
  }

  async #follow(): Promise<void> {
    if (this.#disposed) return;
    this.#watcher ??= watchFolder(
      this.#deps.store.folder,
      () => this.#soon(this.#readForeign, FOREIGN_DELAY_MS),
      this.#deps.onError,
    );
    await this.#watcher.ready;
  }

  readonly #readForeign = (): void => {
    this.#foreign.run(() => this.#takeForeign()).catch(this.#deps.onError);
  };

  async #takeForeign(): Promise<void> {
    this.#soon(this.#sumAgain, SUM_DELAY_MS);
    if (this.#opening === undefined) return;
    await this.#opening;
    await this.#deps.withheld.read();
    await this.#forgetMissing();
    // The end of a request, or its deletion, is written next to its start, which might be in an old file.
    const older = new Set(this.#older);
    for (const { name, bytes } of await this.#deps.store.files((each) => !older.has(each))) {
      if (this.#sizes.get(name) === bytes) continue;
      this.#apply(await this.#deps.store.readNew(name));
      this.#sizes.set(name, bytes);
    }
  }

  async #forgetMissing(): Promise<void> {
    // Checked first: a file that is started in the meantime isn't one that was deleted.
    const held = [...this.#log.all()].map(({ id }) => ({ id, file: this.#deps.store.fileOf(id) }));
    const names = new Set(await this.#deps.store.names());
    const gone = held.filter(({ file }) => file !== undefined && !names.has(file));
    for (const { id } of gone) this.#log.forget(id);
    for (const name of this.#sizes.keys()) if (!names.has(name)) this.#sizes.delete(name);
    this.#older = this.#older.filter((name) => names.has(name));
    if (gone.length > 0) this.#soon(this.#tell, TELL_DELAY_MS);
  }
}

/** Whether another window that runs a request might still exist. */
function isAliveElsewhere({ pid, at }: Pick<LoggedRequest, 'pid' | 'at'>): boolean {
  return mayStillRun(pid, at, ALIVE_MS);
}
