import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { modelRef } from '../../src/shared/modelRef.ts';
import { type ModelInfo, decodeModels } from '../../src/api/wire/decodeModels.ts';
import type { RankedModel } from '../../src/core/experiments/modelRanking.ts';
import { type MeasuredFigures, speedOf } from '../../src/core/models/measuredModel.ts';
import { groupModels, type ModelListView, plainView } from '../../src/core/models/modelGroups.ts';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { ModelMarks } from '../../src/core/models/modelMarks.ts';
import { filterModels } from '../../src/vscode/models/filterModels.ts';
import { MarksFiles } from '../../src/vscode/models/marksFiles.ts';
import { ModelListState } from '../../src/vscode/models/modelListState.ts';
import { serviceItem, type ServiceState } from '../../src/vscode/models/serviceItem.ts';
import { ModelTree, type TreeNode } from '../../src/vscode/models/modelTree.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { Answers } from './prompts/answers.ts';
import { withShownRows } from './shownRows.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const rows = [
  { id: 'acme/large', type: 'chat', context_length: 131_072, pricing: { input: 0.15, output: 0.6 } },
  { id: 'acme/pic', type: 'image' },
  {
    id: 'bolt/see',
    architecture: { modality: 'text+image->text' },
    description: 'See [this](command:x) & <b>that</b>',
  },
  { id: 'a/b/c' },
  { id: 'plain' },
];

const figures: MeasuredFigures = {
  requestCount: 4,
  failureCount: 1,
  timeToFirstTokenSeconds: { p50: 0.31, p95: 0.9, from: 'service' },
  tokensPerSecond: { p50: 84, p95: 60, from: 'service' },
  latest: [],
};

