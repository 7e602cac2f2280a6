import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

// From a request of the extension to the text that VS Code shows in its output panel, over the log file.
describe('The log in the output panel', () => {
  const key = 'sk-canary-of-the-log-73b1';
  let service: InferenceService;
  let host: string;

  before(async () => {
    service = await startInferenceService({ apiKey: key, tokensPerSecond: Infinity });
    host = new URL(service.origin).host;
    process.env['SERVICE_API_KEY'] = key;
    await setUserSettings({ 'parlance.service.baseUrl': service.baseUrl });
    await vscode.commands.executeCommand('parlance.showLog');
  });
  after(async () => {
    await setLevel('info');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  const setLevel = (level: string) => vscode.commands.executeCommand('_extensionTests.setLogLevel', level);
  const lines = (): readonly string[] =>
    shownLog()
      .split('\n')
      .filter((line) => line.includes(host));
  const ask = async (model: string): Promise<void> => {
    await setUserSettings({ 'parlance.chat.model': model });
    await vscode.commands.executeCommand('parlance.testConnection');
  };

  it('is one line for each request: method, path, status, times, tokens and request id', async () => {
    await ask('local/echo');
    await ask('local/error-402');
    await ask('local/error-404');
    const [first, last] = [service.log()[0], service.log().at(-1)];
    await eventually('the last request is in the log', () => shownLog().includes(last?.id ?? '?'));
    const [good = '', ...others] = lines();
    assert.match(
      good,
      /\[info\] POST 127\.0\.0\.1:\d+\/v1\/chat\/completions · 200 · \d+\.\d\d s head · \d+\.\d\d s · \d+ → \d+ tokens · req_\w+$/,
    );
    assert.ok(good.includes(` ${first?.promptTokens} → ${first?.completionTokens} tokens · ${first?.id}`), good);
    assert.equal(others.length + 1, service.log().length);
    assert.match(others.at(-1) ?? '', /\[warning\] POST .* · 404 · failed: modelNotFound · .* · req_\w+$/);
  });

  it('shows the wire at the level Trace, without the key and without bodies', async () => {
    await setLevel('trace');
    await ask('local/echo');
    await setLevel('info');
    const { id = '?' } = service.log().at(-1) ?? {};
    await eventually('the request is in the log', () => lines().at(-1)?.includes(id) === true);
    const wire = shownLog();
    assert.match(wire, /\[trace\] #\d+ > POST http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions/);
    assert.match(wire, /\[trace\] #\d+ > content-type: application\/json/);
    assert.match(wire, /\[trace\] #\d+ < 200 after \d+ ms/);
    assert.match(wire, /\[trace\] #\d+ = ok, \d+ bytes/);
    assert.doesNotMatch(wire, /authorization|Bearer|"messages"|"choices"/i);
  });

  it('holds no key, whatever happened', () => {
    assert.ok(service.log().some(({ authorization }) => authorization === 'right'));
    assert.ok(!shownLog().includes('canary-of-the-log'), shownLog());
  });
});

/** As the panel shows it. */
function shownLog(): string {
  return vscode.workspace.textDocuments
    .filter(({ uri }) => uri.scheme === 'output')
    .map((document) => document.getText())
    .join('\n');
}
