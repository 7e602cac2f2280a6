import * as v from 'valibot';
import {
  blindDigest,
  digestOf,
  mergeDigests,
  type RequestDigest,
  type SumsApart,
} from '../../../core/requests/requestDigest.ts';
import { type LoggedRequest, RequestLog } from '../../../core/requests/requestLog.ts';
import { CacheFile } from '../../disk/cacheFile.ts';
import { localDay } from '../../platform/localDay.ts';
import { DeletedToday } from './deletedToday.ts';
import { LogFiles, type LogFile } from './logFiles.ts';
import type { LogStore } from './logStore.ts';
import type { WithheldRequests } from './withheldRequests.ts';

const isDigest = (value: unknown) => typeof value === 'object' && value !== null;
const entrySchema = v.object({
  bytes: v.number(),
  modifiedMs: v.number(),
  count: v.number(),
  // The version identifies the format. Checking each number of a long history would take longer than the index saves.
  digest: v.custom<RequestDigest>(isDigest),
  /** Sums of experiments that were withheld at the time, by their IDs; not in `digest`. */
  withheld: v.record(v.string(), v.custom<RequestDigest>(isDigest)),
});
type Entry = v.InferOutput<typeof entrySchema>;
const indexSchema = v.object({
  version: v.literal(8),
  /** The time zone of its days. */
  zone: v.string(),
  files: v.record(v.string(), entrySchema),
});

export interface HistorySums {
  /** The sums of the requests that are in the history. */
  readonly recorded: RequestDigest;
  /** The same with what deleted requests of today cost. */
  readonly digest: RequestDigest;
}

type Files = Pick<LogStore, 'folder' | 'files' | 'readApart'>;

/** Sums over the whole history. The index of finished files only saves reading them again. */
export class LogSums {
  readonly #store: () => Files;
  readonly #withheld: Pick<WithheldRequests, 'read' | 'has'>;
  readonly #deleted: DeletedToday;
  readonly #onError: (error: unknown) => void;
  #entries: Promise<Map<string, Entry>> | undefined;
  /** The sum of the finished files, and which these are. */
  #closed: { readonly key: string; readonly digest: RequestDigest } | undefined;

  constructor(deps: {
    readonly folder: string;
    readonly store: () => Files;
    /** Their sums are by service only. */
    readonly withheld: Pick<WithheldRequests, 'read' | 'has'>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#store = deps.store;
    this.#withheld = deps.withheld;
    this.#onError = deps.onError;
    this.#deleted = new DeletedToday(deps.folder, deps.onError);
  }

  async countOf(file: LogFile): Promise<number> {
    return (await this.#entry(file)).count;
  }

  async whole(): Promise<HistorySums> {
    // First, because what is deleted in the meantime would count twice, which might exceed a budget.
    const deleted = await this.#deleted.read();
    const recorded = await this.recorded();
    return { recorded, digest: mergeDigests([recorded, deleted.digest, ...this.#shown(deleted)]) };
  }

  /** To be kept if the file is deleted. Never rejects: nothing keeps a file from being deleted. */
  async sumsIn(file: LogFile): Promise<SumsApart> {
    try {
      return await this.#entry(file);
    } catch (error) {
      this.#onError(error);
      return { digest: {}, withheld: {} };
    }
  }

  /** What these requests cost still counts, although they're no longer recorded. Never rejects. */
  async keep(sums: SumsApart): Promise<void> {
    await this.#deleted.add(sums);
  }

  async sumUp(requests: Iterable<LoggedRequest>): Promise<SumsApart> {
    await this.#withheld.read();
    const apart = Map.groupBy(requests, ({ origin: { experiment } }) =>
      experiment !== undefined && this.#withheld.has(experiment.id) ? experiment.id : undefined,
    );
    const open = apart.get(undefined) ?? [];
    apart.delete(undefined);
    const withheld = Object.fromEntries([...apart].map(([id, each]) => [id, digestOf(each, localDay)]));
    return { digest: digestOf(open, localDay), withheld };
  }

  /** Settles when what was deleted is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#deleted.settled();
  }

  /** Without those that were deleted. Reads what has changed since the last call. */
  async recorded(): Promise<RequestDigest> {
    await this.#withheld.read();
    const [newest, ...closed] = await this.#store().files();
    const entries = await this.#known();
    const names = new Set([newest, ...closed].map((file) => file?.name));
    const key = closed.map(({ name, bytes, modifiedMs }) => `${name} ${bytes} ${modifiedMs}`).join();
    let changed = this.#closed !== undefined && this.#closed.key !== key;
    for (const name of entries.keys()) {
      if (!names.has(name)) changed = entries.delete(name);
    }
    const found: Entry[] = [];
    for (const file of closed) {
      const before = entries.get(file.name);
      const entry = await this.#entry(file);
      changed ||= entry !== before;
      found.push(entry);
    }
    // The newest file changes with every request. Without it, the index isn't rewritten and the others aren't summed up
    // again. Another call might have other files, so this one keeps its own sum.
    const sum = this.#closed?.key === key ? this.#closed.digest : mergeDigests(found.map(({ digest }) => digest));
    this.#closed = { key, digest: sum };
    if (changed) await this.#save(entries).catch(this.#onError);
    const ofNewest = newest === undefined ? [] : [await this.#entry(newest)];
    const shown = [...found, ...ofNewest].flatMap((entry) => this.#shown(entry));
    return mergeDigests([sum, ...ofNewest.map(({ digest }) => digest), ...shown]);
  }

  /** Those of experiments, without models if they are still withheld. */
  #shown({ withheld }: SumsApart): readonly RequestDigest[] {
    return Object.entries(withheld).map(([id, digest]) => (this.#withheld.has(id) ? blindDigest(digest) : digest));
  }

  async #entry(file: LogFile): Promise<Entry> {
    const entries = await this.#known();
    const known = entries.get(file.name);
    if (known?.bytes === file.bytes && known.modifiedMs === file.modifiedMs) return known;
    const log = new RequestLog();
    for (const record of await this.#store().readApart(file.name)) log.apply(record);
    const sums = await this.sumUp(log.all());
    const entry = { bytes: file.bytes, modifiedMs: file.modifiedMs, count: log.size, ...sums };
    entries.set(file.name, entry);
    return entry;
  }

  #known(): Promise<Map<string, Entry>> {
    return (this.#entries ??= this.#readIndex());
  }

  async #readIndex(): Promise<Map<string, Entry>> {
    const index = await this.#index().read();
    return new Map(Object.entries(index?.zone === timeZone() ? index.files : {}));
  }

  async #save(entries: ReadonlyMap<string, Entry>): Promise<void> {
    // A history that was cleared leaves none.
    if (entries.size === 0) return this.#index().remove();
    await this.#index().write({ version: 8, zone: timeZone(), files: Object.fromEntries(entries) });
  }

  #index(): CacheFile<v.InferOutput<typeof indexSchema>> {
    const path = LogFiles.index(this.#store().folder);
    return new CacheFile({ path, schema: indexSchema, onError: this.#onError });
  }
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
