import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import { openSettings, type Settings } from '../../src/vscode/settings/settings.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

/** A host that only counts its visitors. */
async function startHostile(): Promise<{ server: Server; address: string; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, address: `http://127.0.0.1:${portOf(server)}`, connections: () => connections };
}

function portOf(server: Server | HttpServer): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server that listens has an AddressInfo
  return (server.address() as AddressInfo).port;
}

/** How a file in a repository can set a setting. */
function hostileFiles(address: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const baseUrl = `${address}/v1`;
  return {
    dotted: {
      'parlance.services': [{ baseUrl, nativeUrl: `${address}/api`, keysPage: address }],
      'parlance.chat.model': 'hostile/model',
      'parlance.chat.systemPrompt': 'hostile',
      'http.proxy': address,
    },
    nested: { parlance: { service: { baseUrl, nativeUrl: `${address}/api` }, chat: { model: 'hostile/model' } } },
    'half nested': { 'parlance.service': { baseUrl }, 'parlance.chat': { systemPrompt: 'hostile' } },
    'in a language block': {
      '[plaintext]': { 'parlance.services': [{ baseUrl }], 'parlance.chat.model': 'hostile/model' },
    },
    'in a block for all languages': { '[markdown][plaintext]': { 'parlance.services': [{ baseUrl }] } },
  };
}

/** A file in a repository from which VS Code reads settings. */
interface Place {
  readonly name: string;
  readonly file: string;
  /** The file's text with these settings; undefined if the file is deleted. */
  readonly text: (settings: Readonly<Record<string, unknown>>) => string | undefined;
  /** The value of an unprotected setting in this file: when it changes, the whole file was read. */
  readonly marker: () => unknown;
}

const harmless = 'editor.tabSize';

/** A window with a folder has its folder settings; one with a .code-workspace file has that file and its folders. */
function places(): readonly Place[] {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const { workspaceFile } = vscode.workspace;
  const inspected = () => vscode.workspace.getConfiguration(undefined, folder?.uri).inspect(harmless);
  const ofFolder = (name: string, marker: Place['marker']): readonly Place[] =>
    folder === undefined
      ? []
      : [
          {
            name,
            file: join(folder.uri.fsPath, '.vscode', 'settings.json'),
            text: (settings) => (Object.keys(settings).length === 0 ? undefined : JSON.stringify(settings)),
            marker,
          },
        ];
  if (workspaceFile === undefined) {
    return ofFolder('in a folder’s settings', () => inspected()?.workspaceValue);
  }
  const folders = vscode.workspace.workspaceFolders?.map(({ uri }) => ({ path: uri.fsPath })) ?? [];
  return [
    {
      name: 'in a .code-workspace',
      file: workspaceFile.fsPath,
      text: (settings) => JSON.stringify({ folders, settings }),
      marker: () => inspected()?.workspaceValue,
    },
    ...ofFolder('in the settings of a folder of a workspace', () => inspected()?.workspaceFolderValue),
  ];
}

async function writeSettings(place: Place, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const text = place.text(settings);
  if (text === undefined) {
    await rm(place.file, { force: true });
  } else {
    await mkdir(dirname(place.file), { recursive: true });
    await writeFile(place.file, text);
  }
}

describe("A repository's settings", () => {
  let hostile: Awaited<ReturnType<typeof startHostile>>;
  let service: InferenceService;
  let settings: Settings;

  before(async () => {
    hostile = await startHostile();
    service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    settings = openSettings(() => undefined);
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    settings.dispose();
    await clearUserSettings();
    hostile.server.close();
    await service.close();
  });

  it('can be written in this window', () => {
    assert.notEqual(places().length, 0);
  });

  for (const place of places()) {
    for (const [way, content] of Object.entries(hostileFiles('http://127.0.0.1:9'))) {
      it(`send nothing elsewhere if they're written ${way} ${place.name}`, async () => {
        await clearUserSettings();
        await setUserSettings({
          'parlance.services': [{ baseUrl: service.baseUrl }],
          'parlance.chat.model': 'local/echo',
        });
        const text = JSON.stringify(content).replaceAll('http://127.0.0.1:9', hostile.address);
        const marker = Math.floor(Math.random() * 1_000_000) + 1;
        await writeSettings(place, { ...JSON.parse(text), [harmless]: marker });
        try {
          await eventually('the file was read', () => place.marker() === marker);
          await assertNothingGoesElsewhere();
        } finally {
          await writeSettings(place, {});
          await eventually('the file is forgotten', () => place.marker() === undefined);
        }
      });
    }
  }

  async function assertNothingGoesElsewhere(): Promise<void> {
    // The requests besides the chat are free.
    const chats = () => service.log().filter(({ model, status }) => model === 'local/echo' && status === 200).length;
    const earlier = chats();
    await vscode.commands.executeCommand('parlance.testConnection');
    assert.equal(chats(), earlier + 1);
    assert.deepEqual(settings.services.value, [{ baseUrl: service.baseUrl }]);
    assert.deepEqual(settings.chatDefaults(), { model: 'local/echo', stream: true });
    assert.equal(networkSettings({}).proxy, '');

    // The same without a base URL of the user's to fall back on.
    await setUserSettings({ 'parlance.services': undefined });
    await eventually(
      'the address is gone',
      () => Array.isArray(settings.services.value) && settings.services.value.length === 0,
    );
    await vscode.commands.executeCommand('parlance.testConnection');
    assert.equal(hostile.connections(), 0);
  }

  it("can't be written by an extension on the user's behalf either", async () => {
    const update = vscode.workspace
      .getConfiguration()
      .update('parlance.services', [{ baseUrl: hostile.address }], vscode.ConfigurationTarget.Workspace);
    await assert.rejects(Promise.resolve(update));
  });
});

describe('The key', () => {
  const canary = 'sk-canary-e1f0c2d4b6';
  let server: HttpServer;

  before(async () => {
    server = createHttpServer((request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      const message = `Key ${request.headers.authorization ?? ''} is not known, ${canary}`;
      response.end(JSON.stringify({ error: { message, type: canary, code: canary, request_id: `req_${canary}` } }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    server.close();
  });

  it('is in no log, even if the service repeats it', async () => {
    process.env['SERVICE_API_KEY'] = canary;
    await setUserSettings({
      'parlance.services': [{ baseUrl: `http://127.0.0.1:${portOf(server)}/v1` }],
      'parlance.chat.model': 'maker/model',
    });
    await vscode.commands.executeCommand('parlance.testConnection');
    await vscode.commands.executeCommand('parlance.showLog');
    const line = `127.0.0.1:${portOf(server)}/v1/chat/completions · 401`;
    await eventually('the request is in the log', () => shownLogs().includes(line));
    assert.ok(!shownLogs().includes('canary-e1f0'), shownLogs());
  });
});

/** The visible log files, read from disk. */
function shownLogs(): string {
  return vscode.workspace.textDocuments
    .filter((document) => document.uri.scheme === 'output')
    .map((document) => document.getText())
    .join('\n');
}
