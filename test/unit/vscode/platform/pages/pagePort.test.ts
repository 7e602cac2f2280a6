import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { plainMessage } from '../../../../../src/vscode/platform/pages/plainMessage.ts';
import { PagePort } from '../../../../../src/vscode/platform/pages/pagePort.ts';
import { projectFolder } from '../../../../workbench/folders.ts';

type Out = { readonly type: string; readonly value?: unknown };

/** A port whose webview is a list, with the lines of its log. */
function portToList(deliver: () => Promise<boolean> = () => Promise.resolve(true)) {
  const sent: unknown[] = [];
  const lines: string[] = [];
  const listeners: ((value: unknown) => void)[] = [];
  const port = new PagePort<Out, Out>(
    {
      postMessage: (message: unknown) => {
        sent.push(message);
        return deliver();
      },
      onDidReceiveMessage: (listener: (value: unknown) => void) => {
        listeners.push(listener);
        return { dispose: () => undefined };
      },
    },
    { error: (error) => void lines.push(`error ${error.message}`), debug: (text) => void lines.push(`debug ${text}`) },
  );
  return { port, sent, lines, say: (value: unknown) => listeners.forEach((listener) => listener(value)) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const sourceFolder = join(projectFolder, 'src');

describe('The port of a page', () => {
  it('turns a Buffer into separate bytes, wherever it is in a message', () => {
    const { port, sent } = portToList();
    // A small Buffer is a slice of a pool that contains other data.
    const bytes = Buffer.from('image');
    port.post({ type: 'pictureRead', value: [{ bytes }] });
    const [message] = sent as [{ value: [{ bytes: Uint8Array }] }];
    const crossed = message.value[0].bytes;
    assert.equal(crossed.constructor, Uint8Array);
    assert.equal(Buffer.from(crossed.buffer).toString(), 'image');
  });

  it('tells the page the time with each message, because the page can be on another machine', () => {
    const { port, sent } = portToList();
    const before = Date.now();
    port.post({ type: 'snapshot', value: 1 });
    const [message] = sent as [{ sentAt: number }];
    assert.deepEqual(message, { type: 'snapshot', value: 1, sentAt: message.sentAt });
    assert.ok(message.sentAt >= before && message.sentAt <= Date.now());
  });

  it('passes everything that arrives unchanged, and nothing else', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withMap: true, withBigInt: true, withTypedArray: true }), (value) => {
        let crossed: unknown;
        try {
          crossed = plainMessage(value);
        } catch (error) {
          assert.ok(error instanceof TypeError);
          return;
        }
        assert.deepEqual(crossed, value instanceof Uint8Array ? new Uint8Array(value) : value);
      }),
    );
    for (const odd of [new Date(0), new Map(), 1n, () => 1, Symbol('s'), new Float32Array(1), new Error('e')]) {
      assert.throws(() => plainMessage({ deep: [odd] }), TypeError);
    }
  });

  it('passes on what the schema accepts of a message from the page, and nothing that it rejects', () => {
    const { port, lines, say } = portToList();
    const taken: unknown[] = [];
    port.onMessage(v.object({ type: v.literal('open'), value: v.number() }), (message) => taken.push(message));
    say({ type: 'open', value: 1, command: 'x' });
    say({ type: 'open', value: '1' });
    assert.deepEqual(taken, [{ type: 'open', value: 1 }]);
    assert.deepEqual(lines, ['error A page sent a message outside the protocol: open']);
  });

  it('logs each message that either side drops or fails on, but never its content', async () => {
    const { port, lines, say } = portToList(() => Promise.resolve(false));
    port.onMessage(v.object({ type: v.literal('ready') }), () => assert.fail('It was taken'));
    say({ type: 'failedMessage', name: 'pictureRead' });
    say({ type: 'failedMessage', name: 'a secret\nline' });
    say({ type: 'ask', text: 'a secret' });
    say('a secret');
    port.skipped({ type: 'titleChanged' });
    port.post({ type: 'completions', value: 'a secret' });
    port.post({ type: 'snapshot', value: new Date(0) });
    await settled();
    assert.deepEqual(lines, [
      'error A page failed at a message from the host: pictureRead',
      'error A page failed at a message from the host: unnamed',
      'error A page sent a message outside the protocol: ask',
      'error A page sent a message outside the protocol: unnamed',
      'debug No page is open for the message: titleChanged',
      "error A message can't be sent to a page: snapshot",
      'debug A message did not reach the page: completions',
    ]);
  });

  it("logs a message that VS Code can't deliver", async () => {
    const { port, lines } = portToList(() => Promise.reject(new Error('Webview is disposed')));
    port.post({ type: 'snapshot' });
    await settled();
    assert.deepEqual(lines, ["error A message can't be sent to a page: snapshot"]);
  });

  it('is the only channel between the host and a page', async () => {
    const names = await readdir(sourceFolder, { recursive: true });
    const users: string[] = [];
    // A worker has a port too, but not to a page.
    const workers = ['vscode/checks/verdictThread.ts', 'vscode/checks/verdictWorker.ts'];
    for (const name of names.filter((candidate) => /^(vscode|webview)\b.*\.ts$/.test(candidate))) {
      const text = await readFile(join(sourceFolder, name), 'utf8');
      if (/\.(postMessage|onDidReceiveMessage)\(/.test(text)) users.push(name.replaceAll('\\', '/'));
    }
    assert.deepEqual(users.toSorted(), [
      ...workers,
      'vscode/platform/pages/pagePort.ts',
      'webview/kit/host/host.ts',
      'webview/markdown/highlight/highlighter.ts',
    ]);
  });
});
