import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../exchange.ts';
import { portalPage } from '../faults/foreignBodies.ts';
import { ServiceError } from '../serviceError.ts';
import type { ServiceSettings } from '../serviceSettings.ts';
import { writeOut } from '../writeOut.ts';
import { type ByteRange, byteRange } from './byteRange.ts';
import type { StoredFile } from './fileStore.ts';

/** The bytes of one write. */
const pieceBytes = 64 * 1024;
const slowPieces = 100;
const missingBytes = 1000;

/** Serves a generated file to anyone who knows its URL. */
export async function answerFile(exchange: Exchange, { files }: ServiceSettings): Promise<void> {
  const file = files.find(exchange.path);
  if (!file) throw new ServiceError(404, `There is nothing at ${exchange.path}.`, { code: 'not_found', param: null });
  if (file === 'gone') throw new ServiceError(410, 'The file has expired.');
  const { delivery } = file;
  if (delivery.type === 'refused') {
    throw new ServiceError(delivery.status, 'The link has expired.', { param: null });
  }
  if (delivery.type === 'portal') {
    exchange.settle('done', { status: 200 });
    exchange.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(portalPage);
    return;
  }
  await sendFile(exchange, file);
}

async function sendFile(exchange: Exchange, file: StoredFile): Promise<void> {
  const { request, response } = exchange;
  const { bytes, delivery } = file;
  const isPlain = delivery.type === 'plain';
  const etag = delivery.type === 'changing' ? `"${randomUUID()}"` : file.etag;
  const headers = {
    'content-type': file.mediaType,
    // Pages from other origins can play and show it.
    'cross-origin-resource-policy': 'cross-origin',
    ...(isPlain ? {} : { 'accept-ranges': 'bytes', etag }),
  };
  const range = isPlain ? undefined : rangeOf(request.headers, bytes.length, etag);
  if (range === 'unsatisfiable') {
    exchange.settle('failed', { status: 416 });
    response.writeHead(416, { ...headers, 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: bytes.length };
  const promised = end - start + (delivery.type === 'short' ? missingBytes : 0);
  const status = range ? 206 : 200;
  exchange.record({ status });
  response.writeHead(status, {
    ...headers,
    ...(isPlain ? {} : { 'content-length': promised }),
    ...(range ? { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` } : {}),
  });
  if (request.method === 'HEAD') {
    exchange.settle('done');
    response.end();
    return;
  }
  await sendBytes(exchange, bytes.subarray(start, end), delivery);
}

/** `If-Range` with another ETag asks for the whole file. */
function rangeOf(
  headers: Exchange['request']['headers'],
  length: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const condition = headers['if-range'];
  return condition === undefined || condition === etag ? byteRange(headers.range, length) : undefined;
}

async function sendBytes(exchange: Exchange, bytes: Buffer, delivery: StoredFile['delivery']): Promise<void> {
  const { response, signal } = exchange;
  const breaks = delivery.type === 'broken' || delivery.type === 'changing';
  const sent = breaks || delivery.type === 'silent' ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
  const pauseMs = delivery.type === 'slow' ? (delivery.seconds * 1000) / slowPieces : 0;
  const size = pauseMs > 0 ? Math.max(1, Math.ceil(bytes.length / slowPieces)) : pieceBytes;
  for (let at = 0; at < sent.length; at += size) {
    await writeOut(response, sent.subarray(at, at + size), signal);
    if (pauseMs > 0) await setTimeout(pauseMs, undefined, { signal });
  }
  if (delivery.type === 'silent') {
    await once(response, 'close', { signal });
  } else if ((breaks && sent.length < bytes.length) || delivery.type === 'short') {
    // Gives written data time to leave before the connection is cut.
    await new Promise<void>((resolve) => response.write('', () => resolve()));
    await setTimeout(5, undefined, { signal });
    exchange.settle('failed');
    response.socket?.destroy();
  } else {
    exchange.settle('done');
    response.end();
  }
}
