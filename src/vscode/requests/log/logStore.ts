import type { RequestDigest, SumsApart } from '../../../core/requests/requestDigest.ts';
import {
  bodyLineStart,
  decodeBody,
  encodeBody,
  type BodyRecord,
  type ReceivedBody,
  type SentBody,
} from '../../../core/requests/requestBody.ts';
import { type LoggedRequest, RequestLog } from '../../../core/requests/requestLog.ts';
import {
  decodeRequestRecord,
  encodeRequestRecord,
  type RequestEnd,
  type RequestRecord,
  type RequestStart,
} from '../../../core/requests/requestRecord.ts';
import { mapTable } from '../../../shared/mapTable.ts';
import { blankLines } from '../../disk/blankLines.ts';
import { isMissing } from '../../disk/diskError.ts';
import { LinesFile } from '../../disk/linesFile.ts';
import { Queue } from '../../disk/queue.ts';
import { Saver } from '../../disk/saver.ts';
import { CurrentLogFile, type LogLimits } from './currentLogFile.ts';
import { DeletedRequests } from './deletedRequests.ts';
import { LogFiles, type LogFile } from './logFiles.ts';

export interface RequestBodies {
  readonly request?: SentBody;
  readonly response?: ReceivedBody;
}

/** Part of a request that isn't on disk yet. */
interface Job {
  readonly id: string;
  run(): Promise<void>;
  /** Called if the request is deleted before `run` has succeeded. Keeps what it cost. */
  drop?(): Promise<void>;
}

/** What requests cost still counts today when they're no longer recorded, whoever deletes them. None of these reject. */
interface Sums {
  sumsIn(file: LogFile): Promise<SumsApart>;
  sumUp(requests: Iterable<LoggedRequest>): Promise<SumsApart>;
  keep(sums: SumsApart): Promise<void>;
}

/**
 * The folder of the request history: files of JSON lines named by their start time, and next to each one the bodies of
 * its requests. All windows append to the newest. Everything about a request is stored with its start. When the history
 * is full, the oldest bodies are deleted, or the oldest files.
 */
export class LogStore {
  readonly #files: LogFiles;
  readonly #writer: string;
  readonly #sums: Sums;
  readonly #current: CurrentLogFile;
  readonly #deleted: DeletedRequests;
  readonly #fileOf = new Map<string, string>();
  /** Requests of this window. */
  readonly #running = new Map<string, RequestStart>();
  readonly #readers = new Map<string, LinesFile>();
  readonly #queue = new Queue();
  readonly #saver: Saver;
  /** Records that couldn't be written are kept here, in order. */
  #jobs: Job[] = [];

  get folder(): string {
    return this.#files.folder;
  }

  get writer(): string {
    return this.#writer;
  }

