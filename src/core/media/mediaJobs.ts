import type { ModelRef } from '../../shared/modelRef.ts';
import { ApiError } from '../../api/apiError.ts';
import type { DownloadedFile, DownloadSink, MediaDownloads } from '../../api/download/mediaDownload.ts';
import { mayHaveBeenMade } from '../../api/calls/mayHaveBeenMade.ts';
import type { GeneratedImage } from '../../api/operations/imageGeneration.ts';
import type { GeneratedVideo } from '../../api/operations/videoGeneration.ts';
import type { InferenceCalls } from '../requests/inferenceCalls.ts';
import type { AnswerOptions } from '../../api/callOptions.ts';
import type { AttemptEvent } from '../../api/types.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MediaInput, MediaParameters } from '../../shared/media.ts';
import type { MediaFact } from './mediaRecord.ts';
import { mediaRequest } from './mediaRequest.ts';
import { systemCode } from '../problems/systemCode.ts';

/** Where the files of runs are stored. */
export interface MediaFiles {
  /** Path of a download until it's complete. */
  openPart(run: string, output: number): Promise<DownloadSink & { close(): Promise<void> }>;
  /** Renames a complete download. @returns its file name. */
  keepPart(run: string, output: number, mediaType: string): Promise<string>;
  /** @returns the file's name. */
  write(run: string, output: number, mediaType: string, bytes: Uint8Array): Promise<string>;
  /** The URL that an input is sent as: its own, or its bytes as a `data:` URL. */
  addressOf(input: MediaInput): Promise<string>;
}

export interface DownloadProgress {
  readonly receivedBytes: number;
  readonly totalBytes?: number;
}

export interface MediaJobsDeps {
  /** ID of the service that has the model. */
  readonly clientFor: (model: ModelRef) => Pick<InferenceCalls, 'ask'>;
  /** From the service that made the run. */
  readonly downloadsFor: (run: string) => MediaDownloads;
  readonly files: MediaFiles;
  /** Settles when the fact is on disk. Rejects if it couldn't be written. */
  readonly record: (fact: MediaFact) => Promise<void>;
  readonly redact: (failure: ApiFailure) => ApiFailure;
  readonly pid: number;
  /** The cost of a run by the model list's prices; undefined if unknown. */
  readonly estimate: (parameters: MediaParameters) => number | undefined;
  readonly newId: () => string;
  readonly onProgress: (run: string, output: number, progress: DownloadProgress | undefined) => void;
  /** A run waits for its next attempt until this Unix time in milliseconds; undefined when it continues. */
  readonly onWaiting: (run: string, until: number | undefined) => void;
  readonly now: () => number;
  readonly onUnexpected: (error: unknown) => void;
}

/**
 * The runs of this window. A run is on disk before any byte of it is sent, outlives every view, and is never resent
 * automatically. If its window is closed early, the run has no end in the records, which means that nobody knows how it
 * ended.
 */
export class MediaJobs {
  readonly #deps: MediaJobsDeps;
  readonly #running = new Map<string, AbortController>();
  readonly #loading = new Map<string, AbortController>();
  /** Files that arrived in the response itself and couldn't be written to disk. */
  readonly #unwritten = new Map<string, HeldFile>();

  constructor(deps: MediaJobsDeps) {
    this.#deps = deps;
  }

  isRunning(run: string): boolean {
    return this.#running.has(run);
  }

  isLoading(run: string, output: number): boolean {
    return this.#loading.has(key(run, output));
  }

