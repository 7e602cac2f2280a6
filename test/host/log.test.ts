import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

// From a request of the extension to the text in VS Code's output panel, through the log file.
describe('The log in the output panel', () => {
  const key = 'sk-canary-of-the-log-73b1';
  let service: InferenceService;
  let host: string;

  before(async () => {
    service = await startInferenceService({ apiKey: key, tokensPerSecond: Infinity });
    host = new URL(service.origin).host;
    process.env['SERVICE_API_KEY'] = key;
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    await vscode.commands.executeCommand('parlance.showLog');
  });
  after(async () => {
    await setLevel('info');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  const setLevel = (level: string) => vscode.commands.executeCommand('_extensionTests.setLogLevel', level);
  const ask = async (model: string): Promise<void> => {
    await setUserSettings({ 'parlance.chat.model': model });
    await vscode.commands.executeCommand('parlance.testConnection');
  };
  /** The lines about requests to this service; other tests have logged more. */
  const requestLines = (): readonly string[] => shownLines().filter((line) => line.includes(` ${host}/`));

  it('has one line per request: method, path, status, times, tokens, and request ID', async () => {
    for (const model of ['local/echo', 'local/error-402', 'local/error-404']) await ask(model);
    const requests = service.log();
    const linesOf = (id: string) => requestLines().filter((line) => line.endsWith(` · ${id}`));
    // Counting lines isn't enough: a request that a new setting cancels before it's sent has one, too.
    await eventually('every request is in the log', () => requests.every(({ id }) => linesOf(id).length > 0));
    const lines = requestLines();
    for (const { id } of requests) assert.equal(linesOf(id).length, 1, id);

    const { id = '', promptTokens, completionTokens } = requests.find(({ model }) => model === 'local/echo') ?? {};
    const good = lines.find((line) => line.includes(id)) ?? '';
    assert.match(good, /\[info\] POST \S+\/v1\/chat\/completions · 200 · \d+\.\d\d s head · \d+\.\d\d s · /);
    assert.ok(good.includes(` · ${promptTokens} → ${completionTokens} tokens · `), good);
    const refused = lines.find((line) => line.includes('/chat/completions · 404 · ')) ?? '';
    assert.match(refused, /\[warning\] POST \S+\/v1\/chat\/completions · 404 · failed: modelNotFound · /);
  });

  it('shows the network traffic at the Trace level, without the key and without bodies', async () => {
    await setLevel('trace');
    await ask('local/echo');
    await setLevel('info');
    const { id = '?' } = service.log().findLast(({ model }) => model === 'local/echo') ?? {};
    await eventually('the request is in the log', () => requestLines().some((line) => line.includes(id)));
    const wire = shownLines()
      .filter((line) => line.includes('[trace] #'))
      .join('\n');
    assert.match(wire, /\[trace\] #\d+ > POST http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions/);
    assert.match(wire, /\[trace\] #\d+ > content-type: application\/json/);
    assert.match(wire, /\[trace\] #\d+ < 200 after \d+ ms/);
    assert.match(wire, /\[trace\] #\d+ = ok, \d+ bytes/);
    assert.doesNotMatch(wire, /Bearer|messages|choices/);
  });

  it('never contains a key', () => {
    assert.ok(service.log().some(({ authorization }) => authorization === 'right'));
    assert.deepEqual(
      shownLines().filter((line) => line.includes('canary-of-the-log')),
      [],
    );
  });
});

/** As the panel shows it. */
function shownLines(): readonly string[] {
  return vscode.workspace.textDocuments
    .filter(({ uri }) => uri.scheme === 'output')
    .flatMap((document) => document.getText().split(/\r?\n/));
}
