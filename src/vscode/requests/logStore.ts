import {
  bodyLineStart,
  decodeBody,
  encodeBody,
  type BodyRecord,
  type ReceivedBody,
  type SentBody,
} from '../../core/requests/requestBody.ts';
import {
  decodeRequestRecord,
  encodeRequestRecord,
  type RequestEnd,
  type RequestRecord,
  type RequestStart,
} from '../../core/requests/requestRecord.ts';
import { blankLines } from '../disk/blankLines.ts';
import { isMissing } from '../disk/diskError.ts';
import { LinesFile } from '../disk/linesFile.ts';
import { Queue } from '../disk/queue.ts';
import { Saver } from '../disk/saver.ts';
import { CurrentLogFile, type LogLimits } from './currentLogFile.ts';
import { DeletedRequests } from './deletedRequests.ts';
import { LogFiles, type LogFile } from './logFiles.ts';

export interface RequestBodies {
  readonly request?: SentBody;
  readonly response?: ReceivedBody;
}

/** Something of a request that is not on disk yet. */
interface Job {
  readonly id: string;
  run(): Promise<void>;
}

/**
 * The folder of the request log: files of JSON lines named by the time they were begun, and beside
 * each one the bodies of its requests. All windows append to the newest; what belongs to a request
 * goes where its beginning is. The oldest files go when the log is full.
 */
export class LogStore {
  readonly #files: LogFiles;
  readonly #writer: string;
  readonly #current: CurrentLogFile;
  readonly #deleted: DeletedRequests;
  readonly #fileOf = new Map<string, string>();
  readonly #readers = new Map<string, LinesFile>();
  readonly #queue = new Queue();
  readonly #saver: Saver;
  /** What could not be written is kept here, in order. */
  #jobs: Job[] = [];

  get folder(): string {
    return this.#files.folder;
  }

  get writer(): string {
    return this.#writer;
  }

