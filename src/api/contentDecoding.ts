import * as zlib from 'node:zlib';
import type { CarrierEvents } from './carrier.ts';
import { codeOf } from './networkFailure.ts';

/**
 * `identity` is asked for, but some gateways compress all the same. What comes out is handed on in
 * small pieces, so that the reader's size caps count decoded bytes and stop a bomb early.
 */
export function decodeContent(encoding: string | string[] | undefined, events: CarrierEvents): CarrierEvents {
  const name = (Array.isArray(encoding) ? encoding.join(',') : (encoding ?? '')).trim().toLowerCase();
  if (name === '' || name === 'identity') return events;
  const decoder = decoderFor(name);
  let isOver = false;
  const fail = (code: string, cause: unknown): void => {
    if (isOver) return;
    isOver = true;
    decoder?.destroy();
    events.failed(
      { kind: 'malformed', where: 'body', sample: `content-encoding: ${name.slice(0, 40)} (${code})` },
      cause,
    );
  };
  decoder?.on('data', (chunk: Buffer) => {
    if (!isOver) events.data(chunk);
  });
  decoder?.on('end', () => {
    if (isOver) return;
    isOver = true;
    events.end();
  });
  decoder?.on('error', (error) => fail(codeOf(error), error));

  return {
    sent: () => events.sent(),
    head: (head) => {
      events.head(head);
      if (decoder === undefined) fail('unknown', undefined);
    },
    data: (chunk) => {
      if (!isOver) decoder?.write(chunk);
    },
    end: () => {
      if (!isOver) decoder?.end();
    },
    failed: (failure, cause) => {
      if (isOver) return;
      isOver = true;
      decoder?.destroy();
      events.failed(failure, cause);
    },
  };
}

function decoderFor(name: string): zlib.Gunzip | zlib.Inflate | zlib.BrotliDecompress | undefined {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  switch (name) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: Z_SYNC_FLUSH });
    case 'deflate':
      return zlib.createInflate({ flush: Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
