import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { chooseModels } from '../../src/vscode/checks/chooseModels.ts';
import { checksJunit } from '../../src/core/checks/checksExports.ts';
import { answering } from './answering.ts';
import { type ChecksStand, checksStand, type StandOptions } from './checksStand.ts';
import { checksTable } from './checksTable.ts';
import { eventually } from './eventually.ts';
import { withShownRows } from './shownRows.ts';

const folder = () => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return vscode.Uri.joinPath(first.uri, 'run');
};
const at = (name: string) => vscode.Uri.joinPath(folder(), name);
const write = (name: string, text: string) => vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
const says = (name: string, text = name) =>
  `  - name: ${name}\n    messages: [{ role: user, content: ${text} }]\n    assert: [{ type: contains, value: ${text} }]\n`;
const edited = (change: (edit: vscode.WorkspaceEdit) => void) => {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  return vscode.workspace.applyEdit(edit);
};

describe('A run of prompt checks in the Testing view', () => {
  let stands: ChecksStand[] = [];
  const opened = async (options?: StandOptions) => {
    const stand = await checksStand(options);
    stands.push(stand);
    await stand.tests.discovered();
    return stand;
  };
  const fileOf = ({ tests }: ChecksStand, name: string) => {
    const item = tests.tree.fileItem(at(name));
    assert.ok(item);
    return item;
  };
  /** The rows of a file's models, with what they say. */
  const rows = (stand: ChecksStand, name: string) =>
    [...(stand.tests.tree.fileItem(at(name))?.children ?? [])].flatMap(([, item]) =>
      Array.from(item.children, ([, { label, description = '' }]) => `${label}: ${description}`),
    );

  afterEach(async () => {
    for (const stand of stands) await stand.dispose();
    stands = [];
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  it('replaces a model only where it was asked for, and sends nothing to any other', async () => {
    await write('a.checks.yaml', `models: [local/echo]\ncases:\n${says('Private')}`);
    await write('b.checks.yaml', `models: [local/brush, local/echo]\ncases:\n${says('Open')}`);
    await write('c.checks.yaml', `models: ['nobody/*']\ncases:\n${says('Alone')}`);
    const served = new Map([
      ['local/echo', 'local/echo'],
      ['local/brush', 'local/other'],
    ]);
    const stand = await opened({ served: async () => served });
    await stand.tests.runItems(undefined);
    const sent = stand.sent.map(({ model, text }) => `${text} to ${model}`);
    assert.deepEqual(sent.toSorted(), ['Open to local/echo', 'Open to local/other', 'Private to local/echo']);
    assert.equal(stand.outcomes.get('Alone'), 'errored');
    // Two models with the same replacement.
    served.set('local/echo', 'local/other');
    stand.sent.length = 0;
    await stand.tests.runItems([fileOf(stand, 'b.checks.yaml')]);
    assert.deepEqual(stand.sent, [{ model: 'local/other', text: 'Open' }]);
  });

  it('asks for a model again if none is selected', async () => {
    const { createQuickPick } = vscode.window;
    const picks: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    Object.assign(vscode.window, {
      createQuickPick: () => {
        const pick = createQuickPick();
        picks.push(pick);
        return pick;
      },
    });
    const models = {
      catalog: { load: async () => undefined, index: ModelIndex.joined([]) },
      marks: { load: async () => undefined, view: { favorites: ['local/echo'] } },
    } as never;
    try {
      await withShownRows(
        async () => {
          void chooseModels(models, undefined, []);
          await eventually('what is missing', () => picks[0]?.title === 'Add at least one model.');
        },
        () => false,
      );
    } finally {
      Object.assign(vscode.window, { createQuickPick });
      for (const pick of picks) pick.dispose();
    }
  });

  it("shows no models of a run that the user didn't agree to", async () => {
    await write('asked.checks.yaml', `models: [local/echo]\ncases:\n${says('Asked')}`);
    const stand = await opened({ limits: () => ({ requests: 0, cost: null }) });
    const run = () => stand.tests.runItems([fileOf(stand, 'asked.checks.yaml')], [{ id: 'local/selected' }]);
    const { asked } = await answering(undefined, run);
    assert.deepEqual([asked, stand.sent], [['Send 1 request?'], []]);
    stand.tests.modelsChanged();
    assert.deepEqual(rows(stand, 'asked.checks.yaml'), ['local/echo: ']);
    await answering('Send', run);
    assert.deepEqual(rows(stand, 'asked.checks.yaml'), ['local/echo: ', 'local/selected: 1/1']);
  });

  it('is sent once if Run All is pressed twice before the page shows it, and again once it has ended', async () => {
    await write('twice.checks.yaml', `models: [local/echo]\ncases:\n${says('Twice')}`);
    const lists = Promise.withResolvers<void>();
    const reply = Promise.withResolvers<void>();
    let fetches = 0;
    const fetchLists = () => {
      fetches += 1;
      return lists.promise;
    };
    const stand = await opened({ fetchLists, wait: () => reply.promise });
    const { table, views, received, dispose } = checksTable(stand, folder());
    try {
      table.show(at('twice.checks.yaml'));
      const press = () => received.fire({ type: 'run' });
      press();
      await eventually('the fetched lists', () => fetches > 0);
      assert.equal(views.at(-1)?.isStarting, true);
      press();
      lists.resolve();
      await eventually('the request', () => stand.sent.length > 0);
      // The page shows it a moment later.
      press();
      await eventually('Stop', () => views.at(-1)?.isRunning === true);
      assert.equal(views.at(-1)?.isStarting, undefined);
      reply.resolve();
      const isOver = () => views.at(-1)?.isRunning === false && stand.running.size === 0;
      await eventually('its end', isOver);
      assert.deepEqual([fetches, stand.sent.length], [1, 1]);
      press();
      await eventually('the next one', () => stand.sent.length === 2 && isOver());
      await eventually('Run All', () => views.at(-1)?.isStarting === undefined);
    } finally {
      dispose();
    }
  });

  it('keeps the rows of its models while another run of the same case ends', async () => {
    const gates = new Map(['local/one', 'local/two'].map((model) => [model, Promise.withResolvers<void>()]));
    await write('both.checks.yaml', `models: [local/echo]\ncases:\n${says('Both')}`);
    const stand = await opened({ wait: async (_text, model) => gates.get(model)?.promise });
    const runs = [...gates.keys()].map((id) => stand.tests.runItems([fileOf(stand, 'both.checks.yaml')], [{ id }]));
    await eventually('both requests', () => stand.sent.length === 2);
    gates.get('local/two')?.resolve();
    await runs[1];
    assert.deepEqual(rows(stand, 'both.checks.yaml'), ['local/echo: ', 'local/one: ', 'local/two: 1/1']);
    assert.equal(stand.tests.running.started(at('both.checks.yaml'))?.size, 1);
    gates.get('local/one')?.resolve();
    await runs[0];
    assert.deepEqual(rows(stand, 'both.checks.yaml').toSorted(), ['local/echo: ', 'local/one: 1/1', 'local/two: 1/1']);
  });

  it('follows a file that is renamed meanwhile: with its states, its Stop, and its results', async () => {
    const gate = Promise.withResolvers<void>();
    await write('old.checks.yaml', `cases:\n${says('First')}${says('Last')}`);
    const stand = await opened({ wait: async (text) => (text === 'Last' ? gate.promise : undefined) });
    const run = stand.tests.runItems([fileOf(stand, 'old.checks.yaml')]);
    await eventually('one of two results', () => rows(stand, 'old.checks.yaml')[0] === 'local/echo: 1/1');
    const renamed = new Promise<void>((resolve) => void stand.tests.onDidRename(() => resolve()));
    await edited((edit) => edit.renameFile(at('old.checks.yaml'), at('new.checks.yaml')));
    await renamed;
    assert.deepEqual(rows(stand, 'new.checks.yaml'), ['local/echo: 1/1', 'local/echo: ']);
    assert.equal(stand.tests.running.started(at('new.checks.yaml'))?.size, 1);
    assert.equal(stand.tests.running.started(at('old.checks.yaml')), undefined);
    gate.resolve();
    await run;
    assert.deepEqual(rows(stand, 'new.checks.yaml'), ['local/echo: 1/1', 'local/echo: 1/1']);
    const later = stand.reopened();
    stands = [later];
    await later.tests.discovered();
    assert.deepEqual(rows(later, 'new.checks.yaml'), ['local/echo: 1/1', 'local/echo: 1/1']);
  });

  it('has results that return with a file whose deletion is undone', async () => {
    const text = `cases:\n${says('Undone')}`;
    await write('undone.checks.yaml', text);
    const stand = await opened();
    await stand.tests.runItems(undefined);
    await edited((edit) => edit.deleteFile(at('undone.checks.yaml')));
    await eventually('no file', () => stand.tests.tree.files.length === 0);
    await write('undone.checks.yaml', text);
    await stand.tests.refresh(at('undone.checks.yaml'));
    assert.deepEqual(rows(stand, 'undone.checks.yaml'), ['local/echo: 1/1']);
  });

  it('has failed if only some of its replies pass, and shows those that did not', async () => {
    await write('flaky.checks.yaml', `repeat: 3\ncases:\n${says('Flaky')}`);
    const stand = await opened({ reply: (text, count) => (count === 1 ? 'Other' : text) });
    await stand.tests.runItems(undefined);
    assert.equal(stand.outcomes.get('Flaky > local/echo'), 'failed');
    assert.deepEqual(rows(stand, 'flaky.checks.yaml'), ['local/echo: flaky 2/3']);
    const messages = stand.messages.get('local/echo') ?? [];
    const texts = messages.map(({ message }) => (typeof message === 'string' ? message : message.value));
    assert.deepEqual(texts.length, 2);
    assert.match(texts[0] ?? '', /contains .*Flaky.*\n\nRun 2 of 3/s);
    assert.equal(texts[1], 'Other');
  });

  it('passes no model in the table, and has an error in its export, while a case of the file is faulty', async () => {
    await write(
      'faulty.checks.yaml',
      `models: [local/echo]\ncases:\n${says('Fine')}  - { name: Lost, messages: [{ role: user, content: 'file://lost.txt' }], assert: [{ type: equals, value: x }] }\n`,
    );
    const stand = await opened();
    const { table, views, received, dispose } = checksTable(stand, folder());
    try {
      table.show(at('faulty.checks.yaml'));
      received.fire({ type: 'run' });
      await eventually('its result', () => views.at(-1)?.columns[0]?.passed === 1 && !views.at(-1)?.isRunning);
      const [view] = views.slice(-1);
      assert.ok(view);
      assert.deepEqual(
        view.columns.map(({ passed, counted, passesAll }) => [passed, counted, passesAll]),
        [[1, 1, false]],
      );
      assert.match(view.files[0]?.rows[1]?.notRun ?? '', /"lost\.txt" doesn't exist/);
      assert.match(checksJunit(view), /tests="2" failures="0" errors="1" skipped="0"/);
      assert.match(checksJunit(view), /name="Lost"><error message="&quot;lost\.txt&quot; doesn't exist/);
    } finally {
      dispose();
    }
  });

  it('reads no file outside of the folder, however its path is written, and marks where it is named', async () => {
    const paths = [
      'file://C:/secret.txt',
      'file://C:\\secret.txt',
      'file:////server/share/secret.txt',
      'file://\\\\server\\share\\secret.txt',
      'file://..\\secret.txt',
      'file://../../secret.txt',
      'file://%2e%2e/%2e%2e/secret.txt',
      'file://..%2f..%2fsecret.txt',
      'file:///etc/hostname',
      'file://file:///etc/hostname',
    ];
    const cases = paths.map(
      (path) => `  - messages: [{ role: user, content: '${path}' }]\n    assert: [{ type: contains, value: x }]\n`,
    );
    await write('outside.checks.yaml', `cases:\n${cases.join('')}`);
    const stand = await opened();
    const checks = stand.tests.tree.file(at('outside.checks.yaml'));
    const faults = checks?.cases.map(({ messages }) => ('fault' in messages ? messages.fault : ''));
    assert.deepEqual(
      paths.filter((path, index) => {
        // A URI's escapes are part of a name here.
        const expected = path.includes('%') ? "doesn't exist" : "It's outside of the workspace folder.";
        return faults?.[index]?.includes(expected) !== true;
      }),
      [],
    );
    const marked = new Set(checks?.file.remarks.map(({ from, to }) => checks.text.slice(from, to)));
    assert.deepEqual(
      paths.filter((path) => !marked.has(`'${path}'`)),
      [],
    );
    await stand.tests.runItems(undefined);
    assert.deepEqual(stand.sent, []);
  });
});
