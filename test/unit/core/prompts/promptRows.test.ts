import assert from 'node:assert/strict';
import { type ListedPrompt, PromptRows } from '../../../../src/core/prompts/promptRows.ts';

const files: readonly ListedPrompt<string>[] = [
  { file: 'own', name: 'explain-simply', description: 'In simple words' },
  { file: 'theirs', name: 'release-notes', description: 'For\na release', folder: 'tasks' },
];

function rowsOf(prompts: readonly ListedPrompt<string>[] = files): PromptRows<string> {
  return new PromptRows(() => Promise.resolve(prompts));
}

describe('The prompts that / lists', () => {
  it("are the built-in ones, the workspace's, the user's own, and New Prompt…", async () => {
    const rows = await rowsOf().find('');
    assert.deepEqual(
      rows.map(({ group, label }) => `${group} ${label}`.trim()),
      [
        ...['explain', 'fix', 'simplify', 'tests', 'docs', 'translate', 'review'].map((name) => `Built in /${name}`),
        'tasks /release-notes',
        'Yours /explain-simply',
        'New Prompt…',
      ],
    );
    assert.deepEqual(
      rows.slice(-3).map(({ detail }) => detail),
      ['For a release', 'In simple words', ''],
    );
  });

  it('end in Restricted Mode with a row that leads to trust, as long as any name matches', async () => {
    const rows = new PromptRows(
      () => Promise.resolve(files.slice(0, 1)),
      () => true,
    );
    const last = (await rows.find('expl')).at(-1);
    assert.equal(last?.label, 'Trust This Workspace to See Its Prompts…');
    assert.deepEqual(rows.meaning(last.id), { type: 'trust' });
    assert.deepEqual(await rows.find('etc'), []);
  });

  it("are those whose names contain the typed text; without any there's no list", async () => {
    const rows = rowsOf();
    assert.deepEqual(
      (await rows.find('EXPL')).map(({ label }) => label),
      ['/explain', '/explain-simply', 'New Prompt…'],
    );
    assert.deepEqual(await rows.find('etc'), []);
  });

  it('are run by rows of the last list, and by no others', async () => {
    const rows = rowsOf();
    const [old] = await rows.find('');
    const [builtIn, own, create] = await rows.find('expl');
    assert.equal(rows.meaning(old?.id ?? ''), undefined);
    assert.deepEqual(rows.meaning(builtIn?.id ?? ''), { type: 'builtIn', id: 'explain' });
    assert.deepEqual(rows.meaning(own?.id ?? ''), { type: 'file', file: 'own' });
    assert.deepEqual(rows.meaning(create?.id ?? ''), { type: 'new' });
    assert.equal(rows.meaning('workbench.action.terminal.new'), undefined);
  });

  it('are read again with each /, not with each key after it, and again if that failed', async () => {
    let reads = 0;
    const rows = new PromptRows(() => {
      reads += 1;
      return reads === 1 ? Promise.reject(new Error('away')) : Promise.resolve(files);
    });
    await assert.rejects(rows.find('e'), /away/);
    await rows.find('e');
    await rows.find('ex');
    assert.equal(reads, 2);
    await rows.find('');
    assert.equal(reads, 3);
  });

  it('are those of the last query, whichever arrives first', async () => {
    const waiting: (() => void)[] = [];
    const rows = new PromptRows<string>(() => new Promise((resolve) => waiting.push(() => resolve(files))));
    const [first, second] = [rows.find(''), rows.find('')];
    waiting[1]?.();
    const shown = await second;
    waiting[0]?.();
    assert.deepEqual(await first, []);
    assert.deepEqual(rows.meaning(shown[0]?.id ?? ''), { type: 'builtIn', id: 'explain' });
  });

  it('are limited if a workspace has thousands, with names of a length that fits', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      file: String(index),
      name: 'x'.repeat(5000),
      description: 'y'.repeat(5000),
      folder: 'tasks',
    }));
    const rows = await rowsOf(many).find('');
    assert.equal(rows.length, 101);
    assert.ok(rows.every(({ label, detail }) => label.length <= 81 && detail.length <= 200));
  });
});
