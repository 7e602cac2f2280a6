import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { GitRepository } from '../../src/vscode/attachments/sources/gitRepositories.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { GitFolder } from './gitFolder.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

describe('A commit message', () => {
  let service: InferenceService;
  let folder: GitFolder;
  let repository: GitRepository;

  before(async () => {
    folder = await GitFolder.open();
    service = await startInferenceService({ tokensPerSecond: 200 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await folder.write('bridge.txt', 'A bridge over the river\n');
    folder.git('add', '.');
    await folder.known();
    repository = folder.repository;
  });
  beforeEach(async () => {
    repository.inputBox.value = '';
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': 'local/echo' });
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service?.close();
    await folder?.remove();
  });
  const write = () => vscode.commands.executeCommand('parlance.generateCommitMessage', { rootUri: repository.rootUri });

  it('is written into the input box from the staged changes, and nothing else is sent', async () => {
    await write();
    // The echo repeats what it was asked: the diff.
    assert.equal(repository.inputBox.value, (await repository.diff(true)).trim());
    const body = service.log().at(-1)?.requestBody;
    assert.match(JSON.stringify(body), /A bridge over the river/);
    assert.deepEqual(Object.keys(body ?? {}).toSorted(), ['messages', 'model', 'stream']);
  });

  it('is stopped by the button, which restores the earlier text of the box', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/slow' });
    repository.inputBox.value = 'Begun by hand';
    const written = write();
    await eventually('the request is at the service', () => service.log().at(-1)?.model === 'local/slow');
    await vscode.commands.executeCommand('parlance.stopCommitMessage');
    await written;
    assert.equal(repository.inputBox.value, 'Begun by hand');
    await eventually('the service saw it', () => service.log().at(-1)?.outcome === 'canceled');
  });

  it('that fails leaves the box as it was', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/fault-error-later' });
    repository.inputBox.value = 'Begun by hand';
    await write();
    assert.equal(repository.inputBox.value, 'Begun by hand');
  });

  it('is about what was staged a moment ago, which VS Code has not noticed yet', async () => {
    folder.git('commit', '-q', '-m', 'The bridge');
    await folder.known();
    await folder.write('tunnel.txt', 'A tunnel under the river\n');
    folder.git('add', '.');
    await write();
    assert.match(repository.inputBox.value, /A tunnel under the river/);
  });
});
