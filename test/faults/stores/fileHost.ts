import type { Carriage, CarrierEvents } from '../../../src/api/transport/carrier.ts';
import type { MediaDownloadDeps } from '../../../src/api/download/mediaDownload.ts';

const signatures = { png: '89504e470d0a1a0a', webm: '1a45dfa3' } as const;
const CHUNK = 8000;
const broken = {
  kind: 'network',
  reason: 'reset',
  code: 'ECONNRESET',
  host: 'files.test',
  mayHaveBeenSent: true,
} as const;

/** Generates the content of a file with this name: each byte is predictable, so a mixed-up file is noticed. */
export function fileBytes(kind: keyof typeof signatures, name: string, size: number): Buffer {
  const signature = Buffer.from(signatures[kind], 'hex');
  const rest = Buffer.alloc(Math.max(16, size));
  for (let at = 0; at < rest.length; at += 1) rest[at] = name.charCodeAt(at % name.length) + Math.trunc(at / 997);
  return Buffer.concat([signature, rest]);
}

/**
 * Serves files at `/<name>/<size>`. It breaks the connection halfway through each first response, and continues at any
 * byte for a client that has the ETag. Real connections are tested elsewhere.
 */
export function fileHost(): MediaDownloadDeps['transport'] {
  let answers = 0;
  return {
    get: ({ url, headers }, events) => {
      const [, name = '', size = ''] = url.pathname.split('/');
      const bytes = fileBytes('webm', name, Number(size));
      const tag = `"${name}"`;
      const asked = /^bytes=(\d+)-$/.exec(headers['range'] ?? '')?.[1];
      const from = asked !== undefined && headers['if-range'] === tag ? Number(asked) : 0;
      answers += 1;
      const isCut = answers === 1 && bytes.length > CHUNK;
      return Promise.resolve(answer(events, bytes, { from, isPart: from > 0, tag, isCut }));
    },
  };
}

function answer(
  events: CarrierEvents,
  bytes: Buffer,
  { from, isPart, tag, isCut }: { from: number; isPart: boolean; tag: string; isCut: boolean },
): Carriage {
  const headers: Readonly<Record<string, string>> = {
    etag: tag,
    'content-length': String(bytes.length - from),
    ...(isPart && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  };
  const end = isCut ? Math.trunc((from + bytes.length) / 2) : bytes.length;
  let isOver = false;
  let at = from;
  const send = (): void => {
    if (isOver) return;
    if (at < end) {
      events.data(bytes.subarray(at, Math.min(at + CHUNK, end)));
      at += CHUNK;
      setImmediate(send);
    } else if (isCut) events.failed(broken, undefined);
    else events.end();
  };
  setImmediate(() => {
    if (isOver) return;
    events.sent();
    const status = from >= bytes.length ? 416 : isPart ? 206 : 200;
    const range = status === 416 ? { 'content-range': `bytes */${bytes.length}` } : {};
    const all: Readonly<Record<string, string>> = { ...headers, ...range };
    events.head({ status, header: (name) => all[name], allHeaders: () => Object.entries(all) });
    if (status === 416) at = end;
    send();
  });
  const stop = (): void => void (isOver = true);
  return { pause: () => undefined, resume: () => undefined, finish: stop, destroy: stop };
}
