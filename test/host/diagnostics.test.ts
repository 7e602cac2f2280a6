import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const canary = 'canary-9d1f44c07e2b4a51-key';

describe('The report for an issue', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ apiKey: canary });
    process.env['SERVICE_API_KEY'] = canary;
    await setUserSettings({
      'parlance.services': [
        { baseUrl: service.baseUrl, mediaApi: 'compatible', keysPage: `https://keys.example.test/${canary}` },
      ],
      'parlance.chat.model': canary,
      'parlance.chat.systemPrompt': `Never say ${canary}`,
      'parlance.chat.temperature': 0.5,
    });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  it('is shown read-only, without secrets, and no request is sent for it', async () => {
    await vscode.env.clipboard.writeText('before');
    const earlier = service.log().length;
    await vscode.commands.executeCommand('parlance.showDiagnostics');
    const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing is shown');
    const text = document.getText();
    assert.equal(document.uri.scheme, 'parlance-diagnostics');
    assert.equal(vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) ?? false, false);
    assert.match(text, /^# Parlance diagnostics/);
    assert.match(text, /Base URL: http, this machine, port \d+, path \/v1/);
    assert.match(text, /Ready to ask: yes/);
    assert.match(text, /parlance\.chat\.temperature: 0\.5 \(user\)/);
    assert.match(text, /service\.mediaApi: compatible/);
    assert.match(text, /parlance\.chat\.systemPrompt: set, \d+ characters \(user\)/);
    assert.ok(text.includes(vscode.version));
    assert.ok(!text.includes('canary') && !text.includes('keys.example.test'), text);
    assert.equal(service.log().length, earlier);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });

  it('mentions that a command failed unexpectedly, without any details', async () => {
    // No URL scheme contains a space.
    await vscode.commands.executeCommand('parlance.acceptAllChanges', { scheme: `no ${canary}` });
    await vscode.commands.executeCommand('parlance.showDiagnostics');
    const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing is shown');
    const words = /- \S+ Unexpected: \w*Error$/m;
    await eventually('the report of now', () => words.test(document.getText()));
    assert.ok(!document.getText().includes(canary));
  });

  it('mentions only that a URL has a login in it', async () => {
    await setUserSettings({
      'parlance.services': [
        { baseUrl: service.baseUrl, fallbackBaseUrl: `https://me:${canary}@older.example.test/v1` },
      ],
    });
    await vscode.commands.executeCommand('parlance.showDiagnostics');
    const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing is shown');
    // It's the same document, which VS Code reads again.
    const words = /Fallback base URL: https, a name, path \/v1, with a login in it/;
    await eventually('the report of now', () => words.test(document.getText()));
    const text = document.getText();
    assert.ok(!text.includes('canary') && !text.includes('older.example.test'), text);
  });
});