describe('The tree of models', () => {
  let folder: string;
  let marks: ModelMarks;
  let view: ModelListView;
  let models: readonly ModelInfo[];
  let measured: Readonly<Record<string, MeasuredFigures>>;
  let votes: Readonly<Record<string, RankedModel>>;
  let fetchingFrom: string | undefined;
  let tree: ModelTree;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-marks-'));
    marks = new ModelMarks({
      store: new MarksFiles(folder, (trouble) => assert.fail(trouble.kind)),
      service: () => 'https://service.test/v1',
      onError: assert.ifError,
    });
    view = plainView;
    models = decodeModels(rows);
    measured = {};
    votes = {};
    fetchingFrom = undefined;
    tree = new ModelTree(() => ({
      groups: groupModels(new ModelIndex(models), marks.view, view, (id) => speedOf(measured[id])),
      view,
      isFavorite: (id) => marks.view.favorites.includes(id),
      isHidden: (id) => marks.view.hidden.has(id),
      defaultModel: 'acme/large',
      figures: (id) => measured[id],
      votes: (id) => votes[id],
      services: [],
      ...(fetchingFrom !== undefined && { fetchingFrom }),
    }));
  });
  afterEach(async () => {
    tree.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  /** All items in order, the groups before their rows. */
  const items = () =>
    tree
      .getChildren()
      .flatMap((group) => [group, ...tree.getChildren(group)])
      .map((node) => tree.getTreeItem(node));
  const find = (label: string) => {
    const found = items().find((item) => item.label === label);
    assert.ok(found, `${label} is not in the tree`);
    return found;
  };
  const icon = (item: vscode.TreeItem) => (item.iconPath as vscode.ThemeIcon).id;
  const tooltipOf = async (id: string) => {
    const node = tree
      .getChildren()
      .flatMap((group) => tree.getChildren(group))
      .find((each) => each.type === 'model' && each.entry.model.id === id);
    assert.ok(node);
    const item = tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    return item.tooltip;
  };

  it('has a group for each provider and a row for each model, by its own name', () => {
    assert.deepEqual(
      items().map((item) => item.label),
      ['Other', 'plain', 'a', 'b/c', 'acme', 'large', 'pic', 'bolt', 'see'],
    );
  });

  it('gives each row its facts, an icon for its kind, and a text for screen readers', () => {
    measured = { 'acme/large': figures };
    tree.refresh();
    const large = find('large');
    assert.equal(large.description, '84 tok/s · 0.31 s · 0.15/0.60 · 128k context · default');
    assert.equal(
      large.accessibilityInformation?.label,
      'acme/large, chat, default, 84 tok/s · 0.31 s · 0.15/0.60 · 128k context',
    );
    assert.deepEqual(
      [icon(large), icon(find('pic')), icon(find('see')), icon(find('plain'))],
      ['check', 'file-media', 'eye', 'circle-outline'],
    );
    assert.equal(find('acme').accessibilityInformation?.label, 'acme, 2 models');
  });

  it("shows the rank by blind votes next to speed and price, and only the votes if they don't decide", async () => {
    measured = { 'acme/large': figures };
    const counts = { duels: 41, wins: 28, share: 0.68, interval: { low: 0.6, high: 0.75 } };
    votes = {
      'acme/large': { model: 'acme/large', ...counts, rank: [1, 2] },
      'a/b/c': { model: 'a/b/c', ...counts, duels: 7, wins: 2 },
    };
    tree.refresh();
    assert.equal(find('large').description, '84 tok/s · 0.31 s · 0.15/0.60 · 128k context · rank 1–2 · default');
    assert.doesNotMatch(String(find('b/c').description), /rank/);
    assert.match((await tooltipOf('acme/large')).value, /28 of 41 won\\, rank 1–2/);
    assert.match((await tooltipOf('a/b/c')).value, /2 of 7 won\\, not enough votes to tell/);
  });

  it('says where the first list is being fetched from, until models arrive or the fetch ends', async () => {
    const list = models;
    models = [];
    fetchingFrom = 'service.test';
    const labels = () => {
      tree.refresh();
      return items().map(({ label }) => label);
    };
    assert.deepEqual(labels(), ['Fetching models from service.test…']);
    fetchingFrom = undefined;
    assert.deepEqual(labels(), []);
    // A favorite that no list has yet is there at once.
    fetchingFrom = 'service.test';
    await marks.setFavorite('gone/away', true);
    assert.deepEqual(labels(), ['Favorites', 'gone/away']);
    await marks.setFavorite('gone/away', false);
    assert.deepEqual(labels(), ['Fetching models from service.test…']);
    models = list;
    assert.ok(!labels().includes('Fetching models from service.test…'));
  });

  it('still shows a service that is down, with Retry, in a list sorted by a figure', () => {
    const state = { baseUrl: '', isAsking: false };
    const trouble = { title: "Can't connect", detail: 'Nothing listens there.' };
    const services = [
      { ...state, id: 'service', name: 'Main', count: 3 },
      { ...state, id: 'down', name: 'Down', count: 0, trouble },
    ];
    view = { ...plainView, sort: 'speed' };
    const ranked = new ModelTree(() => ({
      groups: groupModels(new ModelIndex(models), marks.view, view, () => undefined),
      view,
      isFavorite: () => false,
      isHidden: () => false,
      defaultModel: undefined,
      figures: () => undefined,
      votes: () => undefined,
      services,
    }));
    const [ranking, down, ...more] = ranked.getChildren();
    assert.deepEqual([ranking?.type, down?.type === 'service' && down.service, more], ['group', 'down', []]);
    const [retry] = ranked.getChildren(down).map((node) => ranked.getTreeItem(node));
    assert.deepEqual([retry?.description, retry?.command?.arguments], ["Can't connect", [{ service: 'down' }]]);
    ranked.dispose();
  });

  it('leaves room in the row of a service with a long name for its state, which a screen reader says after the whole name', () => {
    const [one, other] = ['Customer Aurora, staging environment', 'Customer Aurora, production environment'];
    const trouble = { title: "Can't connect", detail: 'Nothing listens there.' };
    const itemOf = (name: string, facts: Partial<ServiceState> = {}) =>
      serviceItem({ id: 'two', name, baseUrl: 'https://two.test/v1', count: 42, isAsking: false, ...facts }, plainView);
    const usual = itemOf(one);
    assert.deepEqual([usual.label, usual.description], ['Customer Aur…environment', '42']);
    assert.equal(usual.accessibilityInformation?.label, `${one}, 42 models`);
    assert.equal(usual.tooltip, `${one}\nhttps://two.test/v1`);
    const down = itemOf(one, { trouble });
    assert.deepEqual([down.label, down.description], ['Custome…onment', "42 · Can't connect"]);
    assert.equal(down.accessibilityInformation?.label, `${one}, 42 models, Can't connect`);
    // Short ones are whole.
    assert.equal(itemOf('Garage', { trouble }).label, 'Garage');
    assert.equal(itemOf(other).tooltip, `${other}\nhttps://two.test/v1`);
  });

  it('redraws only the rows that changed, so that no other is forgotten', async () => {
    const index = new ModelIndex(models);
    const { timeToFirstTokenSeconds: _, tokensPerSecond: __, ...counts } = figures;
    await marks.setFavorite('gone/away', true);
    const kept = new ModelTree(() => ({
      groups: groupModels(index, marks.view, view, (id) => speedOf(measured[id])),
      view,
      isFavorite: (id) => marks.view.favorites.includes(id),
      isHidden: (id) => marks.view.hidden.has(id),
      defaultModel: undefined,
      figures: (id) => measured[id],
      votes: (id) => votes[id],
      services: [],
    }));
    let drawn: readonly string[] = [];
    kept.onDidChangeTreeData((nodes) => {
      drawn = nodes?.map((node) =>
        node.type === 'model'
          ? node.entry.model.id
          : node.type === 'group'
            ? node.group.provider || node.group.kind
            : node.type,
      ) ?? ['all'];
    });
    /** The items that VS Code is told to redraw. */
    const drawnAgain = (): readonly string[] => {
      drawn = [];
      kept.refresh();
      for (const group of kept.getChildren()) {
        for (const node of [group, ...kept.getChildren(group)]) kept.getTreeItem(node);
      }
      return drawn;
    };
    drawnAgain();
    assert.deepEqual(drawnAgain(), []);
    measured = { 'acme/pic': counts };
    assert.deepEqual(drawnAgain(), ['acme/pic']);
    measured = { ...measured, 'acme/large': figures };
    assert.deepEqual(drawnAgain(), ['acme/large']);
    await marks.setFavorite('acme/pic', true);
    assert.deepEqual(drawnAgain(), ['favorites', 'acme/pic']);
    await marks.used('acme/large');
    assert.deepEqual(drawnAgain(), ['all']);
    // VS Code forgets the objects of rows that are redrawn, and passes none of them to a menu's command.
    const [, recent, ...others] = kept.getChildren();
    const rowsOf = (groups: readonly TreeNode[]) => groups.map((group) => kept.getChildren(group));
    const rowsBefore = rowsOf(others);
    await marks.used('bolt/see');
    assert.deepEqual(drawnAgain(), ['recent']);
    assert.deepEqual(drawnAgain(), []);
    assert.deepEqual(
      kept.getChildren(recent).map((node) => node.type === 'model' && node.entry.model.id),
      ['bolt/see', 'acme/large'],
    );
    for (const [place, nodes] of rowsOf(others).entries())
      for (const [at, node] of nodes.entries()) assert.equal(node, rowsBefore[place]?.[at]);
    measured = {};
    assert.deepEqual(drawnAgain().toSorted(), ['acme/large', 'acme/large', 'acme/pic', 'acme/pic']);
    view = { ...plainView, sort: 'speed' };
    assert.deepEqual(drawnAgain(), ['all']);
    kept.dispose();
  });

  it("gives menus a row's state, and opens its details", async () => {
    await marks.setFavorite('acme/pic', true);
    tree.refresh();
    assert.equal(find('large').contextValue, 'model chats notFavorite notHidden default');
    assert.equal(find('pic').contextValue, 'model makesImage favorite notHidden notDefault');
    assert.deepEqual(find('large').command?.arguments, [{ id: 'acme/large' }]);
    assert.equal(find('large').command?.command, 'parlance.showModel');
  });

  it('makes invisible characters in a name visible', () => {
    models = decodeModels([{ id: 'a\u202Ecme/lar\nge\u200B' }]);
    tree.refresh();
    assert.deepEqual(
      items().map((item) => item.label),
      ['a\\u{202e}cme', 'lar ge\\u{200b}'],
    );
  });

  it("gives every item its own ID, even if it's in several groups", async () => {
    await marks.setFavorite('acme/large', true);
    await marks.used('acme/large');
    models = decodeModels([...rows, ...rows]);
    tree.refresh();
    const ids = items().map((item) => item.id);
    assert.equal(ids.filter((id) => id?.endsWith('acme/large')).length, 3);
    assert.equal(new Set(ids).size, ids.length);
  });

  it("shows everything that's known in a tooltip without links or commands", async () => {
    measured = { 'acme/large': figures };
    tree.refresh();
    const large = await tooltipOf('acme/large');
    assert.match(large.value, /Context window: 131\\,072 tokens/);
    assert.match(large.value, /Requests\\: 4\\, failed\\: 1/);
    assert.match(large.value, /median 0\\\.31 s\\, 95\\% within 0\\\.90 s/);
    const see = await tooltipOf('bolt/see');
    assert.equal(see.isTrusted, false);
    assert.equal(see.supportHtml, false);
    assert.doesNotMatch(see.value, /[^\\]\[this\]|<b>/);
    assert.match(see.value, /Accepts: text\\, image/);
  });

  it('shows a hidden model only on request, marked as hidden', async () => {
    await marks.setHidden('acme/pic', true);
    tree.refresh();
    assert.ok(!items().some((item) => item.label === 'pic'));
    view = { ...view, showsHidden: true };
    tree.refresh();
    const pic = find('pic');
    assert.equal(pic.description, 'images · hidden');
    assert.equal(icon(pic), 'eye-closed');
    assert.match(pic.accessibilityInformation?.label ?? '', /acme\/pic, images, hidden/);
  });

  it('keeps a favorite that the service no longer lists, and marks it', async () => {
    await marks.setFavorite('gone/model', true);
    tree.refresh();
    assert.equal(find('gone/model').description, 'not in the list');
  });

  it('expands what a filter found, and leaves a long list collapsed', () => {
    models = decodeModels(Array.from({ length: 60 }, (_, at) => ({ id: `p${at % 3}/m${at}` })));
    tree.refresh();
    const states = () => tree.getChildren().map((node) => tree.getTreeItem(node).collapsibleState);
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    assert.deepEqual(states(), [Collapsed, Collapsed, Collapsed]);
    view = { ...view, text: 'm' };
    tree.refresh();
    assert.deepEqual(states(), [Expanded, Expanded, Expanded]);
  });
});

