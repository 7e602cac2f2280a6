import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { readCommand } from '../../service/cliOptions.ts';

const main = fileURLToPath(new URL('../../service/main.ts', import.meta.url));

describe('The command line of the service', () => {
  let child: ChildProcess | undefined;

  afterEach(async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`prints the service's URL, and exits cleanly on ${signal} while a reply is running`, async function () {
      // On Windows, a signal from another process can only kill this one.
      if (process.platform === 'win32') this.skip();
      child = spawn(process.execPath, [main, '--port', '0', '--key', 'k1', '--rate', '5'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const text = await textUntil(child, 'Ctrl+C');
      const baseUrl = /base address +(\S+)/.exec(text)?.[1] ?? '';
      assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
      assert.match(text, /native address +\S+\/api\n/);
      assert.match(text, /legacy address +\S+\/v1\n/);
      assert.match(text, /API key +k1\n/);
      assert.match(text, /inference log +\S+\/log\n/);
      assert.match(text, /faults to try +\S+\/faults\n/);
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: 'Bearer k1', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'local/writer', messages: [{ role: 'user', content: 'write 999 tokens' }] }),
      });
      const cutOff = assert.rejects(response.text());
      const exited = once(child, 'exit');
      child.kill(signal);
      assert.deepEqual(await exited, [0, null]);
      await cutOff;
    });
  }

  it('ends with an error that names the option', async () => {
    child = spawn(process.execPath, [main, '--rate', 'fast'], { stdio: ['ignore', 'inherit', 'pipe'] });
    const exited = once(child, 'exit');
    assert.match(await textUntil(child, '\n'), /^--rate must be a number above 0\.\n$/);
    assert.deepEqual(await exited, [1, null]);
  });

  it('reads every option', () => {
    const args = ['--port=1', '--legacy-port=2', '--key=k', '--rate=3', '--first-token-delay=4', '--credits=5'];
    const more = ['--native-segment=acme', '--video-seconds=7', '--file-lifetime=8', '--catalog-size=9'];
    assert.deepEqual(readCommand([...args, ...more, '--rate-limit=6', '--catalog-form=models', '--faults']), {
      type: 'serve',
      options: {
        port: 1,
        legacyPort: 2,
        apiKey: 'k',
        tokensPerSecond: 3,
        firstTokenDelayMs: 4,
        credits: 5,
        requestsPerMinute: 6,
        nativeSegment: 'acme',
        videoSeconds: 7,
        fileLifetimeSeconds: 8,
        catalogSize: 9,
        catalogForm: 'models',
        listFaults: true,
      },
    });
    assert.deepEqual(readCommand([]), {
      type: 'serve',
      options: { port: 8787, apiKey: 'local-key', listFaults: false },
    });
    const unpaced = readCommand(['--rate', 'unpaced']);
    assert.equal(unpaced.type === 'serve' && unpaced.options.tokensPerSecond, Infinity);
    const broken = readCommand(['--catalog-form', 'fault-hang']);
    assert.equal(broken.type === 'serve' && broken.options.catalogForm, 'fault-hang');
    assert.deepEqual(readCommand(['-h']), { type: 'printHelp' });
    assert.deepEqual(readCommand(['--models']), { type: 'printModels' });
  });

  it('rejects unknown options and invalid values', () => {
    for (const args of [
      ['--prot', '1'],
      ['extra'],
      ['--port', '65536'],
      ['--port', '1.5'],
      ['--port', ''],
      ['--rate', '0'],
      ['--credits', '-1'],
      ['--rate-limit', '0'],
      ['--key', 'with space'],
      ['--key', ''],
      ['--native-segment', 'a/b'],
      ['--video-seconds', 'long'],
      ['--file-lifetime', '-1'],
      ['--catalog-size', '2.5'],
      ['--catalog-form', 'circle'],
      ['--catalog-form', 'error-999'],
    ]) {
      assert.throws(() => readCommand(args), args.join(' '));
    }
  });
});

/** The process's output, up to the first piece that contains `mark`. */
async function textUntil({ stdout, stderr }: ChildProcess, mark: string): Promise<string> {
  let text = '';
  const source = stdout ?? stderr;
  assert.ok(source);
  for await (const piece of source) {
    text += String(piece);
    if (text.includes(mark)) return text;
  }
  throw new Error(`The output ended without ${mark}: ${text}`);
}
