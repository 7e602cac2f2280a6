import type { IncomingMessage, ServerResponse } from 'node:http';
import { Exchange } from './exchange.ts';
import type { InferenceLog } from './inferenceLog.ts';
import { answerPage, isPage } from './pages/pageEndpoint.ts';
import type { RateLimiter } from './rateLimiter.ts';
import type { Route, RouteSettings } from './routes.ts';
import { ServiceError } from './serviceError.ts';

interface HandlerSettings extends RouteSettings {
  readonly apiKey: string;
  readonly log: InferenceLog;
  readonly rateLimiter: RateLimiter | undefined;
  readonly findRoute: (path: string) => Route | undefined;
}

/** Responds to everything on one of the two forms of the host. Never throws. */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  host: 'current' | 'legacy',
  settings: HandlerSettings,
): Promise<void> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (isPage(path)) {
    answerPage(request, response, path, settings.log);
    return;
  }
  const { apiKey, log, now } = settings;
  const exchange = new Exchange({ request, response, host, path, apiKey, log, now });
  try {
    await answer(exchange, settings);
  } catch (error) {
    // An error because the client left can't be reported to anyone.
    if (exchange.signal.aborted || response.destroyed) return;
    if (response.headersSent) {
      exchange.settle('failed');
      response.destroy();
    } else {
      exchange.sendError(error instanceof ServiceError ? error : internalError(error));
    }
  } finally {
    // Without this, the rest of a rejected body would be read for nothing or block the connection.
    if (!request.complete && response.headersSent) request.resume();
  }
}

async function answer(exchange: Exchange, settings: HandlerSettings): Promise<void> {
  const { request, path } = exchange;
  const route = settings.findRoute(path);
  if (!route) throw new ServiceError(404, `There is nothing at ${path}.`, { code: 'not_found', param: null });
  exchange.record({ kind: route.kind });
  if (!route.methods.includes(request.method ?? '')) {
    const allow = route.methods.join(', ');
    throw new ServiceError(405, `${path} answers ${allow} only.`, { headers: { allow } });
  }
  if (route.needsKey) admit(exchange, settings);
  await route.answer(exchange, settings);
}

function admit({ authorization }: Exchange, { rateLimiter }: HandlerSettings): void {
  if (authorization === 'missing') throw new ServiceError(401, 'An API key is required: Authorization: Bearer <key>.');
  if (authorization === 'wrong') throw new ServiceError(401, 'The API key is not valid.');
  rateLimiter?.take();
}

function internalError(cause: unknown): ServiceError {
  console.error('The service has a bug:', cause);
  return new ServiceError(500, 'Internal error.');
}