describe('How models are shown', () => {
  it('is stored for the workspace, with defaults if the stored value is invalid', () => {
    const values = new Map<string, unknown>();
    const memento: vscode.Memento = {
      keys: () => [...values.keys()],
      get: <T>(key: string, initial?: T) => (values.get(key) as T | undefined) ?? (initial as T),
      update: async (key, value) => void values.set(key, value),
    };
    const first = new ModelListState(memento);
    first.change({ text: 'llama', sort: 'price', abilities: ['video'] });
    assert.deepEqual(new ModelListState(memento).view, {
      ...plainView,
      text: 'llama',
      sort: 'price',
      abilities: ['video'],
    });
    for (const key of values.keys()) values.set(key, { sort: 'beauty' });
    assert.deepEqual(new ModelListState(memento).view, plainView);
  });

  it('keeps the box of its filter open while the file in front changes and is saved', async () => {
    const list = new ModelListState(new MemoryMemento());
    const folder = await mkdtemp(join(tmpdir(), 'parlance-filter-'));
    try {
      const file = vscode.Uri.file(join(folder, 'a.txt'));
      await vscode.workspace.fs.writeFile(file, new Uint8Array());
      const editor = await vscode.window.showTextDocument(file);
      let isOver = false;
      await withShownRows(async (_rows, hide) => {
        const filtering = filterModels(list).then(() => (isOver = true));
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed'));
        await eventually('a changed file', () => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty === true);
        await editor.document.save();
        await eventually('a saved file', () => vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty === false);
        assert.equal(isOver, false);
        hide();
        await filtering;
      });
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await rm(folder, { recursive: true });
    }
  });
});

