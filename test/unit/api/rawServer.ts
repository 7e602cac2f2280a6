import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as net from 'node:net';
import * as tls from 'node:tls';

export interface RawRequest {
  readonly method: string;
  /** As in the request line. */
  readonly target: string;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Uint8Array;
}

export type Responder = (socket: net.Socket, request: RawRequest, index: number) => void;

export interface RawServer {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https://localhost:<port>`. */
  readonly origin: string;
  /** Every request that arrived completely. */
  readonly requests: readonly RawRequest[];
  /** Total number of accepted connections. */
  accepted(): number;
  /** Number of open connections. */
  open(): number;
  /** Everything that arrived on all connections, above TLS. */
  receivedBytes(): number;
  /** The next connection that is accepted. */
  nextConnection(): Promise<net.Socket>;
  onHandshake(told: () => void): void;
  /** Resolves when a TLS handshake is done, or immediately if one already was. */
  handshaken(): Promise<void>;
  /** Resolves when no connection is open. */
  allClosed(): Promise<void>;
  /** Resolves at the next accepted connection, or at once when there was one. */
  connected(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A server that reads HTTP/1.1 requests and leaves every byte of the response to `respond`.
 * @param certificate the name of a file in `certificates/`, or the content of such a file.
 */
export async function startRawServer(
  respond: Responder,
  certificate?: string | { readonly pem: string },
  atPort = 0,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const sockets = new Set<net.Socket>();
  let accepted = 0;
  let receivedBytes = 0;
  let handshakes = 0;
  const onSocket = (socket: net.Socket): void => {
    handshakes += 1;
    socket.on('data', (bytes) => (receivedBytes += bytes.length));
    socket.on('error', () => {});
    readRequests(socket, (request) => respond(socket, request, requests.push(request) - 1));
  };
  const server =
    certificate === undefined
      ? net.createServer(onSocket)
      : tls.createServer({ key: pemOf(certificate), cert: pemOf(certificate) }, onSocket);
  // Counted below TLS, so that a refused handshake counts too.
  server.on('connection', (socket: net.Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      server.emit('gone');
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(atPort, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    origin: certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    requests,
    accepted: () => accepted,
    open: () => sockets.size,
    receivedBytes: () => receivedBytes,
    nextConnection: () => new Promise((resolve) => server.once('connection', resolve)),
    onHandshake: (told) => void server.on('secureConnection', told),
    handshaken: async () => {
      if (handshakes === 0) await once(server, 'secureConnection');
    },
    allClosed: async () => {
      while (sockets.size > 0) await once(server, 'gone');
    },
    connected: async () => {
      if (accepted === 0) await once(server, 'connection');
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function pemOf(certificate: string | { readonly pem: string }): string {
  return typeof certificate === 'string' ? fixture(certificate) : certificate.pem;
}

export function fixture(name: string): string {
  return readFileSync(fixturePath(name), 'utf8');
}

export function fixturePath(name: string): string {
  return `${import.meta.dirname}/certificates/${name}.pem`;
}

/** Reads consecutive requests from a connection. Bodies need a content-length. */
function readRequests(socket: net.Socket, onRequest: (request: RawRequest) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on('data', (more) => {
    buffered = Buffer.concat([buffered, Buffer.from(more)]);
    for (;;) {
      const headEnd = buffered.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [requestLine = '', ...lines] = buffered.subarray(0, headEnd).toString('latin1').split('\r\n');
      const headers: Record<string, string> = {};
      for (const line of lines) {
        const colon = line.indexOf(':');
        headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
      }
      const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (buffered.length < bodyEnd) return;
      const [method = '', target = ''] = requestLine.split(' ');
      const bytes = buffered.subarray(headEnd + 4, bodyEnd);
      buffered = buffered.subarray(bodyEnd);
      onRequest({ method, target, headers, body: bytes.toString('utf8'), bytes });
    }
  });
}

/** A complete response with a content-length. */
export function answer(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([head(status, { 'content-length': String(bytes.length), ...headers }), bytes]);
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  return answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** The beginning of a streamed response. */
export function streamHead(headers: Readonly<Record<string, string>> = {}): Buffer {
  return head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', ...headers });
}

export function head(status: number, headers: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`);
}

/** One chunk of chunked transfer encoding. */
export function chunk(bytes: string | Uint8Array): Buffer {
  const data = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

/** The same text this many times in one write: Wine closes a connection that has more than 1,024 writes waiting. */
export function times(count: number, bytes: Buffer): Buffer {
  return Buffer.alloc(bytes.length * count, bytes);
}

/** Combines pieces into larger chunks if there are so many that sending each separately would take too long. */
export function chunksOf(pieces: readonly Uint8Array[]): Buffer {
  const frames = pieces.map(({ length }) => `${length.toString(16)}\r\n`);
  const all = Buffer.alloc(pieces.reduce((sum, { length }, at) => sum + length + (frames[at]?.length ?? 0) + 2, 0));
  let end = 0;
  for (const [at, piece] of pieces.entries()) {
    end += all.write(frames[at] ?? '', end, 'latin1');
    all.set(piece, end);
    end += piece.length;
    end += all.write('\r\n', end, 'latin1');
  }
  return all;
}

export const lastChunk = Buffer.from('0\r\n\r\n');

/** One server-sent event. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** One streamed piece of text. */
export function delta(content: string): string {
  return event({ choices: [{ index: 0, delta: { content } }] });
}

export const finished = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
export const done = event('[DONE]');
