import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  chunk,
  delta,
  done,
  event,
  lastChunk,
  startRawServer,
  streamHead,
  type RawServer,
  type Responder,
} from './rawServer.ts';

const mebibyte = 1024 * 1024;
/** Twice the largest response, and what the collector hasn't freed yet on a busy machine. Without a limit, it's gigabytes. */
const most = 96 * mebibyte;

function endless(head: Buffer, bytes: Buffer): Responder {
  return (socket) => {
    const write = (): void => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.on('drain', write);
    socket.write(head);
    write();
  };
}

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const bomb = gzipSync(event({ choices: [{ delta: { content: 'x'.repeat(900_000) } }] }).repeat(200));
const json = Buffer.concat([streamHead({ 'content-type': 'application/json' }), chunk('{"id":"')]);
/** As expensive as HTTP chunks can be made for their reader. */
function oneByteChunks(byte: string, count: number): Buffer {
  return Buffer.from(`1\r\n${byte}\r\n`.repeat(count));
}

const attacks: readonly (readonly [name: string, call: 'chat' | 'image' | 'video', respond: Responder])[] = [
  ['text', 'chat', endless(streamHead(), chunk(delta('x'.repeat(50_000))))],
  ['one event', 'chat', endless(Buffer.concat([streamHead(), chunk('data: ')]), chunk('x'.repeat(60_000)))],
  ['JSON', 'chat', endless(json, chunk('x'.repeat(60_000)))],
  [
    'an error body',
    'chat',
    endless(Buffer.from('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n'), chunk('x'.repeat(60_000))),
  ],
  ['zeros that were compressed', 'chat', (socket) => socket.write(Buffer.concat([bombHead(), chunk(bomb)]))],
  ['JSON, byte by byte', 'video', endless(json, oneByteChunks('x', 10_000))],
  [
    'an image',
    'image',
    endless(Buffer.concat([streamHead({ 'content-type': 'image/png' }), chunk(png)]), chunk(Buffer.alloc(60_000))),
  ],
];

function bombHead(): Buffer {
  return streamHead({ 'content-encoding': 'gzip' });
}

describe('The memory for an endless response:', () => {
  const servers: RawServer[] = [];
  let report: readonly { readonly kind: string; readonly grownBytes: number }[];
  before(async () => {
    const calm: Responder = (socket) =>
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]));
    for (const respond of [calm, ...attacks.map((attack) => attack[2])]) servers.push(await startRawServer(respond));
    const [first = '', ...others] = servers.map((server) => server.origin);
    const targets = others.map((origin, index) => `${attacks[index]?.[1]}@${origin}`);
    const script = `${import.meta.dirname}/memory.ts`;
    // Measures what is kept, not the garbage that the young generation tolerates, which alone can be 100 MB.
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--max-semi-space-size=4',
      script,
      first,
      ...targets,
    ]);
    report = JSON.parse(stdout);
  });
  after(async () => {
    for (const server of servers) await server.close();
  });

  for (const [index, [name]] of attacks.entries()) {
    it(name, () => {
      assert.equal(report[index]?.kind, name === 'an error body' ? 'serverError' : 'tooLarge');
      assert.ok(report[index].grownBytes < most, `${Math.round(report[index].grownBytes / mebibyte)} MiB`);
    });
  }
});
