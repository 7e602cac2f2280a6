import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { CheckAttempt, CheckCell } from '../../../../src/core/checks/checkResult.ts';
import type { CheckLeaf } from '../../../../src/vscode/checks/checkTree.ts';
import type { LoadedChecks } from '../../../../src/vscode/checks/checksFiles.ts';
import { CheckResultFiles } from '../../../../src/vscode/checks/results/checkResultFiles.ts';
import { LiveResults } from '../../../../src/vscode/checks/results/liveResults.ts';

// Only the text of a URI is used. oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
const uri = { toString: () => 'file:///w/a.checks.yaml' } as vscode.Uri;

/** A file with one case. */
function checksWith(fingerprint: string): LoadedChecks {
  const given = { uri, file: { remarks: [] }, cases: [{ check: { id: 'one' }, fingerprint }] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- results need nothing else of it
  return given as unknown as LoadedChecks;
}

function leafOf(checks: LoadedChecks): CheckLeaf {
  const given = { checks, loaded: checks.cases[0], key: 'm' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  return given as unknown as CheckLeaf;
}

const cell = (fingerprint: string, experiment: string): CheckCell => ({
  fingerprint,
  experiment,
  at: 1,
  repeats: 1,
  attempts: [],
});

describe('The results of a case that was edited during its run', () => {
  let folder: string;
  let now: LoadedChecks;
  const [before, after] = [checksWith('before'), checksWith('after')];

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'parlance-live-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Of a window that reads what's on disk now. */
  async function opened(): Promise<LiveResults> {
    const files = new CheckResultFiles(folder, (trouble) => assert.fail(JSON.stringify(trouble)));
    await files.read(uri);
    return new LiveResults({ files, fileNow: () => now, keepsReplies: () => true, onError: assert.ifError });
  }

  async function stored(): Promise<string | undefined> {
    const [loaded] = now.cases;
    return (await opened()).of(now, loaded ?? assert.fail())['m']?.experiment;
  }

  it('are those of its next run, even if the first one ends last', async () => {
    now = after;
    const results = await opened();
    results.add(leafOf(after), cell('after', 'second'), uri);
    results.add(leafOf(before), cell('before', 'first'), uri);
    assert.equal(results.of(after, after.cases[0] ?? assert.fail())['m']?.experiment, 'second');
    await results.saved();
    results.add(leafOf(before), cell('before', 'first'), uri);
    await results.saved();
    assert.equal(await stored(), 'second');
  });

  it('are those of its next run in another window', async () => {
    now = after;
    const [one, other] = [await opened(), await opened()];
    other.add(leafOf(after), cell('after', 'second'), uri);
    await other.saved();
    one.add(leafOf(before), cell('before', 'first'), uri);
    await one.saved();
    assert.equal(await stored(), 'second');
  });

  it('count again if the edit is undone, unless it was run again', async () => {
    now = after;
    const results = await opened();
    results.add(leafOf(before), cell('before', 'first'), uri);
    await results.saved();
    assert.equal(await stored(), undefined);
    now = before;
    assert.equal(await stored(), 'first');
  });
});

describe('Results on disk', () => {
  const figures = { totalMs: 1, tokens: 2, cost: 3, isEstimate: true, judgeCost: 4, isJudgeCostEstimate: true };
  const attempt: CheckAttempt = { attempt: 'a', state: 'passed', score: 1, faults: [], ...figures };
  let folder: string;

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'parlance-results-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Read by another window. */
  async function attemptOnDisk(): Promise<CheckAttempt | undefined> {
    const files = new CheckResultFiles(folder, (trouble) => assert.fail(JSON.stringify(trouble)));
    await files.read(uri);
    return files.cells(uri, 'one')?.['m']?.attempts[0];
  }

  it("keep which tokens and costs are estimates, and those from before that was stored aren't lost", async () => {
    const files = new CheckResultFiles(folder, (trouble) => assert.fail(JSON.stringify(trouble)));
    await files.write(
      uri,
      [{ caseId: 'one', modelKey: 'm', cell: { ...cell('f', 'e'), attempts: [attempt] } }],
      () => true,
    );
    assert.deepEqual(await attemptOnDisk(), attempt);
    const [name = ''] = await readdir(folder);
    const written = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), written.replaceAll(/,"is(?:JudgeCost)?Estimate":true/g, ''));
    const { isEstimate: _tokens, isJudgeCostEstimate: _judge, ...older } = attempt;
    assert.deepEqual(await attemptOnDisk(), older);
  });
});
