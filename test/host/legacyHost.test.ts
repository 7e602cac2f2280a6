import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  answer,
  chunk,
  delta,
  done,
  lastChunk,
  type RawServer,
  startRawServer,
  streamHead,
} from '../unit/api/rawServer.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const key = 'key-for-two-origins';
const reply = Buffer.concat([streamHead(), chunk(delta('ready') + done), lastChunk]);

describe('Test Connection, with a legacy host', () => {
  let current: RawServer;
  let legacy: RawServer;

  beforeEach(async () => {
    process.env['SERVICE_API_KEY'] = key;
    current = await startRawServer((socket) => socket.write(reply));
    legacy = await startRawServer((socket) => socket.write(reply));
  });
  afterEach(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await current.close();
    await legacy.close();
  });

  const test = async ({ origin } = current): Promise<void> => {
    await setUserSettings({
      'parlance.services': [{ baseUrl: `${origin}/v1`, fallbackBaseUrl: `${legacy.origin}/v1` }],
      'parlance.chat.model': 'maker/model',
    });
    await vscode.commands.executeCommand('parlance.testConnection');
  };
  /** Only chats are counted: the other requests are free. */
  const keysAt = (server: RawServer) =>
    server.requests.filter(({ body }) => body.includes('"messages"')).map(({ headers }) => headers['authorization']);

  it('asks each form of the host once, with the key', async () => {
    await test();
    assert.deepEqual(keysAt(current), [`Bearer ${key}`]);
    assert.deepEqual(keysAt(legacy), [`Bearer ${key}`]);
    assert.deepEqual(legacy.requests[0]?.target, '/v1/chat/completions');
  });

  it("tries the legacy form once if the current one is gone: the test of the current form doesn't try it", async () => {
    await test({ ...current, origin: `http://127.0.0.1:${await unusedPort()}` });
    assert.deepEqual(keysAt(legacy), [`Bearer ${key}`]);
  });

  it('sends the key to these two origins and to no other, wherever either of them points', async () => {
    const elsewhere = await startRawServer((socket) => socket.write(reply));
    for (const server of [current, legacy]) await server.close();
    const pointing = (): Promise<RawServer> =>
      startRawServer((socket) =>
        socket.write(answer(308, '', { location: `${elsewhere.origin}/v1/chat/completions` })),
      );
    [current, legacy] = [await pointing(), await pointing()];
    await test();
    assert.deepEqual([keysAt(current).length, keysAt(legacy).length], [1, 1]);
    assert.equal(elsewhere.accepted(), 0);
    await elsewhere.close();
  });
});

describe('The key of the environment', () => {
  let first: RawServer;
  let second: RawServer;
  const beforehand = process.env['SERVICE_API_KEY_ORIGINS'];

  beforeEach(async () => {
    process.env['SERVICE_API_KEY'] = key;
    delete process.env['SERVICE_API_KEY_ORIGINS'];
    first = await startRawServer((socket) => socket.write(reply));
    second = await startRawServer((socket) => socket.write(reply));
  });
  afterEach(async () => {
    delete process.env['SERVICE_API_KEY'];
    if (beforehand !== undefined) process.env['SERVICE_API_KEY_ORIGINS'] = beforehand;
    await clearUserSettings();
    await first.close();
    await second.close();
  });

  it('is sent to a new base URL only after the user allowed it, when asked once', async () => {
    const test = async (server: RawServer): Promise<void> => {
      const service = {
        'parlance.services': [{ baseUrl: `${server.origin}/v1` }],
        'parlance.chat.model': 'maker/model',
      };
      await setUserSettings(service);
      await vscode.commands.executeCommand('parlance.testConnection');
    };
    for (const server of [first, second]) {
      // Closed without an answer.
      await answering(undefined, () => test(server));
      assert.equal(server.accepted(), 0);
      // The button of the notification, then the one of the confirmation.
      const { asked } = await answering('Use Key Here', async () => {
        await test(server);
        for (let round = 0; server.requests.length === 0 && round < 50; round += 1) {
          await vscode.commands.executeCommand('parlance.testConnection');
        }
      });
      assert.ok(
        asked.some((text) => text.includes(server.origin)),
        asked.join('\n'),
      );
      assert.equal(server.requests[0]?.headers['authorization'], `Bearer ${key}`);
      const later = await answering(undefined, () => test(server));
      assert.deepEqual(later.asked, []);
    }
  });
});

