import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerChat, type ChatSettings } from './chatEndpoint.ts';
import { catalogueRows } from './catalogue.ts';
import { Exchange } from './exchange.ts';
import type { InferenceLog } from './inferenceLog.ts';
import { logPage } from './logPage.ts';
import type { RateLimiter } from './rateLimiter.ts';
import { ServiceError } from './serviceError.ts';

interface HandlerSettings extends ChatSettings {
  readonly apiKey: string;
  readonly log: InferenceLog;
  readonly rateLimiter: RateLimiter | undefined;
  readonly listsHidden: boolean;
}

interface Route {
  readonly method: string;
  readonly answer: (exchange: Exchange, settings: HandlerSettings) => void | Promise<void>;
}

const chat: Route = { method: 'POST', answer: answerChat };

const catalogue: Route = {
  method: 'GET',
  answer: (exchange, { models, listsHidden }) => {
    exchange.settle('done');
    exchange.sendJson(200, { object: 'list', data: catalogueRows(models.values(), listsHidden) });
  },
};

/** `svcai` is the specification's placeholder for the service's own name; this service goes by it. */
const routes: ReadonlyMap<string, Route> = new Map([
  ['/v1/chat/completions', chat],
  ['/api/v1/svcai/chat/completions', chat],
  ['/v1/models', catalogue],
  ['/api/v1/models', catalogue],
]);

/** Answers whatever comes to one of the two forms of the host. Never throws. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  host: 'current' | 'legacy',
  settings: HandlerSettings,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (path === '/log' || path === '/log.json') {
    answerLog(request, response, path, settings.log);
    return;
  }
  const { apiKey, log, now } = settings;
  const exchange = new Exchange({ request, response, host, path, apiKey, log, now });
  try {
    await answer(exchange, settings);
  } catch (error) {
    // Whatever fails because the client left has no one to be told to.
    if (exchange.signal.aborted || response.destroyed) return;
    if (response.headersSent) {
      exchange.settle('failed');
      response.destroy();
    } else {
      exchange.sendError(error instanceof ServiceError ? error : internalError(error));
    }
  } finally {
    // Without this, the rest of a refused body would be read for nothing or block the connection.
    if (!request.complete && response.headersSent) request.resume();
  }
}

async function answer(exchange: Exchange, settings: HandlerSettings): Promise<void> {
  const { request, path, authorization } = exchange;
  const route = routes.get(path);
  if (!route) throw new ServiceError(404, `There is nothing at ${path}.`, { code: 'not_found', param: null });
  if (request.method !== route.method) {
    throw new ServiceError(405, `${path} answers ${route.method} only.`, { headers: { allow: route.method } });
  }
  if (authorization === 'missing') throw new ServiceError(401, 'An API key is required: Authorization: Bearer <key>.');
  if (authorization === 'wrong') throw new ServiceError(401, 'The API key is not valid.');
  settings.rateLimiter?.take();
  await route.answer(exchange, settings);
}

function internalError(cause: unknown): ServiceError {
  console.error('The service has a bug:', cause);
  return new ServiceError(500, 'Internal error.');
}

/** Needs no key: the service listens on loopback alone, and other sites' names for loopback are turned away. */
function answerLog(request: IncomingMessage, response: ServerResponse, path: string, log: InferenceLog): void {
  const isLoopbackName = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');
  if (!isLoopbackName) {
    response.writeHead(403).end();
    return;
  }
  const newestFirst = log.entries.toReversed();
  const isPage = path === '/log';
  response.writeHead(200, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
  });
  response.end(isPage ? logPage(newestFirst) : JSON.stringify(newestFirst));
}