  /**
   * Starts a run.
   * @returns its ID once it's on disk; the run continues in the background.
   * @throws whatever prevented the record or a file to send from being written. Nothing was sent then.
   */
  async start(parameters: MediaParameters): Promise<{ readonly id: string; readonly over: Promise<void> }> {
    const { record, newId, pid, estimate, onWaiting } = this.#deps;
    const ask = await this.#request(parameters);
    const id = newId();
    const abort = new AbortController();
    // Before the record exists, because a run without an end that nobody is working on has an unknown end.
    this.#running.set(id, abort);
    try {
      const price = estimate(parameters) ?? 0;
      await record({ type: 'started', id, parameters, pid, ...(price > 0 && { estimate: price }) });
    } catch (error) {
      this.#running.delete(id);
      throw error;
    }
    const over = this.#run(id, ask, abort.signal).finally(() => {
      this.#running.delete(id);
      onWaiting(id, undefined);
    });
    return { id, over };
  }

  /** Stops waiting for a run, or a download of it. The result might still be generated and charged. */
  stop(run: string): void {
    this.#running.get(run)?.abort();
    for (const [name, abort] of this.#loading) if (name.startsWith(`${run} `)) abort.abort();
  }

  /** Downloads one file of a run, even after a failure. */
  async download(run: string, output: number, url: string | undefined): Promise<void> {
    const name = key(run, output);
    if (this.#loading.has(name)) return;
    const abort = new AbortController();
    this.#loading.set(name, abort);
    const { onProgress } = this.#deps;
    try {
      onProgress(run, output, { receivedBytes: 0 });
      await this.#keep(run, output, url, abort.signal);
    } finally {
      this.#loading.delete(name);
      onProgress(run, output, undefined);
    }
  }

  /** Called when the window closes: marks running ones as unknown, if there's time. */
  async dispose(): Promise<void> {
    const open = [...this.#running];
    this.#running.clear();
    for (const abort of this.#loading.values()) abort.abort(closing);
    await Promise.allSettled(
      open.map(async ([id, abort]) => {
        await this.#deps.record({ type: 'ended', id, outcome: 'unknown' });
        abort.abort(closing);
      }),
    );
  }

  async #request(parameters: MediaParameters): Promise<Ask> {
    const { clientFor, files } = this.#deps;
    const client = clientFor(parameters.model);
    const addressOf = (input: MediaInput) => files.addressOf(input);
    switch (parameters.kind) {
      case 'image': {
        const { imageGeneration } = await import('../../api/operations/imageGeneration.ts');
        const body = await mediaRequest(parameters, addressOf);
        return async (options) => {
          const { images, ...answer } = await client.ask(imageGeneration(body), options);
          return { outputs: images, ...answer };
        };
      }
      case 'video': {
        const { videoGeneration } = await import('../../api/operations/videoGeneration.ts');
        const body = await mediaRequest(parameters, addressOf);
        return async (options) => {
          const { videos, ...answer } = await client.ask(videoGeneration(body), options);
          const cost = chargedCost(videos[0]?.raw);
          return { outputs: videos, ...answer, ...(cost !== undefined && { cost }) };
        };
      }
    }
  }

  async #run(id: string, ask: Ask, signal: AbortSignal): Promise<void> {
    const { onWaiting, now } = this.#deps;
    let mayBeAccepted = false;
    let answer: Answer;
    try {
      const onAttempt = (event: AttemptEvent): void => {
        // A request that is repeated wasn't accepted, and the next one isn't sent before it has a connection.
        mayBeAccepted = false;
        onWaiting(id, event.type === 'retrying' ? now() + event.delayMs : undefined);
      };
      const onWire = (): void => {
        mayBeAccepted = true;
      };
      answer = await ask({ signal, onAttempt, observer: { onWire } });
    } catch (error) {
      if (signal.reason === closing) return;
      await this.#record(
        signal.aborted ? { type: 'ended', id, outcome: 'stopped', unsent: !mayBeAccepted } : this.#end(id, error),
      );
      return;
    }
    const { outputs, requestId, cost } = answer;
    outputs.forEach((output, index) => {
      if (output.kind === 'bytes') this.#unwritten.set(key(id, index), output);
    });
    await this.#record({
      type: 'made',
      id,
      outputs: outputs.map((output) => (output.kind === 'url' ? { url: output.url } : {})),
      ...(requestId !== undefined && { requestId }),
      ...(cost !== undefined && { cost }),
    });
    // One after another, so that the first can be shown soonest.
    for (const [index, output] of outputs.entries()) {
      await this.download(id, index, output.kind === 'url' ? output.url : undefined);
    }
  }

  #end(id: string, error: unknown): MediaFact {
    const failure = this.#failureOf(error);
    const outcome = mayHaveBeenMade(failure) ? 'unknown' : 'failed';
    const requestId = 'requestId' in failure ? failure.requestId : undefined;
    return { type: 'ended', id, outcome, failure, ...(requestId !== undefined && { requestId }) };
  }

  async #keep(run: string, output: number, url: string | undefined, signal: AbortSignal): Promise<void> {
    try {
      const held = this.#unwritten.get(key(run, output));
      const saved =
        held === undefined ? await this.#load(run, output, url, signal) : await this.#write(run, output, held);
      this.#unwritten.delete(key(run, output));
      await this.#record({ type: 'saved', id: run, output, ...saved });
    } catch (error) {
      if (signal.reason === closing) return;
      if (signal.aborted) return await this.#record({ type: 'setAside', id: run, output });
      await this.#record({ type: 'notSaved', id: run, output, failure: this.#failureOf(error) });
    }
  }

  async #load(run: string, output: number, url: string | undefined, signal: AbortSignal): Promise<SavedFile> {
    const { downloadsFor, files, onProgress } = this.#deps;
    // An image without a link or bytes only exists if its window was closed early.
    if (url === undefined) throw new ApiError({ kind: 'download', reason: 'gone', host: '' });
    const sink = await onDisk(() => files.openPart(run, output));
    let loaded: DownloadedFile;
    try {
      loaded = await downloadsFor(run).downloadMedia(url, sink, {
        signal,
        onProgress: (receivedBytes, totalBytes) =>
          onProgress(run, output, { receivedBytes, ...(totalBytes !== undefined && { totalBytes }) }),
      });
    } finally {
      await onDisk(() => sink.close());
    }
    return { ...loaded, file: await onDisk(() => files.keepPart(run, output, loaded.mediaType)) };
  }

  async #write(run: string, output: number, { mediaType, bytes }: HeldFile): Promise<SavedFile> {
    const file = await onDisk(() => this.#deps.files.write(run, output, mediaType, bytes));
    return { file, mediaType, sizeBytes: bytes.length };
  }

  /** Facts are shown even if they can't be written. The writer reports that. */
  async #record(fact: MediaFact): Promise<void> {
    try {
      await this.#deps.record(fact);
    } catch (error) {
      this.#deps.onUnexpected(error);
    }
  }

  #failureOf(error: unknown): ApiFailure {
    if (error instanceof ApiError) return this.#deps.redact(error.failure);
    this.#deps.onUnexpected(error);
    return { kind: 'unexpected', message: '' };
  }
}

type Output = GeneratedImage | GeneratedVideo;
type HeldFile = Extract<Output, { readonly kind: 'bytes' }>;

interface SavedFile {
  readonly file: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
}

interface Answer {
  readonly outputs: readonly Output[];
  readonly requestId?: string;
  readonly cost?: number;
}

type Ask = (options: AnswerOptions) => Promise<Answer>;

const closing = Symbol('closing');

function key(run: string, output: number): string {
  return `${run} ${output}`;
}

/** What the service says it charged, in its own currency. */
function chargedCost(raw: Readonly<Record<string, unknown>> | undefined): number | undefined {
  const cost = raw?.['cost'];
  return typeof cost === 'number' && Number.isFinite(cost) && cost > 0 ? cost : undefined;
}

async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = systemCode(error);
    throw new ApiError({ kind: 'download', reason: 'disk', host: '', ...(code !== '' && { code }) }, error);
  }
}
