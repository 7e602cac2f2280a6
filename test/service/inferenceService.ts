import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CatalogForm } from './catalog/catalogEndpoint.ts';
import { CreditBalance } from './creditBalance.ts';
import { FileStore } from './files/fileStore.ts';
import { InferenceLog, type LogEntry } from './inferenceLog.ts';
import { createModels } from './models/createModels.ts';
import type { ModelDefinition } from './models/modelDefinition.ts';
import { RateLimiter } from './rateLimiter.ts';
import { handleRequest } from './requestHandler.ts';
import { reverseArrivals } from './reversedArrivals.ts';
import { createRouter } from './routes.ts';

export interface InferenceServiceOptions {
  /** 0, any free port, by default. */
  readonly port?: number;
  /** Port of the host's legacy form; 0, any free port, by default. */
  readonly legacyPort?: number;
  /** `local-key` by default. */
  readonly apiKey?: string;
  /** Speed of the models without their own: 80 by default; Infinity for unpaced. */
  readonly tokensPerSecond?: number;
  /** Wait before the first token of the models without their own: 0 by default. */
  readonly firstTokenDelayMs?: number;
  /** Credits of the account: unlimited by default. */
  readonly credits?: number;
  /** Limit of the account, refilled steadily: none by default. */
  readonly requestsPerMinute?: number;
  /** True to list the error and fault models in the catalog; they can be used either way. */
  readonly listFaults?: boolean;
  /** The service's own name in the native paths: `svcai`, as in the specification, by default. */
  readonly nativeSegment?: string;
  /** Minimum time to generate a video: 1 by default. */
  readonly videoSeconds?: number;
  /** How long links to generated files are valid: 3600 by default. */
  readonly fileLifetimeSeconds?: number;
  /** Models in the catalog, without errors and faults: 40 by default. */
  readonly catalogSize?: number;
  /** All of its models, instead of the built-in ones. */
  readonly models?: readonly ModelDefinition[];
  /** Shape of the whole catalog: `list`, as in the specification of such services, by default. */
  readonly catalogForm?: CatalogForm;
  /** True to take requests that arrive together in the reverse order, for tests that must not count on one. */
  readonly reversesArrivals?: boolean;
  /** Clock of the log and the rate limits, Unix time in milliseconds. */
  readonly now?: () => number;
}

/** A running service. */
export interface InferenceService {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** `http://127.0.0.1:<port>/api` */
  readonly nativeUrl: string;
  /** The same service at another origin. */
  readonly legacyBaseUrl: string;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly apiKey: string;
  /** The current inference log, oldest first. */
  log(): readonly LogEntry[];
  /** The log without model list requests: views send those whenever they like, independently of a test. */
  asked(): readonly LogEntry[];
  /** Client connections to both forms of the host, including idle ones. */
  openConnections(): number;
  /**
   * The first matching log entry, past or future; checked again whenever an entry changes.
   * @param timeoutMs a minute by default, which only something that hangs takes
   * @throws if none matches in time
   */
  waitForEntry(predicate: (entry: LogEntry) => boolean, timeoutMs?: number): Promise<LogEntry>;
  addCredits(credits: number): void;
  /** Changes the speed of the models without their own, in tokens per second. Running replies continue at the new one. */
  setSpeed(tokensPerSecond: number): void;
  /** While true, no video is finished, however long it has taken. */
  holdVideos(areHeld: boolean): void;
  /** While true, no list of models is sent. */
  holdLists(areHeld: boolean): void;
  /** Cuts what is still running. Resolves when both ports are free and every socket is closed. */
  close(): Promise<void>;
}

export const defaultApiKey = 'local-key';
export const defaultTokensPerSecond = 80;
export const defaultNativeSegment = 'svcai';
export const defaultVideoSeconds = 1;
export const defaultFileLifetimeSeconds = 3600;
export const defaultCatalogSize = 40;

/** Enough for a day of development; request bodies are kept, so there must be a limit. */
const logCapacity = 5000;

/** Starts the local inference service on 127.0.0.1. @throws when a port is taken */
export async function startInferenceService(options: InferenceServiceOptions = {}): Promise<InferenceService> {
  const now = options.now ?? Date.now;
  const apiKey = options.apiKey ?? defaultApiKey;
  const catalogSize = options.catalogSize ?? defaultCatalogSize;
  const log = new InferenceLog(logCapacity);
  const account = new CreditBalance(options.credits ?? Infinity);
  const origins = { current: '', legacy: '' };
  const settings: Parameters<typeof handleRequest>[3] = {
    apiKey,
    log,
    account,
    now,
    models: options.models ? new Map(options.models.map((model) => [model.id, model])) : createModels(now, catalogSize),
    files: new FileStore({ lifetimeSeconds: options.fileLifetimeSeconds ?? defaultFileLifetimeSeconds, now }),
    findRoute: createRouter(options.nativeSegment ?? defaultNativeSegment),
    tokensPerSecond: options.tokensPerSecond ?? defaultTokensPerSecond,
    firstTokenDelayMs: options.firstTokenDelayMs ?? 0,
    videoSeconds: options.videoSeconds ?? defaultVideoSeconds,
    areVideosHeld: false,
    areListsHeld: false,
    catalogSize,
    catalogForm: options.catalogForm ?? 'list',
    listsHidden: options.listFaults ?? false,
    rateLimiter: accountLimiter(options.requestsPerMinute, now),
    originHere: ({ host }) => origins[host],
    originElsewhere: ({ host }) => (host === 'current' ? origins.legacy : origins.current),
  };

  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const listen = async (host: 'current' | 'legacy', port: number): Promise<void> => {
    const take = (request: IncomingMessage, response: ServerResponse) =>
      void handleRequest(request, response, host, settings);
    const server = createServer(options.reversesArrivals === true ? reverseArrivals(take) : take);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    origins[host] = `http://127.0.0.1:${portOf(server)}`;
  };
  const close = async (): Promise<void> => {
    const closed = servers.splice(0).map((server) => closeServer(server));
    const gone = [...sockets].map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all([...closed, ...gone]);
  };

  try {
    await listen('current', options.port ?? 0);
    await listen('legacy', options.legacyPort ?? 0);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    baseUrl: `${origins.current}/v1`,
    nativeUrl: `${origins.current}/api`,
    legacyBaseUrl: `${origins.legacy}/v1`,
    origin: origins.current,
    apiKey,
    log: () => log.entries,
    asked: () => log.entries.filter(({ kind }) => kind !== 'models'),
    openConnections: () => sockets.size,
    waitForEntry: (predicate, timeoutMs) => log.waitFor(predicate, timeoutMs),
    addCredits: (credits) => account.add(credits),
    setSpeed: (tokensPerSecond) => Object.assign(settings, { tokensPerSecond }),
    holdVideos: (areVideosHeld) => Object.assign(settings, { areVideosHeld }),
    holdLists: (areListsHeld) => Object.assign(settings, { areListsHeld }),
    close,
  };
}

function accountLimiter(requestsPerMinute: number | undefined, now: () => number): RateLimiter | undefined {
  if (requestsPerMinute === undefined) return undefined;
  return new RateLimiter({
    burst: requestsPerMinute,
    refillMs: 60_000 / requestsPerMinute,
    scope: 'this account',
    now,
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
