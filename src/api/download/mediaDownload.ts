import type { DownloadFailure, NetworkFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { systemClock, type Clock } from '../clock.ts';
import { downloadRules, type DownloadRules } from './downloadAddress.ts';
import { DownloadExchange } from './downloadExchange.ts';
import { isWorthAnother } from './isWorthAnother.ts';
import { type FileMediaType, fileMediaTypeOf } from '../operations/fileMediaType.ts';
import { refusedAddressCode } from '../transport/guardedLookup.ts';
import { networkCodeOf } from '../transport/networkFailure.ts';
import { retryAfterMsOf } from '../wire/retryAfter.ts';
import type { Transport } from '../transport/transport.ts';

/** Where the bytes are written. Whatever it throws is a disk failure. */
export interface DownloadSink {
  /** Number of bytes stored so far. */
  readonly size: number;
  /** The strong ETag of these bytes. Without one, the download can't be resumed. */
  readonly tag: string | undefined;
  setTag(tag: string | undefined): Promise<void>;
  /** The first bytes of the file, up to 16. */
  head(): Promise<Uint8Array>;
  append(chunk: Uint8Array): Promise<void>;
  /** Discards the stored bytes and their ETag. */
  restart(): Promise<void>;
}

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  /** Bytes stored so far, and the total if the host reports it. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | undefined) => void;
  /** A longer file is refused. 1 GiB by default. */
  readonly maxBytes?: number;
}

export interface DownloadedFile {
  /** Detected from the bytes themselves. */
  readonly mediaType: FileMediaType;
  readonly sizeBytes: number;
}

/** Downloads generated files. It sends no request to the service, and never sends the key. */
export interface MediaDownloads {
  downloadMedia(url: string, sink: DownloadSink, options?: DownloadOptions): Promise<DownloadedFile>;
}

/** Larger than any video from these services, but too small to fill most disks. */
const defaultMaxBytes = 1024 * 1024 * 1024;
const longestWaitMs = 8_000;
const firstWaitMs = 500;
/** If the host asks for a longer wait, the download fails instead. */
const longestAskedWaitMs = 30_000;
/** Attempts in a row that made no progress. */
const barrenLimit = 5;
const attemptLimit = 40;
const hopLimit = 5;
const defaultDownloadSilenceMs = 30_000;

export interface MediaDownloadDeps {
  readonly transport: Pick<Transport, 'get'>;
  /** The configured URLs of the service, which decide what can be requested. */
  readonly service: readonly URL[];
  readonly silenceMs?: number;
  readonly clock?: Clock;
}

/**
 * Downloads a file, without the key. Broken connections are resumed if the host sends a strong ETag; otherwise, the
 * download starts over. It gives up after five attempts in a row without progress.
 * @throws {ApiError} `download` and every connection failure, or the signal's reason on a cancel.
 */
export function downloadMedia(
  deps: MediaDownloadDeps,
  url: string,
  sink: DownloadSink,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  return new MediaDownload(deps, sink, options).run(url);
}

class MediaDownload {
  readonly #transport: Pick<Transport, 'get'>;
  readonly #rules: DownloadRules;
  readonly #silenceMs: number;
  readonly #clock: Clock;
  readonly #sink: DownloadSink;
  readonly #options: DownloadOptions;
  readonly #maxBytes: number;
  #totalBytes: number | undefined;
  /** The wait that the host asked for when it last refused. */
  #askedWaitMs: number | undefined;

  constructor(deps: MediaDownloadDeps, sink: DownloadSink, options: DownloadOptions) {
    this.#transport = deps.transport;
    this.#rules = downloadRules(deps.service);
    this.#silenceMs = deps.silenceMs ?? defaultDownloadSilenceMs;
    this.#clock = deps.clock ?? systemClock;
    this.#sink = sink;
    this.#options = options;
    this.#maxBytes = options.maxBytes ?? defaultMaxBytes;
  }

  async run(link: string): Promise<DownloadedFile> {
    const { signal } = this.#options;
    const url = URL.parse(link);
    if (url === null) throw refusal('address', '');
    for (let attempt = 1, barren = 1; ; attempt += 1) {
      const sizeBefore = this.#sink.tag === undefined ? Infinity : this.#sink.size;
      this.#askedWaitMs = undefined;
      try {
        if (this.#sink.tag === undefined && this.#sink.size > 0) await this.#onDisk(url, () => this.#sink.restart());
        await this.#follow(url);
        return await this.#finished(url);
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        if (isRefusedByName(error)) throw refusal('address', error.failure.host);
        const isLast = barren === barrenLimit || attempt === attemptLimit;
        if (!(error instanceof ApiError) || isLast || !isWorthAnother(error.failure)) throw error;
        const askedMs = this.#askedWaitMs;
        if (askedMs !== undefined && askedMs > longestAskedWaitMs) throw error;
        barren = this.#sink.size > sizeBefore ? 1 : barren + 1;
        const mostMs = Math.min(longestWaitMs, firstWaitMs * 2 ** (barren - 1));
        await this.#clock.sleep(askedMs ?? Math.round(this.#clock.random() * mostMs), signal);
      }
    }
  }

  /** One attempt, following the allowed number of redirects. Each target is checked like the first URL. */
  async #follow(first: URL): Promise<void> {
    let url = first;
    for (let hop = 0; hop <= hopLimit; hop += 1) {
      const next = await this.#get(url);
      if (next === undefined) return;
      url = next;
    }
    throw refusal('redirects', url.host);
  }

