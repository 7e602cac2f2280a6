import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chunk, delta, done, fixturePath, lastChunk, startRawServer, streamHead, type RawServer } from './rawServer.ts';
import type { Outcome } from './testClient.ts';

interface Report {
  readonly outcome: Outcome;
  readonly unchanged: boolean;
  readonly hadOne: boolean;
  readonly loadedBefore: number;
  readonly loadedAfter: number;
  /** The results of two chats after a settings change, the second with its own transport. */
  readonly later: readonly string[];
  readonly workers: number;
  /** How often the main thread asked for the system's certificates, which blocks everything. */
  readonly systemReadsHere: number;
}

describe('In a separate process', () => {
  let service: RawServer;
  afterEach(() => service.close());
  const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);

  async function run(systemCertificates: boolean, env: Readonly<Record<string, string>>, first = ''): Promise<Report> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`${import.meta.dirname}/freshProcess.ts`, service.origin, String(systemCertificates), first],
      // Without the authorities that the machine might have.
      { env: { ...process.env, SSL_CERT_FILE: '', NODE_EXTRA_CA_CERTS: '', NODE_NO_WARNINGS: '1', ...env } },
    );
    const report: Report = JSON.parse(stdout);
    return report;
  }

  it("a chat leaves the global dispatchers unchanged, and loads undici only when it's needed", async () => {
    service = await startRawServer((socket) => socket.write(reply));
    for (const first of ['', 'fetch']) {
      const report = await run(false, {}, first);
      assert.equal(report.outcome.text, 'Hi');
      assert.equal(report.hadOne, first === 'fetch');
      assert.equal(report.unchanged, true, first);
      assert.equal(report.loadedBefore, 0);
      assert.ok(report.loadedAfter > 0);
    }
  });

  it("a chat trusts the system's authorities if the setting says so, reading them once and on another thread", async function () {
    // Elsewhere the system's authorities aren't in a file that a test could name.
    if (process.platform !== 'linux') this.skip();
    service = await startRawServer((socket) => socket.write(reply), 'good');
    const report = await run(true, { SSL_CERT_FILE: fixturePath('authority') });
    assert.equal(report.outcome.text, 'Hi');
    assert.deepEqual(report.later, ['Hi', 'Hi']);
    assert.deepEqual([report.workers, report.systemReadsHere], [1, 0]);
    assert.equal(service.requests.length, 3);
    // The first one was refused with only the built-in authorities. After that, both transports knew all of them.
    assert.equal(service.accepted(), 4);
  });

  it("a chat that doesn't need the system's authorities never asks for them", async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    const report = await run(true, { NODE_EXTRA_CA_CERTS: fixturePath('authority') });
    assert.deepEqual(report.later, ['Hi', 'Hi']);
    assert.deepEqual([report.workers, report.systemReadsHere], [0, 0]);
    assert.equal(service.accepted(), 3);
  });

  it("a certificate whose issuer isn't among the system's authorities either is refused, and nothing is sent", async () => {
    service = await startRawServer((socket) => socket.write(reply), 'selfSigned');
    const { outcome, workers } = await run(true, { SSL_CERT_FILE: fixturePath('authority') });
    assert.equal(outcome.failure?.kind === 'tls' && outcome.failure.reason, 'selfSigned');
    assert.equal(workers, 1);
    assert.equal(service.requests.length, 0);
    assert.equal(service.receivedBytes(), 0);
  });

  it("a chat doesn't trust the system's authorities if the setting says no", async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    const { outcome, workers } = await run(false, { SSL_CERT_FILE: fixturePath('authority') });
    assert.equal(outcome.failure?.kind === 'tls' && outcome.failure.reason, 'untrusted');
    assert.equal(service.requests.length, 0);
    assert.equal(workers, 0);
  });

  it('a chat trusts NODE_EXTRA_CA_CERTS', async () => {
    service = await startRawServer((socket) => socket.write(reply), 'good');
    assert.equal((await run(true, { NODE_EXTRA_CA_CERTS: fixturePath('authority') })).outcome.text, 'Hi');
  });
});
