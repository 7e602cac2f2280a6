import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { CheckCell } from '../../../../src/core/checks/checkResult.ts';
import { CheckResultFiles } from '../../../../src/vscode/checks/results/checkResultFiles.ts';
import { deleteOldReplies, withoutQuotes } from '../../../../src/vscode/checks/results/keptReplies.ts';
import { ExperimentStore } from '../../../../src/vscode/experiments/experimentStore.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';

// Only the text of a URI is used. oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
const address = (text: string) => ({ toString: () => text }) as vscode.Uri;
const file = address('file:///w/a.checks.yaml');

describe('Replies to checks', () => {
  let folder: string;
  let store: ExperimentStore;
  let results: CheckResultFiles;
  const troubles: unknown[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-kept-'));
    const told = (error: unknown): void => void troubles.push(error);
    store = new ExperimentStore({ folder: join(folder, 'experiments'), onError: told, onUnsaved: told });
    results = new CheckResultFiles(join(folder, 'checks'), told);
    for (const id of ['checks-1', 'checks-2', 'checks-3'])
      await store.create(someExperiment({ id, kind: 'checks', keepsReplies: true }));
    await store.create(someExperiment({ id: 'measurement-1' }));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    troubles.length = 0;
  });

  const cell = (experiment: string): CheckCell => ({
    fingerprint: 'f',
    experiment,
    at: 1,
    repeats: 1,
    attempts: [{ attempt: 'a', state: 'failed', score: 0, faults: [{ expectation: 0, reason: 'it said "canary"' }] }],
  });
  const keep = (caseId: string, experiment: string, uri = file) =>
    results.write(uri, [{ caseId, modelKey: 'm', cell: cell(experiment) }], () => true);
  const left = async () => (await readdir(join(folder, 'experiments'))).toSorted();

  it('stay until their results are replaced, or deleted with their file', async () => {
    await keep('one', 'checks-1');
    await keep('two', 'checks-1', address('file:///w/b.checks.yaml'));
    await deleteOldReplies(['checks-1'], true, { store, results });
    await keep('one', 'checks-2');
    await deleteOldReplies(['checks-2'], true, { store, results });
    // The other file still has a result of the first run; anything not known to be finished might be running.
    assert.deepEqual(await left(), ['checks-1.jsonl', 'checks-2.jsonl', 'checks-3.jsonl', 'measurement-1.jsonl']);
    await results.remove(file);
    await deleteOldReplies(['checks-2'], true, { store, results });
    assert.deepEqual(await left(), ['checks-1.jsonl', 'checks-3.jsonl', 'measurement-1.jsonl']);
    assert.equal(results.cells(file, 'one'), undefined);
    const kept = await readdir(join(folder, 'checks'));
    const texts = await Promise.all(kept.map((name) => readFile(join(folder, 'checks', name), 'utf8')));
    assert.equal(texts.filter((text) => text.includes('canary')).length, 1);
  });

  it('are deleted when a day has passed and no result refers to them', async () => {
    await keep('one', 'checks-2');
    const path = join(folder, 'experiments', 'checks-1.jsonl');
    const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n');
    const aged = JSON.stringify({ ...JSON.parse(line), at: Date.now() - 25 * 60 * 60_000 });
    await writeFile(path, `${aged}\n`);
    await deleteOldReplies([], true, { store, results });
    assert.deepEqual(await left(), ['checks-2.jsonl', 'checks-3.jsonl', 'measurement-1.jsonl']);
  });

  it("are deleted immediately if content isn't saved, along with whatever quotes them", async () => {
    const quiet = withoutQuotes(cell('checks-1'));
    await results.write(file, [{ caseId: 'one', modelKey: 'm', cell: quiet }], () => true);
    await deleteOldReplies(['checks-1'], false, { store, results });
    assert.ok(!(await left()).includes('checks-1.jsonl'));
    const [name = ''] = await readdir(join(folder, 'checks'));
    assert.doesNotMatch(await readFile(join(folder, 'checks', name), 'utf8'), /canary/);
    assert.equal(results.cells(file, 'one')?.['m']?.attempts[0]?.state, 'failed');
  });

  it("stay while some results can't be read, or are from a newer version", async () => {
    await keep('one', 'checks-2');
    await writeFile(join(folder, 'checks', 'f'.repeat(32) + '.json'), '{"version":99,"value":{}}');
    await deleteOldReplies(['checks-1'], true, { store, results });
    assert.ok((await left()).includes('checks-1.jsonl'));
  });
});

describe('The results of a file of checks that no longer exists', () => {
  let folder: string;
  const day = 24 * 60 * 60_000;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-swept-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = () =>
    new CheckResultFiles(folder, ({ path, kind }) => {
      throw new Error(`${path}: ${kind}`);
    });
  const run = (uri: string, daysAgo: number) => {
    const cell = { fingerprint: 'f', experiment: uri, at: Date.now() - daysAgo * day, repeats: 1, attempts: [] };
    return open().write(address(uri), [{ caseId: 'c', modelKey: 'm', cell }], () => true);
  };

  it('are deleted a month after its last run; those of files that exist, or ran since, stay', async () => {
    await run('gone', 31);
    await run('gone lately', 29);
    await run('there', 400);
    const asked: string[] = [];
    await open().sweep(async (uri) => {
      asked.push(uri);
      return uri !== 'there';
    });
    assert.deepEqual(asked.toSorted(), ['gone', 'there']);
    assert.deepEqual([...((await open().experiments()) ?? [])].toSorted(), ['gone lately', 'there']);
  });

  it('move to its new name, under which a run that went on might have stored newer ones', async () => {
    const [from, to] = [address('from'), address('to')];
    const files = open();
    const ran = (uri: typeof from, modelKey: string, at: number) => {
      const cell = { fingerprint: 'f', experiment: `${uri.toString()} ${at}`, at, repeats: 1, attempts: [] };
      return files.write(uri, [{ caseId: 'c', modelKey, cell }], () => true);
    };
    await ran(from, 'one', 1);
    await ran(from, 'two', 4);
    await ran(to, 'one', 2);
    await ran(to, 'two', 3);
    await files.move(from, to);
    const cells = Object.entries(files.cells(to, 'c') ?? {}).map(([key, { experiment }]) => [key, experiment]);
    assert.deepEqual(Object.fromEntries(cells), { one: 'to 2', two: 'from 4' });
    assert.equal(files.cells(from, 'c'), undefined);
  });

  it('stay if the file was run while they were looked at', async () => {
    await run('gone', 31);
    await open().sweep(async () => {
      await run('gone', 0);
      return true;
    });
    assert.deepEqual([...((await open().experiments()) ?? [])], ['gone']);
  });

  it("are read even if an earlier version stored them without the file's name, which is then added", async () => {
    await run('old', 31);
    const [name = ''] = await readdir(folder);
    const { version, value } = JSON.parse(await readFile(join(folder, name), 'utf8')) as {
      version: number;
      value: { cells: object };
    };
    await writeFile(join(folder, name), JSON.stringify({ version, value: value.cells }));
    await open().sweep(async () => true);
    const files = open();
    await files.read(address('old'));
    assert.equal(files.cells(address('old'), 'c')?.['m']?.experiment, 'old');
    await run('old', 40);
    await open().sweep(async () => true);
    assert.deepEqual([...((await open().experiments()) ?? [])], []);
  });
});
