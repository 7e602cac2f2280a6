import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CatalogForm } from './catalog/catalogEndpoint.ts';
import { CreditBalance } from './creditBalance.ts';
import { FileStore } from './files/fileStore.ts';
import { InferenceLog, type LogEntry } from './inferenceLog.ts';
import { createModels } from './models/createModels.ts';
import type { ModelDefinition } from './models/modelDefinition.ts';
import { RateLimiter } from './rateLimiter.ts';
import { handleRequest } from './requestHandler.ts';
import { createRouter } from './routes.ts';

export interface InferenceServiceOptions {
  /** 0, any free port, unless given. */
  readonly port?: number;
  /** Port of the legacy form of the host; 0, any free port, unless given. */
  readonly legacyPort?: number;
  /** `local-key` unless given. */
  readonly apiKey?: string;
  /** Pace of the models that have none of their own: 80 unless given; Infinity for unpaced. */
  readonly tokensPerSecond?: number;
  /** Wait before the first token of the models that have none of their own: 0 unless given. */
  readonly firstTokenDelayMs?: number;
  /** Credits of the account: unlimited unless given. */
  readonly credits?: number;
  /** Limit of the account, refilled steadily: none unless given. */
  readonly requestsPerMinute?: number;
  /** True to have the error and fault models in the catalog; they can be used either way. */
  readonly listFaults?: boolean;
  /** The service's own name in the native paths: `svcai`, as in the specification, unless given. */
  readonly nativeSegment?: string;
  /** Least time that the making of a video takes: 1 unless given. */
  readonly videoSeconds?: number;
  /** How long the links to files that were made are good: 3600 unless given. */
  readonly fileLifetimeSeconds?: number;
  /** Models in the catalog, without errors and faults: 40 unless given. */
  readonly catalogSize?: number;
  /** All it has, in place of its own models. */
  readonly models?: readonly ModelDefinition[];
  /** What the catalog looks like as a whole: `list`, as in the specification of such services, unless given. */
  readonly catalogForm?: CatalogForm;
  /** Clock of the log and the rate limits, Unix time in milliseconds. */
  readonly now?: () => number;
}

/** A running service. */
export interface InferenceService {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** `http://127.0.0.1:<port>/api` */
  readonly nativeUrl: string;
  /** The same service under another origin. */
  readonly legacyBaseUrl: string;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly apiKey: string;
  /** The inference log as it is now, oldest first. */
  log(): readonly LogEntry[];
  /** The log without the lists of models: views ask for those whenever they like, beside what a test does. */
  asked(): readonly LogEntry[];
  /** Connections of clients, on both forms of the host; idle ones count. */
  openConnections(): number;
  /**
   * The first log entry, past or to come, that fits; looked at again at every change of an entry.
   * @throws when none fits within the time
   */
  waitForEntry(predicate: (entry: LogEntry) => boolean, timeoutMs: number): Promise<LogEntry>;
  addCredits(credits: number): void;
  /** Cuts what still runs. Resolves when both ports are free and every socket is gone. */
  close(): Promise<void>;
}

export const defaultApiKey = 'local-key';
export const defaultTokensPerSecond = 80;
export const defaultNativeSegment = 'svcai';
export const defaultVideoSeconds = 1;
export const defaultFileLifetimeSeconds = 3600;
export const defaultCatalogSize = 40;

/** Enough for a day of development; request bodies are kept, so it must end somewhere. */
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
    const server = createServer((request, response) => void handleRequest(request, response, host, settings));
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
