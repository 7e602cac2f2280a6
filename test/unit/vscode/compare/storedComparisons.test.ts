import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import { AttachmentStore } from '../../../../src/vscode/attachments/attachmentStore.ts';
import { KeptColumns } from '../../../../src/vscode/compare/keptColumns.ts';
import { StoredComparisons } from '../../../../src/vscode/compare/storedComparisons.ts';
import { ExperimentStore } from '../../../../src/vscode/experiments/experimentStore.ts';
import { VoteStore } from '../../../../src/vscode/models/voteStore.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';

const file: Attachment = { kind: 'file', id: 'f', name: 'a.ts', detail: 'a.ts', tokens: 1, at: 1 };
const question = 'comparison-question';

describe('A comparison on disk', () => {
  let folder: string;
  const errors: unknown[] = [];
  /** Turns whose requests no list shows. */
  const hidden = new Set<string>();
  const report = (error: unknown) => void errors.push(error);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-comparisons-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    errors.length = 0;
    hidden.clear();
  });

  /** As a window that was just opened has them. */
  function opened() {
    const experiments = new ExperimentStore({
      folder: join(folder, 'experiments'),
      onError: report,
      onUnsaved: report,
    });
    const attachments = new AttachmentStore(join(folder, 'attachments'));
    const columns = new KeptColumns(join(folder, 'columns'), report);
    const votes = new VoteStore(join(folder, 'votes'), report);
    const withheld = {
      release: (turns: readonly string[]) => turns.forEach((turn) => hidden.delete(turn)),
      read: () => Promise.resolve(),
      hasQuestion: (turn: string) => hidden.has(turn),
    };
    const stored = new StoredComparisons({ experiments, columns, attachments, votes, withheld });
    return { experiments, attachments, columns, votes, stored };
  }

  /** With one question, an attachment, a column, and a vote. */
  async function asked(): Promise<void> {
    const { experiments, attachments, columns, votes } = opened();
    const models = [{ id: 'a', column: 'c1' }];
    const of = { comparison: 'k', turn: 't', text: 'Hello' };
    await experiments.create(someExperiment({ id: question, kind: 'comparison', models, of }));
    await attachments.save('k', file, 'text');
    await columns.keep('k', [{ id: 'c1', model: 'a' }]);
    await votes.add({ comparison: 'k', turn: 't', prompt: 'Hello', models: ['a', 'b'], choice: { kind: 'equal' } });
  }

  /** Everything that belongs to it. */
  const files = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name)).toSorted();

  it("isn't taken for a new one while its file can't be read: closing its tab deletes nothing", async () => {
    await asked();
    const before = await files();
    assert.equal(before.length, 4);
    const { stored } = opened();
    const locked = await withFaults({ open: about('.jsonl', 'EACCES') }, () => hurried(() => stored.open('k')));
    assert.deepEqual([locked.comparison, locked.mightLackQuestions], [undefined, true]);
    assert.equal(errors.length, 1);
    await stored.closed({ id: 'k', turns: [] });
    assert.deepEqual(await files(), before);
    const again = await opened().stored.open('k');
    assert.deepEqual([again.comparison?.turns.length, again.mightLackQuestions], [1, false]);
  });

  it("isn't taken for a new one if a newer version of Parlance wrote its question", async () => {
    await asked();
    await writeFile(join(folder, 'experiments', `${question}.jsonl`), '\n{"type":"created","version":2}\n');
    const before = await files();
    const { stored } = opened();
    const { comparison, mightLackQuestions } = await stored.open('k');
    assert.deepEqual([comparison, mightLackQuestions], [undefined, false]);
    await stored.closed({ id: 'k', turns: [] });
    assert.deepEqual(await files(), before);
  });

  it("isn't deleted while a file that might be one of its questions can't be read, and then completely", async () => {
    await asked();
    const before = await files();
    const { stored } = opened();
    const remove = () => hurried(() => stored.remove('k'));
    assert.equal(await withFaults({ open: about('.jsonl', 'EACCES') }, remove), 'unreadable');
    assert.deepEqual(await files(), before);
    assert.equal(await remove(), 'removed');
    assert.deepEqual(await files(), []);
  });

  it('is deleted even if another file is permanently damaged', async () => {
    await asked();
    await appendFile(join(folder, 'experiments', 'comparison-damaged.jsonl'), '\n{"type":\n');
    assert.equal(await opened().stored.remove('k'), 'removed');
    assert.deepEqual(await files(), [join('experiments', 'comparison-damaged.jsonl')]);
  });

  it('has a blind question to vote on once something was sent, for as long as its requests are withheld', async () => {
    const { experiments, stored } = opened();
    hidden.add('t');
    const models = ['a', 'b'].map((id) => ({ id, column: id }));
    const of = { comparison: 'k', turn: 't', text: 'Hello', isBlind: true } as const;
    const experiment = someExperiment({ id: question, kind: 'comparison', models, of });
    const unvoted = async () => stored.unvotedTurn((await stored.open('k')).comparison ?? assert.fail());
    await experiments.create(experiment);
    assert.equal(await unvoted(), undefined, 'nothing was sent');
    const record = await experiments.open(question);
    for (const { key } of plannedRequests(experiment)) {
      await record.write([
        { type: 'sending', run: 'r', attempt: key, request: key },
        { type: 'ended', attempt: key, outcome: 'done', text: 'Kestrel' },
      ]);
    }
    assert.equal(await unvoted(), 't');
    hidden.delete('t');
    assert.equal(await unvoted(), undefined);
    hidden.add('t');
    assert.equal(await stored.remove('k'), 'removed');
    assert.equal(hidden.size, 0, 'the requests of a deleted comparison are shown');
  });

  it('without a question leaves nothing once its tab is closed', async () => {
    const { attachments, columns, stored } = opened();
    await attachments.save('k', file, 'text');
    await columns.keep('k', [{ id: 'c1', model: 'a' }]);
    assert.equal((await stored.open('k')).comparison, undefined);
    await stored.closed({ id: 'k', turns: [] });
    assert.deepEqual(await files(), []);
  });
});
