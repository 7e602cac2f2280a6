import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { affectedTests, changedFiles, testsOfEverything, testsOfFeature } from '../../workbench/affectedTests.ts';
import { findFiles } from '../../workbench/findFiles.ts';
import { projectFolder, projectPath } from '../../workbench/folders.ts';

describe('The tests that a change affects', () => {
  it('are those that import it, directly or indirectly, and those that drive its feature from outside', async () => {
    const { files, leftOut } = await affectedTests(['src/vscode/media/mediaFolder.ts']);
    assert.deepEqual(leftOut, []);
    assert.ok(files.includes('test/unit/core/mediaFaults.test.ts'));
    assert.ok(files.includes('test/host/media.test.ts'));
    assert.ok(files.includes('test/ui/media.test.ts'));
    assert.ok(!files.some((file) => /ui\/(chat|prompts)\./.test(file)));
  });

  it("are those of the features that use it, if it's in a lower layer", async () => {
    const { files } = await affectedTests(['src/core/prompts/proposal.ts']);
    assert.ok(files.includes('test/unit/core/prompts/proposal.test.ts'));
    assert.ok(files.includes('test/ui/prompts.test.ts'));
    assert.ok(!files.includes('test/ui/models.test.ts'));
  });

  it('are the tests themselves, and those that share a driver or read the file by its name', async () => {
    const { files } = await affectedTests([
      'test/ui/mediaDriver.ts',
      'test/unit/core/prompts/proposal.test.ts',
      'knip.json',
    ]);
    assert.ok(files.includes('test/ui/media.test.ts'));
    assert.ok(files.includes('test/unit/core/prompts/proposal.test.ts'));
    assert.ok(!files.includes('test/ui/chat.test.ts'));
  });

  it('leave features out, and say so, if a change affects most of them', async () => {
    const many = ['chat', 'media', 'models', 'prompts', 'requests'].map((name) => `src/vscode/${name}/x.ts`);
    const { files, leftOut } = await affectedTests(many);
    assert.equal(leftOut.length, many.length);
    assert.ok(files.includes('test/host/activation.test.ts'));
    assert.ok(!files.includes('test/ui/prompts.test.ts'));
  });

  it('include the host tests that import the changed feature, and those that a change in it can break', async () => {
    const of = async (path: string): Promise<readonly string[]> => (await affectedTests([path])).files;
    assert.ok((await of('src/vscode/attachments/learnedWindows.ts')).includes('test/host/threeServices.test.ts'));
    assert.ok((await of('src/vscode/measure/measurePageHost.ts')).includes('test/host/measure.test.ts'));
    const ofChecks = await of('src/vscode/checks/checksPanel.ts');
    for (const test of ['host/checkTests', 'host/checkTestRuns', 'host/checks', 'ui/checks'])
      assert.ok(ofChecks.includes(`test/${test}.test.ts`), test);
    assert.ok(!ofChecks.includes('test/host/media.test.ts'));
  });

  it("don't include those of the views that the feature can be started from", async () => {
    for (const [feature, own, view] of [
      ['measure', 'measure', 'requests'],
      ['compare', 'compareModels', 'models'],
    ]) {
      const { files } = await affectedTests([`src/vscode/${feature}/x.ts`, `src/webview/${feature}/x.ts`]);
      assert.ok(files.includes(`test/ui/${own}.test.ts`), own);
      assert.ok(!files.includes(`test/ui/${view}.test.ts`), view);
    }
  });

  it('include the stores on a disk that fails, but none that runs only by name', async () => {
    const { files } = await affectedTests(['src/vscode/models/catalogFiles.ts']);
    assert.ok(files.includes('test/faults/faults.test.ts'));
    // Its feature's store is tested there, but doesn't use it.
    const { files: ofPage } = await affectedTests(['src/vscode/measure/measurePageHost.ts']);
    assert.ok(!ofPage.includes('test/faults/faults.test.ts'));
    const { files: ofClient } = await affectedTests(['src/api/inferenceClient.ts']);
    assert.ok(ofClient.includes('test/unit/api/transport/longSilence.test.ts'));
    assert.deepEqual(
      ofClient.filter((file) => !/^test\/(unit|host|ui|faults)\//.test(file)),
      [],
    );
  });

  it('include the rules for all sources and texts, even if only a page of the docs changes', async () => {
    const { files } = await affectedTests(['docs/chat.md']);
    for (const rule of ['bannedTerms', 'pages', 'l10n', 'names'])
      assert.ok(files.includes(`test/unit/${rule}.test.ts`), rule);
    assert.deepEqual((await affectedTests([])).files, []);
  });

  it('are those of all pages for what all pages share', async () => {
    const { files } = await affectedTests(['src/webview/kit/speedLine.ts']);
    for (const page of ['chatTranscript', 'comparePage', 'measurePage', 'mediaForm', 'requestPage'])
      assert.ok(files.includes(`test/ui/page/${page}.test.ts`), page);
  });

  it('are in VS Code for the manifest, its texts, and what VS Code loads', async () => {
    for (const path of ['package.json', 'package.nls.json', 'package.nls.de.json', 'src/extension.ts']) {
      const { files } = await affectedTests([path]);
      for (const test of ['host/activation', 'host/settings', 'ui/firstRun'])
        assert.ok(files.includes(`test/${test}.test.ts`), `${path}: ${test}`);
      assert.ok(!files.includes('test/ui/models.test.ts'), path);
    }
  });

  it('are found for what a new branch has committed, though it was never pushed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-changed-'));
    const git = (...args: readonly string[]) => execFileSync('git', [...args], { cwd: join(folder, 'clone') });
    try {
      const source = join(folder, 'source');
      execFileSync('git', ['init', '--quiet', '--initial-branch', 'main', source]);
      const author = ['-c', 'user.name=A', '-c', 'user.email=a@service.test'];
      execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'First'], { cwd: source });
      execFileSync('git', ['clone', '--quiet', source, join(folder, 'clone')]);
      git('checkout', '--quiet', '-b', 'topic', '--no-track');
      await writeFile(join(folder, 'clone', 'committed.ts'), '');
      git('add', '.');
      git(...author, 'commit', '--quiet', '--message', 'Second');
      await writeFile(join(folder, 'clone', 'new.ts'), '');
      assert.deepEqual(await changedFiles(join(folder, 'clone')), ['committed.ts', 'new.ts']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('are for each test in VS Code those of some feature, or it is about all of them', async () => {
    const tests = (await findFiles('test/{host,ui}/**/*.test.ts', ['test/ui/page/**'])).map(projectPath);
    const beginnings = [...Object.values(testsOfFeature).flat(), ...testsOfEverything];
    const isKnown = (test: string): boolean => beginnings.some((beginning) => test.startsWith(beginning));
    assert.deepEqual(
      tests.filter((test) => !isKnown(test)),
      [],
    );
    assert.deepEqual(
      testsOfEverything.filter((beginning) => !tests.some((test) => test.startsWith(beginning))),
      [],
    );
  });

  it('are known for every feature', async () => {
    const folders = await Promise.all(
      ['src/vscode', 'src/webview'].map(async (layer) =>
        (await readdir(join(projectFolder, layer), { withFileTypes: true }))
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => `${layer}/${name}/`),
      ),
    );
    assert.deepEqual(
      folders.flat().filter((folder) => !(folder in testsOfFeature)),
      [],
    );
    const tests = (await findFiles('test/{host,ui}/**/*.test.ts')).map(projectPath);
    const beginnings = Object.values(testsOfFeature).flat();
    assert.deepEqual(
      beginnings.filter((beginning) => !tests.some((test) => test.startsWith(beginning))),
      [],
    );
  });
});
