import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { panelTypes } from '../../../src/vscode/settings/contributions.ts';
import { compareBoundaries, knownItems, type Reason, reportBoundaries } from '../../workbench/boundaryReport.ts';
import { projectFolder } from '../../workbench/folders.ts';
import { messageTags, messageTypes } from '../../workbench/messageTags.ts';
import { pageProtocols, pagesWithoutMessages } from '../../workbench/pageProtocols.ts';
import { pickers } from '../../workbench/pickers.ts';

describe('The report of what no test exercised', () => {
  const records = [
    { crossed: ['command a', 'button Yes'], offered: ['button Yes', 'button No'] },
    { crossed: ['command b'], offered: [] },
  ];

  it('names what no file exercised, including offers', () => {
    const { unexercised, outdated } = compareBoundaries(['command a', 'command b', 'command c'], records, []);
    assert.deepEqual(unexercised, ['button No', 'command c']);
    assert.deepEqual(outdated, []);
  });

  it('leaves out what has a reason, and names items on the list that are exercised, gone, or no longer offered', () => {
    const reasons = [
      { reason: 'Why', items: ['command c', 'button No'] },
      { reason: 'Exercised now', items: ['command a', 'button Yes'] },
      { reason: 'Gone', items: ['command gone'] },
      { reason: 'Its words are still somewhere in the product', items: ['choice CSV'] },
    ];
    const report = compareBoundaries(['command a', 'command b', 'command c'], records, reasons);
    assert.deepEqual(report.unexercised, []);
    assert.deepEqual(report.outdated, ['command a', 'button Yes', 'command gone', 'choice CSV']);
  });

  it("ignores choices and buttons whose text isn't the product's own", () => {
    const offered = [{ crossed: [], offered: ['choice local/writer', 'button Undo'] }];
    const { unexercised } = compareBoundaries([], offered, [], (words) => words === 'Undo');
    assert.deepEqual(unexercised, ['button Undo']);
  });

  it('contains few reasons, each one sentence', async () => {
    const file = join(import.meta.dirname, '../../workbench/unexercised.json');
    const reasons: readonly Reason[] = JSON.parse(await readFile(file, 'utf8'));
    assert.ok(reasons.length <= 15);
    for (const { reason } of reasons) assert.match(reason, /^[A-Z].+\.$/);
  });

  it('includes commands, messages of the pages, buttons of cards, pickers, and routes, each once', async () => {
    const items = await knownItems();
    for (const item of [
      'command parlance.newChat',
      'message of chat to the page snapshot',
      'message of media to the host act',
      // Tags that another type names.
      'message of compare to the page replyGrew',
      'message of compare to the host complete',
      'message of request to the host openLink',
      'act of media copyLink',
      'action of a card retry',
      'picker Add a Symbol from {0}',
      'route menu',
    ]) {
      assert.ok(items.includes(item), item);
    }
    assert.equal(new Set(items).size, items.length);
  });

  it('knows every type of message in the sources', async () => {
    const known = pageProtocols.flatMap(({ file, toPage, toHost }) => [`${file} ${toPage}`, `${file} ${toHost}`]);
    const all = await readdir(join(projectFolder, 'src/shared'), { recursive: true });
    const files = all.filter((name) => name.endsWith('.ts')).map((name) => name.replaceAll('\\', '/'));
    const types = await Promise.all(
      files.map(async (file) => (await messageTypes(file)).map((type) => `${file} ${type}`)),
    );
    // What a page's code blocks can ask for is part of other types.
    const found = types.flat().filter((type) => type !== 'protocol/requestProtocol.ts CodeToHost');
    assert.deepEqual(found.toSorted(), known.toSorted());
  });

  it('knows the acts of each page with buttons that send the same message', async () => {
    for (const { kind, file, toHost, acts } of pageProtocols) {
      const tags = await messageTags(file, toHost);
      assert.equal(acts !== undefined, /\bact/.test(tags.join()), kind);
    }
  });

  it('knows every picker in the sources, by its words', async () => {
    const folder = join(projectFolder, 'src/vscode');
    const bundle = JSON.parse(await readFile(join(projectFolder, 'l10n/bundle.l10n.json'), 'utf8'));
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const counts = await Promise.all(
      files.map(async (file) => {
        const text = await readFile(join(folder, file), 'utf8');
        return [file.replaceAll('\\', '/'), text.match(/plainWindow\.(show|create)QuickPick\b/g)?.length ?? 0] as const;
      }),
    );
    const known = Object.entries(pickers).map(([file, words]) => [file, words.length]);
    assert.deepEqual(Object.fromEntries(known), Object.fromEntries(counts.filter(([, count]) => count > 0)));
    for (const words of Object.values(pickers).flat()) assert.ok(Object.hasOwn(bundle, words), words);
  });

  it('knows every page', async () => {
    const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
    const views = Object.values<readonly { id: string; type?: string }[]>(manifest.contributes.views).flat();
    const pages = [...views.filter(({ type }) => type === 'webview').map(({ id }) => id), ...Object.values(panelTypes)];
    const known = [...pageProtocols.flatMap((protocol) => protocol.views), ...pagesWithoutMessages];
    assert.deepEqual(pages.toSorted(), known.toSorted());
  });

  it('fails a run that leaves something out, and one whose list names something that is exercised', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-boundaries-'));
    const list = join(folder, 'unexercised.json');
    const write = (file: string, value: unknown): Promise<void> => writeFile(file, JSON.stringify(value));
    const verdict = async (): Promise<{ readonly passes: boolean; readonly said: string }> => {
      const said: string[] = [];
      const passes = await reportBoundaries(folder, (line) => said.push(line), list);
      return { passes, said: said.join('\n') };
    };
    try {
      await mkdir(join(folder, 'boundaries'));
      const [left = '', ...others] = await knownItems();
      await write(list, []);
      await write(join(folder, 'boundaries', 'one.json'), { crossed: others, offered: ['choice Some model’s name'] });
      const open = await verdict();
      assert.equal(open.passes, false);
      assert.ok(open.said.endsWith(`No test exercises, and no reason is given:\n  ${left}`), open.said);

      await write(list, [{ reason: 'It needs Windows.', items: [left] }]);
      const listed = await verdict();
      assert.equal(listed.passes, true, listed.said);
      assert.match(listed.said, /It needs Windows\./);

      await write(join(folder, 'boundaries', 'two.json'), { crossed: [left], offered: [] });
      const stale = await verdict();
      assert.equal(stale.passes, false);
      assert.ok(stale.said.endsWith(`In unexercised.json without need:\n  ${left}`), stale.said);

      await write(list, []);
      assert.equal((await verdict()).passes, true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