  /**
   * @param deps.sums its `countOf` is the number of requests in a file; called when a new file is started.
   * @param deps.onError called once when something couldn't be written; it's kept and retried.
   */
  constructor(deps: {
    readonly folder: string;
    readonly writer: string;
    readonly limits: () => LogLimits;
    readonly sums: Sums & { countOf(file: LogFile): Promise<number> };
    readonly onError: (error: unknown) => void;
  }) {
    this.#files = new LogFiles(deps.folder);
    this.#writer = deps.writer;
    this.#sums = deps.sums;
    this.#deleted = new DeletedRequests(this.#files);
    this.#current = new CurrentLogFile({
      files: this.#files,
      limits: deps.limits,
      countOf: (file) => deps.sums.countOf(file),
      startsIn: (name) => this.#starts(name),
      remove: (name) => this.#remove(name),
      onError: deps.onError,
    });
    this.#saver = new Saver({ save: () => this.#save(), onError: deps.onError, queue: this.#queue });
  }

  start(record: RequestStart, request: SentBody | undefined): void {
    const { id } = record;
    this.#running.set(id, record);
    let name: string | undefined;
    const run = async () => {
      // Retried in the same file, because the line might have been written despite the error.
      name ??= await this.#current.nameAt(record.at);
      await this.#lines(name).append([encodeRequestRecord(record)]);
      this.#current.counted();
      this.#fileOf.set(id, name);
    };
    const drop = async () => {
      if (name !== undefined && (await this.#isFound(name, record))) this.#fileOf.set(id, name);
      else await this.#sums.keep(await this.#sums.sumUp(requestsFrom([record])));
    };
    this.#keep(id, run, drop);
    if (request !== undefined) this.sentAgain(id, request);
  }

  /** Of several requests, the last one counts. */
  sentAgain(id: string, request: SentBody): void {
    this.#keep(id, () => this.#appendBody({ id, part: 'request', content: request }));
  }

  end(record: RequestEnd, response: ReceivedBody | undefined): void {
    const { id } = record;
    const started = this.#running.get(id);
    this.#running.delete(id);
    const run = async () => {
      const name = this.#fileOf.get(id);
      try {
        if (name === undefined) return await this.#keepEnd(started, record);
        await this.#lines(name).append([encodeRequestRecord(record)], { existing: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Its file was deleted in the meantime.
        this.#fileOf.delete(id);
        await this.#keepEnd(started, record);
      }
    };
    const drop = async () => {
      const name = this.#fileOf.get(id);
      if (name === undefined || !(await this.#isFound(name, record))) await this.#keepEnd(started, record);
    };
    this.#keep(id, run, drop);
    if (response !== undefined) this.#keep(id, () => this.#appendBody({ id, part: 'response', content: response }));
    this.#keep(id, () => this.#undoIfDeleted(started, record));
  }

  /** Settles when everything so far is on disk, or couldn't be written and was reported. */
  async flush(): Promise<void> {
    if (this.#jobs.length > 0) await this.#saver.save();
    await this.#queue.settled();
  }

  /** Names of the history's files, newest first. */
  names(): Promise<readonly string[]> {
    return this.#files.names();
  }

  /** The history's files, newest first. */
  files(isWanted?: (name: string) => boolean): Promise<readonly LogFile[]> {
    return this.#files.all(isWanted);
  }

  read(name: string): Promise<readonly RequestRecord[]> {
    return this.#collect(name, (take) => this.#lines(name).read(take));
  }

  /** What was written to this file since it was last read. */
  readNew(name: string): Promise<readonly RequestRecord[]> {
    return this.#collect(name, (take) => this.#lines(name).readNew(take));
  }

  /** For sums: doesn't remember what was read. */
  async readApart(name: string): Promise<readonly RequestRecord[]> {
    const records: RequestRecord[] = [];
    await new LinesFile(this.#files.rows(name)).read((line) => records.push(...recordsOf(line)));
    return records;
  }

  /** The file that contains a request, if it was written or read here. */
  fileOf(id: string): string | undefined {
    return this.#fileOf.get(id);
  }

  async bodies(id: string): Promise<RequestBodies> {
    await this.flush();
    const name = this.#fileOf.get(id);
    if (name === undefined) return {};
    const beginning = bodyLineStart(id);
    const found: { request?: SentBody; response?: ReceivedBody } = {};
    await new LinesFile(this.#files.bodies(name)).read((line) => {
      const record = line.startsWith(beginning) ? decodeBody(line) : undefined;
      if (record?.part === 'request') found.request = record.content;
      else if (record?.part === 'response') found.response = record.content;
    });
    return found;
  }

  /** All bodies of one file. */
  async allBodies(name: string): Promise<ReadonlyMap<string, RequestBodies>> {
    const bodies = new Map<string, RequestBodies>();
    await new LinesFile(this.#files.bodies(name)).read((line) => {
      const record = decodeBody(line);
      if (record !== undefined) bodies.set(record.id, { ...bodies.get(record.id), [record.part]: record.content });
    });
    return bodies;
  }

  /** Deletes requests from the history and from the disk. Rejects if that failed. */
  delete(ids: readonly string[], at: number): Promise<void> {
    const wanted = new Set(ids);
    return this.#queue.run(async () => {
      await this.#saveToDelete((id) => wanted.has(id));
      const names = new Set(ids.flatMap((id) => this.#fileOf.get(id) ?? []));
      for (const name of names) {
        await this.#keepingCosts(name, wanted, async () => {
          await this.#blank(name, wanted);
          // For windows that have read it already, and for one that still writes to it.
          const record: RequestRecord = { type: 'deleted', ids: [...ids], writer: this.#writer, at };
          await this.#lines(name).append([encodeRequestRecord(record)], { existing: true });
          // What was written in between. A later writer finds the record, and blanks it itself.
          await this.#blank(name, wanted);
        });
      }
    });
  }

  /** Clears the history. Running requests are no longer recorded. Rejects if that failed. */
  clear(): Promise<void> {
    return this.#queue.run(async () => {
      await this.#saveToDelete(() => true);
      const errors: unknown[] = [];
      for (const name of await this.#files.namesOfAll()) {
        await this.#remove(name).catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
      await this.#files.removeIndex();
      this.#current.forget();
    });
  }

  #keep(id: string, run: Job['run'], drop?: Job['drop']): void {
    this.#jobs.push({ id, run, ...(drop !== undefined && { drop }) });
    void this.#saver.save();
  }

  async #save(): Promise<void> {
    for (let job = this.#jobs[0]; job !== undefined; job = this.#jobs[0]) {
      // No pending write is removed while this runs, because deleting and clearing wait their turn.
      await job.run();
      this.#jobs.shift();
    }
  }

  /** Only what is on disk can be summed up before it's deleted. What can't be written is deleted, too. */
  async #saveToDelete(isDeleted: (id: string) => boolean): Promise<void> {
    await this.#save().catch(() => undefined);
    const dropped = this.#jobs.filter(({ id }) => isDeleted(id));
    this.#jobs = this.#jobs.filter(({ id }) => !isDeleted(id));
    for (const job of dropped) await job.drop?.();
  }

  /**
   * Whether it was written although the disk reported a failure. If that can't be read, it's assumed: what deletes the
   * file's content then fails, too, and counts it when it's tried again. Never rejects.
   */
  async #isFound(name: string, { type, id }: RequestStart | RequestEnd): Promise<boolean> {
    try {
      const records = await this.readApart(name);
      return records.some((record) => record.type === type && record.id === id);
    } catch (error) {
      return !isMissing(error);
    }
  }

  /** Next to the request's row, or nowhere if that is gone. */
  async #appendBody(body: BodyRecord): Promise<void> {
    const name = this.#fileOf.get(body.id);
    if (name === undefined) return;
    await new LinesFile(this.#files.bodies(name)).append([encodeBody(body)]);
    // The history was cleared in the meantime, including this request.
    if ((await this.#files.sizes(name)).rows === 0) await this.#files.remove(name);
  }

  /** Another window might have deleted a request before this one could write all of it. */
  async #undoIfDeleted(started: RequestStart | undefined, record: RequestEnd): Promise<void> {
    const { id } = record;
    const name = this.#fileOf.get(id);
    if (name === undefined || !(await this.#deleted.has(name, id))) return;
    // Otherwise, whoever deleted it has seen its end, and kept its cost.
    const isLate = (await this.readApart(name)).some((each) => each.type === 'ended' && each.id === id);
    await this.#blank(name, new Set([id]));
    if (isLate) await this.#keepEnd(started, record);
  }

  /** Whoever deleted the request while it was running has counted it, and couldn't know its cost. */
  async #keepEnd(started: RequestStart | undefined, record: RequestEnd): Promise<void> {
    if (started === undefined) return;
    const { digest, withheld } = await this.#sums.sumUp(requestsFrom([started, record]));
    await this.#sums.keep({ digest: uncounted(digest), withheld: mapTable(withheld, uncounted) });
  }

  /** Even if only some of the requests could be deleted. */
  async #keepingCosts(name: string, ids: ReadonlySet<string>, change: () => Promise<void>): Promise<void> {
    const before = await this.#requestsIn(name, ids, []);
    try {
      await change();
    } finally {
      const left = new Set((await this.#requestsIn(name, ids, before)).map(({ id }) => id));
      await this.#sums.keep(await this.#sums.sumUp(before.filter(({ id }) => !left.has(id))));
    }
  }

  /** @param unread returned if the file can't be read, which keeps nobody from deleting them */
  async #requestsIn(
    name: string,
    ids: ReadonlySet<string>,
    unread: readonly LoggedRequest[],
  ): Promise<readonly LoggedRequest[]> {
    try {
      return [...requestsFrom(await this.readApart(name))].filter(({ id }) => ids.has(id));
    } catch {
      return unread;
    }
  }

  async #blank(name: string, ids: ReadonlySet<string>): Promise<void> {
    await blankLines(this.#files.rows(name), ids);
    await blankLines(this.#files.bodies(name), ids);
  }

  async #remove(name: string): Promise<void> {
    const file = await this.#files.file(name);
    const sums = file && (await this.#sums.sumsIn(file));
    await this.#files.remove(name, async () => sums && this.#sums.keep(sums));
    this.#readers.delete(name);
    this.#deleted.forget(name);
  }

  async #starts(name: string): Promise<number> {
    const records = await this.readApart(name);
    return records.filter((record) => record.type === 'started').length;
  }

  async #collect(
    name: string,
    read: (take: (line: string) => void) => Promise<void>,
  ): Promise<readonly RequestRecord[]> {
    const records: RequestRecord[] = [];
    await read((line) => {
      for (const record of recordsOf(line)) {
        if (record.type === 'started') this.#fileOf.set(record.id, name);
        records.push(record);
      }
    });
    return records;
  }

  #lines(name: string): LinesFile {
    const file = this.#readers.get(name) ?? new LinesFile(this.#files.rows(name));
    this.#readers.set(name, file);
    return file;
  }
}

function requestsFrom(records: readonly RequestRecord[]): Iterable<LoggedRequest> {
  const log = new RequestLog();
  for (const record of records) log.apply(record);
  return log.all();
}

function uncounted(digest: RequestDigest): RequestDigest {
  return mapTable(digest, (models) => mapTable(models, (sum) => ({ ...sum, requests: 0 })));
}

/** One, or none for a damaged line, which stays in its file and is skipped. */
function recordsOf(line: string): readonly RequestRecord[] {
  const record = decodeRequestRecord(line);
  return record === undefined ? [] : [record];
}