  /** @returns the redirect's target. */
  async #get(link: URL): Promise<URL | undefined> {
    const url = this.#rules.secured(link);
    if (!this.#rules.allows(url)) throw refusal('address', url.host);
    const { size, tag } = this.#sink;
    const range = tag === undefined ? undefined : { range: `bytes=${size}-`, 'if-range': tag };
    using exchange = new DownloadExchange(url, this.#silenceMs, this.#options.signal);
    exchange.start((events) =>
      this.#transport.get(
        {
          url,
          headers: {
            accept: 'video/*, image/*, */*;q=0.1',
            'accept-encoding': 'identity',
            'user-agent': 'Parlance',
            ...range,
          },
          mayConnect: this.#rules.mayConnect(url),
        },
        events,
      ),
    );
    const { status, header } = await exchange.head();
    if (isFollowed(status)) {
      const target = URL.parse(header('location') ?? '', url.href);
      if (target === null) throw refusal('status', url.host, { status });
      return target;
    }
    if (status === 416 && range !== undefined && header('content-range') === `bytes */${this.#sink.size}`) {
      // The file is complete: only the announced length was longer.
      return undefined;
    }
    if (status !== 200 && status !== 206) {
      this.#askedWaitMs = retryAfterMsOf(header, this.#clock.now());
      throw refusal(isGone(status) ? 'gone' : 'status', url.host, { status });
    }
    await this.#beginAt(url, status, header);
    await this.#receive(url, exchange);
    return undefined;
  }

  /** Makes sure that the following bytes are stored in the right place. */
  async #beginAt(url: URL, status: number, header: (name: string) => string | undefined): Promise<void> {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(header('content-range') ?? '') ?? [];
    // An encoded body has a different length and different ranges from the bytes that arrive here.
    const isPacked = !/^(identity)?$/i.test(header('content-encoding') ?? '');
    const etag = header('etag');
    const isOther = this.#sink.tag !== undefined && etag !== undefined && etag !== this.#sink.tag;
    if (status === 206 && (Number(from) !== this.#sink.size || isOther || isPacked)) {
      // Not the requested range, or a range of another file: start over next time.
      await this.#onDisk(url, () => this.#sink.restart());
      throw lost(url);
    }
    if (status === 200 && this.#sink.size > 0) await this.#onDisk(url, () => this.#sink.restart());
    // A weak ETag doesn't guarantee identical bytes.
    const tag = !isPacked && etag?.startsWith('"') === true && etag.length <= 1024 ? etag : undefined;
    if (tag !== this.#sink.tag) await this.#onDisk(url, () => this.#sink.setTag(tag));
    const isCounted = !isPacked && /^\d+$/.test(header('content-length') ?? '');
    const length = isCounted ? Number(header('content-length')) : undefined;
    this.#totalBytes = status === 206 ? Number(total) : length;
    if (this.#totalBytes !== undefined && this.#totalBytes > this.#maxBytes) {
      throw refusal('tooLarge', url.host, { limitBytes: this.#maxBytes });
    }
  }

  async #receive(url: URL, exchange: DownloadExchange): Promise<void> {
    let isKnown = this.#sink.size > 0;
    for await (const chunk of exchange.chunks()) {
      if (!isKnown && fileMediaTypeOf(chunk) === undefined) throw refusal('notMedia', url.host);
      isKnown = true;
      if (this.#sink.size + chunk.length > this.#maxBytes) {
        throw refusal('tooLarge', url.host, { limitBytes: this.#maxBytes });
      }
      await this.#onDisk(url, () => this.#sink.append(chunk));
      this.#options.onProgress?.(this.#sink.size, this.#totalBytes);
    }
  }

  async #finished(url: URL): Promise<DownloadedFile> {
    const mediaType = fileMediaTypeOf(await this.#onDisk(url, () => this.#sink.head()));
    if (mediaType === undefined) throw refusal('notMedia', url.host);
    return { mediaType, sizeBytes: this.#sink.size };
  }

  async #onDisk<T>(url: URL, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw new ApiError({ kind: 'download', reason: 'disk', host: url.host, code: networkCodeOf(error) }, error);
    }
  }
}

function refusal(
  reason: DownloadFailure['reason'],
  host: string,
  facts: Pick<DownloadFailure, 'status' | 'limitBytes'> = {},
): ApiError {
  return new ApiError({ kind: 'download', reason, host, ...facts });
}

function lost(url: URL): ApiError {
  return new ApiError({ kind: 'connectionLost', host: url.host, code: 'WRONG_RANGE' });
}

function isFollowed(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isGone(status: number): boolean {
  return [401, 403, 404, 410].includes(status);
}

/** The name resolves to a network that must not be contacted. */
function isRefusedByName(error: unknown): error is ApiError & { readonly failure: NetworkFailure } {
  return error instanceof ApiError && error.failure.kind === 'network' && error.failure.code === refusedAddressCode;
}
