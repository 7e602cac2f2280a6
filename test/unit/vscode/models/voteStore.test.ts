import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VoteStore } from '../../../../src/vscode/models/voteStore.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

describe('Votes on disk', () => {
  let folder: string;
  const errors: unknown[] = [];
  const store = () => new VoteStore(join(folder, 'votes'), (error) => errors.push(error));
  const vote = (comparison: string, turn: string) => ({
    comparison,
    turn,
    prompt: 'Why?',
    models: ['a', 'b'],
    choice: { kind: 'model' as const, model: 'a' },
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-votes-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors.splice(0));

  it('are those of all windows, until their comparison is deleted', async () => {
    const [one, other] = [store(), store()];
    await Promise.all([one.add(vote('c1', 't1')), other.add(vote('c1', 't2')), one.add(vote('c2', 't1'))]);
    await appendFile(join(folder, 'votes', 'c1.jsonl'), '\n{"type":"voted","version":1,"comp');
    await other.add(vote('c1', 't3'));
    const seen = async () => (await store().all()).map(({ comparison, turn }) => `${comparison} ${turn}`).toSorted();
    assert.deepEqual(await seen(), ['c1 t1', 'c1 t2', 'c1 t3', 'c2 t1']);
    await one.remove('c1');
    assert.deepEqual(await seen(), ['c2 t1']);
    assert.deepEqual(await readdir(join(folder, 'votes')), ['c2.jsonl']);
  });

  it("are refused while they can't be written, and aren't written later", async () => {
    await writeFile(join(folder, 'votes'), 'in the way');
    const votes = store();
    await assert.rejects(votes.add(vote('c1', 't1')));
    await rm(join(folder, 'votes'));
    assert.deepEqual(await votes.all(), []);
    await votes.add(vote('c1', 't2'));
    assert.deepEqual(
      (await votes.all()).map(({ turn }) => turn),
      ['t2'],
    );
  });

  it('name no file outside of their folder', async () => {
    await assert.rejects(store().add(vote('../../evil', 't1')));
    await assert.rejects(store().remove('..'));
  });
});