describe('The commands about models', () => {
  let service: InferenceService;
  const catalogCalls = () => service.log().filter(({ path }) => path.endsWith('/v1/models')).length;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    process.env['SERVICE_API_KEY'] = service.apiKey;
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  it('send nothing while no base URL is set', async () => {
    await clearUserSettings();
    await vscode.commands.executeCommand('parlance.refreshModels');
    assert.equal(service.log().length, 0);
  });

  it('fetch the list with the key, once per Refresh', async () => {
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    await vscode.commands.executeCommand('parlance.refreshModels');
    assert.equal(catalogCalls(), 1);
    assert.equal(service.log().at(-1)?.authorization, 'right');
    await vscode.commands.executeCommand('parlance.refreshModels');
    assert.equal(catalogCalls(), 2);
  });

  it('set the default model, and copy an ID, for the selected row', async () => {
    await vscode.commands.executeCommand('parlance.setDefaultModel', { id: 'local/echo' });
    assert.equal(vscode.workspace.getConfiguration().get('parlance.chat.model'), 'local/echo');
    await vscode.commands.executeCommand('parlance.copyModelId', { entry: { model: { id: 'local/fast' } } });
    assert.equal(await vscode.env.clipboard.readText(), 'local/fast');
    // As its own service spells it.
    await vscode.commands.executeCommand('parlance.copyModelId', { id: modelRef('two', 'local/echo') });
    assert.equal(await vscode.env.clipboard.readText(), 'local/echo');
  });

  it('ask for a model if a row was forgotten, even if another row or a page has one', async () => {
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    await vscode.commands.executeCommand('parlance.refreshModels');
    const isDetails = ({ input }: vscode.Tab): boolean =>
      input instanceof vscode.TabInputWebview && input.viewType.endsWith('parlance.modelDetails');
    await vscode.commands.executeCommand('parlance.showModel', { id: 'local/writer' });
    await eventually('the page', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab !== undefined && isDetails(activeTab) && activeTab.label === 'writer';
    });
    const copied = async (...given: readonly unknown[]): Promise<string> => {
      await vscode.env.clipboard.writeText('nothing');
      await withShownRows(
        async () => vscode.commands.executeCommand('parlance.copyModelId', ...given),
        ({ model }) => model === 'local/fast',
      );
      return vscode.env.clipboard.readText();
    };
    // From a key, and from a button in the page's title.
    assert.equal(await copied(), 'local/writer');
    assert.equal(await copied(vscode.Uri.parse('webview-panel:page')), 'local/writer');
    // From the menu of a row.
    const row = { entry: { model: { id: 'local/echo' } } };
    assert.equal(await copied(undefined, undefined), 'local/fast');
    assert.equal(await copied(row, [row, undefined]), 'local/fast');
    assert.equal(await copied(row, undefined), 'local/echo');
    await vscode.window.tabGroups.close(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isDetails));
  });

  it('about rows of several views say that a row was forgotten, instead of taking the usual models', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, { showInformationMessage: (text: string) => Promise.resolve(void said.push(text)) });
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    const before = tabs();
    const row = { entry: { model: { id: 'local/echo' } } };
    try {
      for (const given of [
        [undefined, undefined],
        [row, [row, undefined]],
      ]) {
        await vscode.commands.executeCommand('parlance.compareModels', ...given);
        await vscode.commands.executeCommand('parlance.measureModels', ...given);
      }
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const lost = 'The list changed while its menu was open. Select the row again, then retry.';
    assert.deepEqual([said, tabs()], [Array(4).fill(lost), before]);
  });

  it('run the test prompt with that model as one small request', async () => {
    const before = service.asked().length;
    await vscode.commands.executeCommand('parlance.testModel', 'local/fast');
    const [asked, ...more] = service.asked().slice(before);
    assert.equal(more.length, 0);
    assert.equal(asked?.model, 'local/fast');
    assert.equal(asked.status, 200);
    assert.equal(Object(asked.requestBody).max_tokens, 96);
  });

  it('run it again with the model that is selected after a failure, and leave the default unchanged', async () => {
    using person = new Answers();
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    await vscode.commands.executeCommand('parlance.refreshModels');
    const byDefault = vscode.workspace.getConfiguration().get('parlance.chat.model');
    await vscode.commands.executeCommand('parlance.testModel', 'local/error-404');
    const before = service.asked().length;
    const asked = () => service.asked().slice(before);
    await withShownRows(
      async () => {
        (await person.offer('Select Another Model…')).press('Select Another Model…');
        await eventually('the other request', () => asked().length > 0);
      },
      ({ model }) => model === 'local/fast',
    );
    assert.equal(asked()[0]?.model, 'local/fast');
    assert.equal(vscode.workspace.getConfiguration().get('parlance.chat.model'), byDefault);
  });

  it('open the details in one tab, whatever the model', async () => {
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('parlance.modelDetails'),
        );
    await vscode.commands.executeCommand('parlance.showModel', { id: 'local/writer' });
    await eventually('the tab', () => tabs()[0]?.label === 'writer');
    await vscode.commands.executeCommand('parlance.showModel', { id: 'local/echo' });
    await eventually('the other model', () => tabs()[0]?.label === 'echo');
    assert.equal(tabs().length, 1);
    await vscode.window.tabGroups.close(tabs());
  });
});