describe('A key that the user decides not to send to the fallback host', () => {
  it("doesn't repeat the connection test", async () => {
    const current = await startRawServer((socket) => socket.write(reply));
    const legacy = await startRawServer((socket) => socket.write(reply));
    const origins = process.env['SERVICE_API_KEY_ORIGINS'];
    const { showErrorMessage, showWarningMessage } = vscode.window;
    const answers: string[] = [];
    const chosen = (_message: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
      const isQuestion = typeof rest[0] === 'object';
      const isOffered = !isQuestion && rest.includes('Use Key Here');
      if (isQuestion || isOffered) answers.push(isQuestion ? 'canceled' : 'pressed');
      // Otherwise, a test that's repeated would never end.
      return Promise.resolve(isOffered && answers.length === 1 ? 'Use Key Here' : undefined);
    };
    try {
      process.env['SERVICE_API_KEY'] = key;
      process.env['SERVICE_API_KEY_ORIGINS'] = current.origin;
      Object.assign(vscode.window, { showErrorMessage: chosen, showWarningMessage: chosen });
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${current.origin}/v1`, fallbackBaseUrl: `${legacy.origin}/v1` }],
        'parlance.chat.model': 'maker/model',
      });
      await vscode.commands.executeCommand('parlance.testConnection');
      await eventually('the question is asked', () => answers.includes('canceled'));
      // Whatever follows an answer was begun once another command has finished.
      await vscode.commands.executeCommand('parlance.refreshModels');
      assert.deepEqual(answers, ['pressed', 'canceled']);
      assert.equal(current.requests.filter(({ body }) => body.includes('"messages"')).length, 1);
    } finally {
      Object.assign(vscode.window, { showErrorMessage, showWarningMessage });
      delete process.env['SERVICE_API_KEY'];
      delete process.env['SERVICE_API_KEY_ORIGINS'];
      if (origins !== undefined) process.env['SERVICE_API_KEY_ORIGINS'] = origins;
      await clearUserSettings();
      await current.close();
      await legacy.close();
    }
  });
});

describe('A base URL that should be https', () => {
  it('is changed with one click, and the key may be sent where it was sent before', async () => {
    let port = 0;
    const secured = await startRawServer(() => {});
    port = secured.port;
    const plain = await startRawServer((socket, { target }) =>
      socket.write(answer(308, '', { location: `https://127.0.0.1:${port}${target}` })),
    );
    process.env['SERVICE_API_KEY'] = key;
    try {
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${plain.origin}/v1` }],
        'parlance.chat.model': 'maker/model',
      });
      const baseUrl = () =>
        vscode.workspace.getConfiguration().get<readonly { baseUrl: string }[]>('parlance.services')?.[0]?.baseUrl;
      const show = vscode.window.showErrorMessage;
      Object.assign(vscode.window, { showErrorMessage: () => Promise.resolve('Use https://') });
      try {
        await vscode.commands.executeCommand('parlance.testConnection');
        await eventually('the base URL is changed', () => baseUrl() === `https://127.0.0.1:${port}/v1`);
      } finally {
        Object.assign(vscode.window, { showErrorMessage: show });
      }
      assert.equal(secured.requests.length, 0);
    } finally {
      delete process.env['SERVICE_API_KEY'];
      await clearUserSettings();
      await plain.close();
      await secured.close();
    }
  });
});

describe('A successful Test Connection', () => {
  it('offers what the service supports, and the inference log when its page is set', async () => {
    const server = await startRawServer((socket) => socket.write(reply));
    const show = vscode.window.showInformationMessage;
    const offered: string[][] = [];
    const note = (_text: string, ...buttons: string[]): Promise<undefined> => {
      offered.push(buttons);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showInformationMessage: note });
    process.env['SERVICE_API_KEY'] = key;
    try {
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${server.origin}/v1` }],
        'parlance.chat.model': 'maker/model',
      });
      await vscode.commands.executeCommand('parlance.testConnection');
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${server.origin}/v1`, inferenceLogPage: 'https://service.example/log' }],
      });
      await vscode.commands.executeCommand('parlance.testConnection');
      const supports = 'Show What It Supports';
      assert.deepEqual(offered, [[supports], [supports, 'Open Inference Log']]);
    } finally {
      Object.assign(vscode.window, { showInformationMessage: show });
      delete process.env['SERVICE_API_KEY'];
      await clearUserSettings();
      await server.close();
    }
  });
});

describe('The inference log that Test Connection offers', () => {
  it('is the one of the service that was tested, without asking which', async () => {
    const server = await startRawServer((socket) => socket.write(reply));
    const { showInformationMessage, showQuickPick } = vscode.window;
    const { openExternal } = vscode.env;
    const opened: unknown[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (_text: string, ...buttons: readonly string[]) => Promise.resolve(buttons.at(-1)),
      showQuickPick: () => Promise.resolve(assert.fail('there is no question')),
    });
    Object.assign(vscode.env, {
      openExternal: (address: unknown) => Promise.resolve(opened.push(address) > 0),
    });
    process.env['SERVICE_API_KEY'] = key;
    try {
      const entry = (name: string) => ({ name, inferenceLogPage: `https://${name}.example/log` });
      await setUserSettings({
        'parlance.services': [
          { baseUrl: `${server.origin}/v1`, ...entry('one') },
          { id: 'two', baseUrl: `${server.origin}/two/v1`, ...entry('two') },
        ],
        'parlance.chat.model': 'maker/model',
      });
      await vscode.commands.executeCommand('parlance.testConnection', { service: 'service' });
      await eventually('the page', () => opened.length > 0);
      assert.deepEqual(opened, ['https://one.example/log']);
    } finally {
      Object.assign(vscode.window, { showInformationMessage, showQuickPick });
      Object.assign(vscode.env, { openExternal });
      delete process.env['SERVICE_API_KEY'];
      await clearUserSettings();
      await server.close();
    }
  });
});

describe('The pages of the service', () => {
  it('open in the browser with one command each', async () => {
    const opened: unknown[] = [];
    const { openExternal } = vscode.env;
    Object.assign(vscode.env, {
      openExternal: (address: unknown) => Promise.resolve(opened.push(address) > 0),
    });
    try {
      await setUserSettings({
        'parlance.services': [
          {
            keysPage: 'https://service.example/keys',
            creditsPage: 'https://service.example/credits',
            inferenceLogPage: 'https://service.example/log?of=mine%2Byours',
          },
        ],
      });
      for (const page of ['openKeysPage', 'openCreditsPage', 'openInferenceLogPage']) {
        await vscode.commands.executeCommand(`parlance.${page}`);
      }
      assert.deepEqual(opened, [
        'https://service.example/keys',
        'https://service.example/credits',
        'https://service.example/log?of=mine%2Byours',
      ]);
    } finally {
      Object.assign(vscode.env, { openExternal });
      await clearUserSettings();
    }
  });
});
