import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InferenceLog } from '../inferenceLog.ts';
import { faultsPage } from './faultsPage.ts';
import { logPage } from './logPage.ts';

type PagePath = '/log' | '/log.json' | '/faults';

export function isPage(path: string): path is PagePath {
  return path === '/log' || path === '/log.json' || path === '/faults';
}

/** Needs no key: the service listens only on loopback and rejects other sites' names for it. */
export function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: PagePath,
  log: InferenceLog,
): void {
  const host = request.headers.host ?? '';
  const isLoopbackName = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
  if (!isLoopbackName) {
    response.writeHead(403).end();
    return;
  }
  response.writeHead(200, {
    'content-type': path === '/log.json' ? 'application/json' : 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
  });
  response.end(contentOf(path, host, log));
}

function contentOf(path: PagePath, host: string, log: InferenceLog): string {
  if (path === '/faults') return faultsPage(`http://${host}`);
  const newestFirst = log.entries.toReversed();
  return path === '/log' ? logPage(newestFirst) : JSON.stringify(newestFirst);
}
