import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openRepositories, type GitRepository } from '../../src/vscode/commitMessage/gitApi.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

interface GitApi {
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

describe('A commit message', () => {
  let service: InferenceService;
  let folder: string;
  let repository: GitRepository & { status(): Promise<void> };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

  before(async function () {
    if ((await openRepositories()) === undefined) this.skip();
    service = await startInferenceService({ tokensPerSecond: 200 });
    process.env['SERVICE_API_KEY'] = service.apiKey;
    folder = await mkdtemp(join(tmpdir(), 'parlance-git-'));
    git('init', '-q');
    await writeFile(join(folder, 'bridge.txt'), 'A bridge over the river\n');
    git('add', '.');
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    const opened = await extension?.exports.getAPI(1).openRepository(vscode.Uri.file(folder));
    assert.ok(opened && 'status' in opened && typeof opened.status === 'function');
    repository = opened as typeof repository;
    await repository.status();
  });
  beforeEach(async () => {
    repository.inputBox.value = '';
    await setUserSettings({ 'parlance.service.baseUrl': service.baseUrl, 'parlance.chat.model': 'local/echo' });
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  const write = () =>
    vscode.commands.executeCommand('parlance.writeCommitMessage', { rootUri: vscode.Uri.file(folder) });

  it('is written into the input box from what is staged, and nothing else is sent', async () => {
    await write();
    // The echo says what it was asked: the diff.
    assert.equal(repository.inputBox.value, (await repository.diff(true)).trim());
    const body = service.log().at(-1)?.requestBody;
    assert.match(JSON.stringify(body), /A bridge over the river/);
    assert.deepEqual(Object.keys(body ?? {}).toSorted(), ['messages', 'model', 'stream']);
  });

  it('is stopped by the button, and what stood in the box is there again', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/slow' });
    repository.inputBox.value = 'Begun by hand';
    const written = write();
    await eventually('the request is at the service', () => service.log().at(-1)?.model === 'local/slow');
    await vscode.commands.executeCommand('parlance.stopCommitMessage');
    await written;
    assert.equal(repository.inputBox.value, 'Begun by hand');
    await eventually('the service saw it', () => service.log().at(-1)?.outcome === 'cancelled');
  });

  it('that fails leaves the box as it was', async () => {
    await setUserSettings({ 'parlance.chat.model': 'local/fault-error-later' });
    repository.inputBox.value = 'Begun by hand';
    await write();
    assert.equal(repository.inputBox.value, 'Begun by hand');
  });
});