  /**
   * @param deps.countOf requests in a file; asked when a new file is begun.
   * @param deps.onError told once when something could not be written; it is kept and tried again.
   */
  constructor(deps: {
    readonly folder: string;
    readonly writer: string;
    readonly limits: () => LogLimits;
    readonly countOf: (file: LogFile) => Promise<number>;
    readonly onError: (error: unknown) => void;
  }) {
    this.#files = new LogFiles(deps.folder);
    this.#writer = deps.writer;
    this.#deleted = new DeletedRequests(this.#files);
    this.#current = new CurrentLogFile({
      files: this.#files,
      limits: deps.limits,
      countOf: deps.countOf,
      startsIn: (name) => this.#starts(name),
      remove: (name) => this.#remove(name),
      onError: deps.onError,
    });
    this.#saver = new Saver({ save: () => this.#save(), onError: deps.onError, queue: this.#queue });
  }

  start(record: RequestStart, request: SentBody | undefined): void {
    const { id } = record;
    let name: string | undefined;
    this.#keep(id, async () => {
      // Tried again in the same file: the line may be there although the disk said no.
      name ??= await this.#current.nameAt(record.at);
      await this.#lines(name).append([encodeRequestRecord(record)]);
      this.#current.counted();
      this.#fileOf.set(id, name);
    });
    if (request !== undefined) this.#keep(id, () => this.#appendBody({ id, part: 'request', content: request }));
  }

  end(record: RequestEnd, response: ReceivedBody | undefined): void {
    const { id } = record;
    this.#keep(id, async () => {
      const name = this.#fileOf.get(id);
      if (name === undefined) return;
      try {
        await this.#lines(name).append([encodeRequestRecord(record)], { existing: true });
      } catch (error) {
        if (!isMissing(error)) throw error;
        // The log was cleared meanwhile, this request with it.
        this.#fileOf.delete(id);
      }
    });
    if (response !== undefined) this.#keep(id, () => this.#appendBody({ id, part: 'response', content: response }));
    this.#keep(id, () => this.#undoIfDeleted(id));
  }

  /** Settles when all that was given so far is on disk, or could not be written and was reported. */
  async flush(): Promise<void> {
    if (this.#jobs.length > 0) await this.#saver.save();
    await this.#queue.settled();
  }

  /** Names of the log's files, the newest first. */
  names(): Promise<readonly string[]> {
    return this.#files.names();
  }

  /** The log's files, the newest first. */
  files(): Promise<readonly LogFile[]> {
    return this.#files.all();
  }

  read(name: string): Promise<readonly RequestRecord[]> {
    return this.#collect(name, (take) => this.#lines(name).read(take));
  }

  /** What was written to this file since it was read last. */
  readNew(name: string): Promise<readonly RequestRecord[]> {
    return this.#collect(name, (take) => this.#lines(name).readNew(take));
  }

  /** For sums: leaves no trace of what was read. */
  async readApart(name: string): Promise<readonly RequestRecord[]> {
    const records: RequestRecord[] = [];
    await new LinesFile(this.#files.rows(name)).read((line) => records.push(...recordsOf(line)));
    return records;
  }

  /** The file that a request stands in, when it was written or read here. */
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

  /** Takes requests out of the log, from the disk too. Rejects where that could not be done. */
  delete(ids: readonly string[], at: number): Promise<void> {
    const wanted = new Set(ids);
    const names = new Set(ids.flatMap((id) => this.#fileOf.get(id) ?? []));
    return this.#queue.run(async () => {
      this.#jobs = this.#jobs.filter(({ id }) => !wanted.has(id));
      for (const name of names) {
        await this.#blank(name, wanted);
        // For windows that have read it already, and for one that still writes to it.
        const record: RequestRecord = { type: 'deleted', ids: [...ids], writer: this.#writer, at };
        await this.#lines(name).append([encodeRequestRecord(record)], { existing: true });
        // What was written in between. Whoever writes later finds the record, and blanks it itself.
        await this.#blank(name, wanted);
      }
    });
  }

  /** Empties the log. What still runs is not logged any more. Rejects where that could not be done. */
  clear(): Promise<void> {
    return this.#queue.run(async () => {
      this.#jobs = [];
      const errors: unknown[] = [];
      for (const name of await this.#files.namesOfAll()) {
        await this.#remove(name).catch((error: unknown) => errors.push(error));
      }
      if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
      await this.#files.removeIndex();
      this.#current.forget();
    });
  }

  #keep(id: string, run: () => Promise<void>): void {
    this.#jobs.push({ id, run });
    void this.#saver.save();
  }

  async #save(): Promise<void> {
    for (let job = this.#jobs[0]; job !== undefined; job = this.#jobs[0]) {
      // Nothing takes a job away while this runs: deleting and clearing wait for their turn.
      await job.run();
      this.#jobs.shift();
    }
  }

  /** Beside the request's row; nowhere where that is gone. */
  async #appendBody(body: BodyRecord): Promise<void> {
    const name = this.#fileOf.get(body.id);
    if (name === undefined) return;
    await new LinesFile(this.#files.bodies(name)).append([encodeBody(body)]);
    // The log was cleared meanwhile, this request with it.
    if ((await this.#files.sizes(name)).rows === 0) await this.#files.remove(name);
  }

  /** Another window may have deleted a request before this one could write all of it. */
  async #undoIfDeleted(id: string): Promise<void> {
    const name = this.#fileOf.get(id);
    if (name !== undefined && (await this.#deleted.has(name, id))) await this.#blank(name, new Set([id]));
  }

  async #blank(name: string, ids: ReadonlySet<string>): Promise<void> {
    await blankLines(this.#files.rows(name), ids);
    await blankLines(this.#files.bodies(name), ids);
  }

  async #remove(name: string): Promise<void> {
    await this.#files.remove(name);
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

/** One, or none for a damaged line, which stays in its file and is passed over. */
function recordsOf(line: string): readonly RequestRecord[] {
  const record = decodeRequestRecord(line);
  return record === undefined ? [] : [record];
}
