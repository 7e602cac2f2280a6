import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import type { CheckModel } from '../../src/core/checks/wantedModels.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { useServiceNames } from '../../src/words/modelLabel.ts';
import type { ChatOptions } from '../../src/shared/chat.ts';
import { registerChecksEditing } from '../../src/vscode/checks/checksEditing.ts';
import { newCheck } from '../../src/vscode/checks/newCheck.ts';
import { useCheckedModel } from '../../src/vscode/checks/useCheckedModel.ts';
import { eventually } from './eventually.ts';
import { type ChecksStand, checksStand, type StandOptions } from './checksStand.ts';
import { checksTable } from './checksTable.ts';
import { watched } from './watched.ts';

const folder = () => {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return vscode.Uri.joinPath(first.uri, 'tested');
};
const at = (name: string) => vscode.Uri.joinPath(folder(), name);
const write = (name: string, text: string) => vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
const says = (name: string, text = name) =>
  `  - name: ${name}\n    messages: [{ role: user, content: ${text} }]\n    assert: [{ type: contains, value: ${text} }]\n`;

describe('Prompt checks in the Testing view', () => {
  let stands: ChecksStand[] = [];
  const opened = async (options?: StandOptions) => {
    const stand = await checksStand(options);
    stands.push(stand);
    return stand;
  };
  const fileOf = ({ tests }: ChecksStand, name: string) => {
    const item = tests.tree.fileItem(at(name));
    assert.ok(item);
    return item;
  };

  afterEach(async () => {
    useServiceNames({});
    for (const stand of stands) await stand.dispose();
    stands = [];
    await vscode.workspace.fs.delete(folder(), { recursive: true });
  });

  it('are run with favorites, which are read first, and a case without a matching model says so', async () => {
    let isLoaded = false;
    await write('favorite.checks.yaml', `models: [favorites]\ncases:\n${says('Liked')}`);
    await write('fitting.checks.yaml', `models: ['nobody/*']\ncases:\n${says('Alone')}`);
    const stand = await opened({
      models: () => ({ index: ModelIndex.joined([]), favorites: isLoaded ? ['local/liked'] : [] }),
      loadModels: async () => (isLoaded = true),
    });
    await stand.tests.discovered();
    assert.equal(stand.tests.tree.modelsOf(...only(stand, 'favorite.checks.yaml')).size, 1);
    await stand.tests.runItems(undefined);
    assert.deepEqual(stand.sent, [{ model: 'local/liked', text: 'Liked' }]);
    assert.equal(stand.outcomes.get('Liked > local/liked'), 'passed');
    assert.equal(stand.outcomes.get('Alone'), 'errored');
    assert.deepEqual(stand.reasons, ['No model matches.']);
    // With models that are selected for the run, the case is as good as any other.
    await stand.tests.runItems([fileOf(stand, 'fitting.checks.yaml')], [{ id: 'local/selected' }]);
    assert.deepEqual(stand.sent.at(-1), { model: 'local/selected', text: 'Alone' });
  });

  it("aren't sent to a service that doesn't support chat, unless the user agrees, or to another model if the user prefers that", async () => {
    await write('served.checks.yaml', `models: [local/echo, local/brush]\ncases:\n${says('Served')}`);
    const asked: (readonly string[])[] = [];
    let answer: readonly string[] | undefined;
    const stand = await opened({
      served: async (models) => {
        asked.push(models);
        return answer && new Map(models.map((model, index) => [model, answer?.[index] ?? model]));
      },
    });
    await stand.tests.discovered();
    const run = () => stand.tests.runItems([fileOf(stand, 'served.checks.yaml')]);
    await run();
    assert.deepEqual(asked, [['local/echo', 'local/brush']]);
    assert.deepEqual(stand.sent, []);
    answer = ['local/echo', 'local/brush'];
    await run();
    assert.deepEqual(new Set(stand.sent.map(({ model }) => model)), new Set(['local/brush', 'local/echo']));
    stand.sent.length = 0;
    answer = ['local/echo', 'local/other'];
    await run();
    assert.deepEqual(new Set(stand.sent.map(({ model }) => model)), new Set(['local/echo', 'local/other']));
    assert.equal(stand.outcomes.get('Served > local/other'), 'passed');
  });

  it("aren't sent if the service of a model or of a judge isn't set up, even if the default model's is", async () => {
    const rubric =
      '  - { name: Judged, messages: [{ role: user, content: a }], assert: [{ type: llm-rubric, value: Short }] }\n';
    useServiceNames({ service: 'Home', far: 'Far' });
    const judge = modelRef('far', 'local/judge');
    await write('setup.checks.yaml', `models: [local/ready]\njudge: far/local/judge\ncases:\n${rubric}`);
    await write('faulty.checks.yaml', 'cases:\n  - { name: Gone, prompt: gone.prompt.md }\n');
    await write('none.checks.yaml', `models: ['nobody/*']\ncases:\n${says('None')}`);
    const checked: (string | undefined)[] = [];
    let lacks = judge;
    const stand = await opened({
      checkSetup: async (model) => {
        checked.push(model);
        if (model === lacks) throw new ApiError({ kind: 'setup', missing: 'apiKey' });
      },
    });
    await stand.tests.discovered();
    const run = (name: string) => stand.tests.runItems([fileOf(stand, `${name}.checks.yaml`)]);
    await run('setup');
    assert.deepEqual(checked, ['local/ready', judge]);
    assert.deepEqual(stand.sent, []);
    assert.deepEqual(stand.reasons, ['ApiError: setup']);
    // The default model's service isn't asked.
    lacks = 'local/echo';
    await run('setup');
    assert.ok(stand.sent.some(({ model }) => model === 'local/ready'));
    checked.length = 0;
    await run('faulty');
    assert.deepEqual(checked, []);
    // Without any model, it's the default one's that might explain why.
    await run('none');
    assert.deepEqual(checked, [undefined]);
  });

  it('are sent to the services that are set up, and say about each other one why not', async () => {
    const rubric = '{ type: llm-rubric, value: x, provider: far/local/judge }';
    const judged = `  - { name: Judged, messages: [{ role: user, content: a }], assert: [${rubric}] }\n`;
    useServiceNames({ service: 'Home', far: 'Far' });
    const [far, judge] = [modelRef('far', 'local/echo'), modelRef('far', 'local/judge')];
    await write('some.checks.yaml', `models: [local/echo, far/local/echo]\ncases:\n${says('Plain')}`);
    await write('judged.checks.yaml', `models: [local/echo]\ncases:\n${judged}${says('Near')}`);
    let told = 0;
    const stand = await opened({
      checkSetup: async (model) => {
        if (model === far || model === judge) throw new ApiError({ kind: 'setup', missing: 'apiKey' });
      },
      tell: () => (told += 1),
    });
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    const sent = stand.sent.map(({ text, model }) => `${text} to ${model}`);
    assert.deepEqual(sent.toSorted(), ['Near to local/echo', 'Plain to local/echo']);
    assert.equal(told, 1);
    const names = ['Plain > local/echo (Home)', 'Plain > local/echo (Far)', 'Judged > local/echo (Home)'];
    assert.deepEqual(
      names.map((name) => stand.outcomes.get(name)),
      ['passed', 'errored', 'errored'],
    );
    assert.deepEqual(
      stand.reasons.map((reason) => reason.split('\n')[0]),
      ['setup', 'setup'],
    );
  });

  it("say why they can't be run, in the Testing view and above the case, and offer no run there", async () => {
    const name = 'faulty.checks.yaml';
    const code = '  - { name: Code, messages: [{ role: user, content: a }], assert: [{ type: python, value: x }] }\n';
    await write('faulty.prompt.md', 'Say ${selection}\n');
    await write(
      name,
      `cases:\n${says('Fine')}${code}  - name: Lost\n    file: lost.txt\n    assert: [{ type: regex, value: x }]\n`,
    );
    const stand = await opened();
    await stand.tests.discovered();
    await stand.tests.runItems([fileOf(stand, name)]);
    assert.deepEqual(
      ['Fine > local/echo', 'Code', 'Code > local/echo', 'Lost'].map((label) => stand.outcomes.get(label)),
      ['passed', 'errored', 'skipped', 'errored'],
    );
    assert.equal(stand.sent.length, 1);
    // VS Code removes a case's failures when one of its lines is edited.
    assert.deepEqual(
      [...fileOf(stand, name).children].map(([, { range }]) => [range?.start.line, range?.end.line]),
      [
        [1, 3],
        [4, 4],
        [5, 7],
      ],
    );
    assert.match(stand.reasons.join('\n'), /^.*python.*\n"lost\.txt" doesn't exist\..*$/);
    const editing = registerChecksEditing(stand.tests, {
      models: () => ({ index: ModelIndex.joined([]), favorites: [] }),
      onError: assert.ifError,
    });
    try {
      await vscode.workspace.openTextDocument(at(name));
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        at(name),
        100,
      );
      const offered = lenses.filter(({ range }) => [4, 5].includes(range.start.line));
      assert.deepEqual([...new Set(offered.map(({ command }) => command?.command))], ['']);
      const titles = offered.map(({ command }) => command?.title ?? '');
      assert.ok(
        titles.some((title) => title.startsWith("$(circle-slash) Can't run: ")),
        titles.join(),
      );
      assert.ok(
        titles.some((title) => title.includes('lost.txt') && title.includes("doesn't exist")),
        titles.join(),
      );
    } finally {
      editing.dispose();
    }
  });

  it('send what the files say now, whatever their names, and are read again when one of them changes', async () => {
    await write('part.txt', 'old');
    await watched(folder());
    await write(
      'parts.checks.yaml',
      "cases:\n  - name: Part\n    messages: [{ role: user, content: 'file://part.txt' }]\n    assert: [{ type: contains, value: new }]\n",
    );
    const stand = await opened();
    await stand.tests.discovered();
    const fingerprint = () => only(stand, 'parts.checks.yaml')[1].fingerprint;
    const before = fingerprint();
    await write('part.txt', 'new');
    await stand.tests.runItems([fileOf(stand, 'parts.checks.yaml')]);
    assert.deepEqual(stand.sent, [{ model: 'local/echo', text: 'new' }]);
    assert.equal(stand.outcomes.get('Part > local/echo'), 'passed');
    await write('part.txt', 'old');
    await eventually('the file as it was', () => fingerprint() === before);
    await vscode.workspace.fs.delete(at('part.txt'));
    await eventually('no file', () => 'fault' in only(stand, 'parts.checks.yaml')[1].messages);
    await write('part.txt', 'old');
    await eventually('the file once more', () => fingerprint() === before);
  });

  it('send the language of a file by the name that VS Code has for it', async () => {
    await write('named.prompt.md', '${languageId}');
    const asks = (name: string) => `  - { name: ${name}, file: ${name}, assert: [{ type: contains, value: x }] }\n`;
    const names = ['a.rs', 'b.TSX', 'c.go', 'd.constructor'];
    await write('named.checks.yaml', `cases:\n${names.map(asks).join('')}`);
    for (const name of names) await write(name, 'x');
    const stand = await opened();
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    assert.deepEqual(
      new Set(stand.sent.map(({ text }) => text.trim())),
      new Set(['rust', 'typescriptreact', 'go', 'constructor']),
    );
  });

  it("aren't those of an earlier version, as in a diff", async () => {
    const name = 'compared.checks.yaml';
    const earlier = (uri: vscode.Uri) => uri.with({ scheme: 'earlier' });
    const stand = await opened();
    await write(name, `cases:\n${says('New')}`);
    const provider = vscode.workspace.registerTextDocumentContentProvider('earlier', {
      provideTextDocumentContent: (uri) => (uri.path.endsWith('.md') ? 'Say ${input:word}' : `cases:\n${says('Old')}`),
    });
    const editing = registerChecksEditing(stand.tests, {
      models: () => ({ index: ModelIndex.joined([]), favorites: [] }),
      onError: assert.ifError,
    });
    try {
      await vscode.workspace.openTextDocument(earlier(at(name)));
      await vscode.workspace.openTextDocument(at(name));
      await eventually('the file itself', () => stand.tests.tree.file(at(name)) !== undefined);
      assert.deepEqual(
        stand.tests.tree.files.map(({ uri }) => uri.toString()),
        [at(name).toString()],
      );
      const prompt = earlier(at('compared.prompt.md'));
      await vscode.workspace.openTextDocument(prompt);
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        prompt,
        100,
      );
      assert.ok(!lenses.some(({ command }) => command?.command === 'parlance.newCheck'));
    } finally {
      editing.dispose();
      provider.dispose();
    }
  });

  it('name a model in a prompt, and Undo leaves what was written since', async () => {
    const original = 'Say ${input:word}\n';
    const prompts = ['kept.prompt.md', 'edited.prompt.md'];
    for (const name of prompts) await write(name, original);
    const undo: (() => Promise<void>)[] = [];
    const { showInformationMessage } = vscode.window;
    const told: string[] = [];
    Object.assign(vscode.window, { showInformationMessage: async (text: string) => void told.push(text) });
    try {
      await useCheckedModel('local/echo', prompts.map(at), (_text, _button, run) => void undo.push(run));
      const text = async (name: string) => (await vscode.workspace.openTextDocument(at(name))).getText();
      assert.match(await text('kept.prompt.md'), /^model: local\/echo$/m);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(at('edited.prompt.md'), new vscode.Position(0, 0), '---\nmine: true\n---\n');
      await vscode.workspace.applyEdit(edit);
      for (const run of undo) await run();
      assert.equal(await text('kept.prompt.md'), original);
      assert.match(await text('edited.prompt.md'), /^---\nmine: true\n---\n---\nmodel: local/);
      assert.deepEqual(told, ['tested/edited.prompt.md has changed since then and was left unchanged.']);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  });

  it("aren't reported as added, and neither is a model as set, if VS Code refuses the edit", async () => {
    const [prompt, checks] = ['Say ${input:word}\n', 'cases:\n  - name: kept\n'];
    await write('refused.prompt.md', prompt);
    await write('refused.checks.yaml', checks);
    const { applyEdit } = vscode.workspace;
    Object.assign(vscode.workspace, { applyEdit: () => Promise.resolve(false) });
    try {
      await assert.rejects(
        useCheckedModel('local/echo', [at('refused.prompt.md')], () => assert.fail('it says so')),
        /^Error: Couldn't edit tested\/refused\.prompt\.md$/,
      );
      const { tests } = await opened();
      await assert.rejects(
        newCheck(at('refused.prompt.md'), tests),
        /^Error: Couldn't edit tested\/refused\.checks\.yaml$/,
      );
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    for (const [name, text] of Object.entries({ 'refused.prompt.md': prompt, 'refused.checks.yaml': checks }))
      assert.equal((await vscode.workspace.openTextDocument(at(name))).getText(), text);
  });

  it("aren't added to a file that they would damage", async () => {
    const text = 'cases: { name: a }\n';
    await write('damaged.prompt.md', 'Say ${input:word}\n');
    await write('damaged.checks.yaml', text);
    const { showInformationMessage } = vscode.window;
    const told: string[] = [];
    Object.assign(vscode.window, { showInformationMessage: async (said: string) => void told.push(said) });
    try {
      await vscode.commands.executeCommand('parlance.newCheck', at('damaged.prompt.md'));
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    const document = await vscode.workspace.openTextDocument(at('damaged.checks.yaml'));
    assert.equal(document.getText(), text);
    assert.equal(told.length, 1);
  });

  it("aren't added to a file to which the folder only links", async function () {
    const text = '# Not of this folder\n';
    const outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    await writeFile(join(outside, 'any'), text);
    await write('linked.prompt.md', 'Say ${input:word}\n');
    const { showInformationMessage } = vscode.window;
    const told: string[] = [];
    try {
      try {
        await symlink(join(outside, 'any'), at('linked.checks.yaml').fsPath);
      } catch {
        // Windows lets only some users create links.
        this.skip();
      }
      Object.assign(vscode.window, { showInformationMessage: async (said: string) => void told.push(said) });
      await vscode.commands.executeCommand('parlance.newCheck', at('linked.prompt.md'));
      assert.deepEqual(told, [
        'No check was added, because tested/linked.checks.yaml is a symbolic link or in a linked folder.',
      ]);
      assert.equal(await readFile(join(outside, 'any'), 'utf8'), text);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
      await rm(at('linked.checks.yaml').fsPath, { force: true });
      await rm(outside, { recursive: true });
    }
  });

  it('have outdated results once anything that is sent or expected changes', async () => {
    const name = 'changing.checks.yaml';
    const prompt = '  - name: Asked\n    vars: { word: a }\n    assert: [{ type: contains, value: a }]\n';
    await write('changing.prompt.md', 'Say ${input:word}\n');
    await write(name, `cases:\n${says('Same')}${prompt}`);
    let defaults: ChatOptions = { model: 'local/echo' };
    const stand = await opened({ chatDefaults: () => defaults });
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    assert.deepEqual(stand.invalidated, []);
    // The watcher might cause the read that finds the change.
    const afterwards = async (change: () => Promise<void> | void = () => undefined) => {
      stand.invalidated.length = 0;
      await change();
      await stand.tests.refresh(at(name));
      return stand.invalidated;
    };
    assert.deepEqual(await afterwards(), []);
    const other = `# changed\ncases:\n${prompt}${says('Same').replaceAll('content: Same', 'content: Other')}`;
    assert.deepEqual(await afterwards(async () => write(name, other)), ['Same']);
    const twice = 'Say ${input:word} twice\n';
    assert.deepEqual(await afterwards(async () => write('changing.prompt.md', twice)), ['Asked']);
    // Whole messages are sent without the user's own system prompt.
    defaults = { ...defaults, systemPrompt: 'Be brief' };
    assert.deepEqual(await afterwards(), ['Asked']);
    defaults = { ...defaults, model: 'local/fast', stream: false };
    assert.deepEqual(await afterwards(), []);
    defaults = { ...defaults, temperature: 1 };
    assert.deepEqual(await afterwards(), ['Asked', 'Same']);
    assert.deepEqual(await afterwards(async () => write(name, `repeat: 2\ncases:\n${prompt}`)), ['Asked']);
    // As it's read while another program writes it.
    assert.deepEqual(await afterwards(async () => write(name, '')), []);
    assert.deepEqual(await afterwards(async () => write(name, `cases:\n${prompt}`)), ['Asked']);
  });

  it('are compared in a table of one file from an item in the Testing view', async () => {
    await vscode.extensions.getExtension('parlance.parlance')?.activate();
    // Loads the feature, and runs nothing.
    await vscode.commands.executeCommand('parlance.runChecks', at('none.checks.yaml'));
    for (const name of ['one', 'other']) {
      const uri = at(`${name}.checks.yaml`);
      await write(`${name}.checks.yaml`, `cases:\n${says(`Case of ${name}`)}`);
      await vscode.workspace.openTextDocument(uri);
      await eventually('a file that Parlance has read', async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          uri,
          100,
        );
        return lenses.some(({ command }) => command?.command === 'parlance.runChecks');
      });
    }
    const stand = await opened();
    await stand.tests.discovered();
    const { createWebviewPanel } = vscode.window;
    const posted: string[] = [];
    Object.assign(vscode.window, {
      createWebviewPanel: (...given: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...given);
        const { webview } = panel;
        const post = webview.postMessage.bind(webview);
        Object.assign(webview, {
          postMessage: (message: unknown) => {
            posted.push(JSON.stringify(message));
            return post(message);
          },
        });
        return panel;
      },
    });
    try {
      await vscode.commands.executeCommand('parlance.showChecks', fileOf(stand, 'one.checks.yaml'));
      await eventually('the table', () => posted.some((message) => message.includes('Case of')));
      assert.deepEqual(
        ['one', 'other'].map((name) => posted.some((message) => message.includes(`Case of ${name}`))),
        [true, false],
      );
    } finally {
      Object.assign(vscode.window, { createWebviewPanel });
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    }
  });

  it("have a table of one file that follows its new name, and shows and runs no other file once it's gone", async () => {
    for (const name of ['one', 'other']) await write(`${name}.checks.yaml`, `cases:\n${says(`Case of ${name}`)}`);
    // VS Code keeps the document of a deleted file, as for one in a tab.
    await vscode.workspace.openTextDocument(at('one.checks.yaml'));
    const stand = await opened();
    await stand.tests.discovered();
    const { table, views, received, dispose } = checksTable(stand, folder());
    const edited = (change: (edit: vscode.WorkspaceEdit) => void) => {
      const edit = new vscode.WorkspaceEdit();
      change(edit);
      return vscode.workspace.applyEdit(edit);
    };
    const shows = (...names: readonly string[]) =>
      eventually(`the table of ${names.join()}`, () => {
        const shown = views.at(-1)?.files.map(({ uri }) => uri.split('/').at(-1)) ?? ['nothing'];
        return shown.join() === names.join();
      });
    try {
      table.show(at('one.checks.yaml'));
      received.fire({ type: 'ready' });
      await shows('one.checks.yaml');
      await edited((edit) => edit.renameFile(at('one.checks.yaml'), at('renamed.checks.yaml')));
      await shows('renamed.checks.yaml');
      await edited((edit) => edit.deleteFile(at('renamed.checks.yaml')));
      await shows();
      assert.equal(views.at(-1)?.gone, 'tested/renamed.checks.yaml');
      received.fire({ type: 'run' });
      received.fire({ type: 'showAll' });
      await shows('other.checks.yaml');
      received.fire({ type: 'run' });
      await eventually('a request', () => stand.sent.length > 0);
      assert.deepEqual(stand.sent, [{ model: 'local/echo', text: 'Case of other' }]);
      await eventually('the end of the run', () => stand.running.size === 0);
    } finally {
      dispose();
    }
  });

  it('are sent to selected models only where requested, and keep those results after a reload', async () => {
    for (const name of ['asked', 'unasked']) await write(`${name}.checks.yaml`, `cases:\n${says(`Case ${name}`)}`);
    const first = await opened();
    await first.tests.discovered();
    const rowsOf = (stand: ChecksStand, name: string) => {
      const [[, item] = []] = [...fileOf(stand, `${name}.checks.yaml`).children];
      return new Map([...(item?.children ?? [])].map(([, row]) => [row.label, row]));
    };
    const rows = (stand: ChecksStand) => ['asked', 'unasked'].map((name) => [...rowsOf(stand, name).keys()]);
    await first.tests.runItems([fileOf(first, 'asked.checks.yaml')], [{ id: 'local/other' }]);
    assert.deepEqual(first.sent, [{ model: 'local/other', text: 'Case asked' }]);
    assert.deepEqual(rows(first), [['local/echo', 'local/other'], ['local/echo']]);
    await first.tests.runItems(undefined);
    const sentTo = (stand: ChecksStand, text: string) =>
      stand.sent.flatMap((each) => (each.text === text ? [each.model] : []));
    assert.deepEqual(sentTo(first, 'Case asked'), ['local/other', 'local/echo']);
    assert.deepEqual(sentTo(first, 'Case unasked'), ['local/echo']);

    const later = first.reopened();
    stands = [later];
    await later.tests.discovered();
    assert.deepEqual(rows(later), [['local/echo', 'local/other'], ['local/echo']]);
    const row = rowsOf(later, 'asked').get('local/other');
    assert.ok(row);
    assert.equal(row.description, '1/1');
    await later.tests.runItems([row]);
    assert.deepEqual(later.sent, [{ model: 'local/other', text: 'Case asked' }]);
  });

  it('have their results deleted with the replies, and others keep theirs', async () => {
    for (const name of ['gone', 'kept']) await write(`${name}.checks.yaml`, `cases:\n${says(`Case ${name}`)}`);
    const stand = await opened();
    await stand.tests.discovered();
    for (const name of ['gone', 'kept']) await stand.tests.runItems([fileOf(stand, `${name}.checks.yaml`)]);
    await stand.tests.results.saved();
    const stored = async () => {
      const found = await readdir(stand.folder, { recursive: true, withFileTypes: true });
      const files = found.filter((each) => each.isFile());
      return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join(
        '',
      );
    };
    assert.match(await stored(), /Case gone/);
    await stand.tests.deleteResults([at('gone.checks.yaml')]);
    assert.doesNotMatch(await stored(), /Case gone/);
    assert.match(await stored(), /Case kept/);
    assert.ok(stand.invalidated.length > 0);
    const later = stand.reopened();
    stands = [later];
    await later.tests.discovered();
    for (const each of [stand, later]) {
      assert.deepEqual(descriptions(each, 'gone.checks.yaml').includes('1/1'), false);
      assert.ok(descriptions(each, 'kept.checks.yaml').includes('1/1'));
    }
  });

  it("don't wait for the model list of a service that they send nothing to", async () => {
    useServiceNames({ service: 'One', two: 'Two', three: 'Three' });
    try {
      const cases = `cases:\n${says('Case')}`;
      await write('named.checks.yaml', `models: [two/local/echo]\n${cases}`);
      await write('pattern.checks.yaml', `models: ['*/echo']\n${cases}`);
      await write('usual.checks.yaml', cases);
      const fetched: (readonly string[] | undefined)[] = [];
      const stand = await opened({
        fetchLists: async (services) => fetched.push(services && [...services]),
      });
      await stand.tests.discovered();
      const run = (name: string, models?: readonly CheckModel[]) =>
        stand.tests.runItems([fileOf(stand, `${name}.checks.yaml`)], models);
      await run('named');
      await run('usual');
      await run('pattern', [{ id: modelRef('three', 'local/echo') }]);
      // It could match a model of any service.
      await run('pattern');
      assert.deepEqual(fetched, [['two'], ['service'], ['three'], undefined]);
    } finally {
      useServiceNames({});
    }
  });

  it('are run twice at the same time, and while the file changes, without losing a result', async () => {
    const name = 'busy.checks.yaml';
    await write(name, `cases:\n${says('Slow')}`);
    const gate = Promise.withResolvers<void>();
    const stand = await opened({ wait: (text) => (text === 'Slow' ? gate.promise : Promise.resolve()) });
    await stand.tests.discovered();
    const slow = stand.tests.runItems([fileOf(stand, name)]);
    await eventually('the slow request', () => stand.sent.length === 1);
    await write(name, `cases:\n${says('Slow')}${says('Quick')}`);
    const checks = await stand.tests.refresh(at(name));
    const quick = checks?.cases.find(({ check }) => check.name === 'Quick');
    const item = quick && stand.tests.tree.caseItem(at(name), quick.check.id);
    assert.ok(item);
    await stand.tests.runItems([item]);
    assert.equal(stand.outcomes.get('Quick > local/echo'), 'passed');
    assert.equal(stand.tests.running.started(at(name))?.size, 1);
    gate.resolve();
    await slow;
    assert.equal(stand.tests.running.started(at(name)), undefined);
    const later = stand.reopened();
    stands = [later];
    await later.tests.discovered();
    assert.deepEqual(descriptions(later, name), ['1/1', '1/1']);
  });

  it('update the lines above them at their own pace during a run, and at once after it', async () => {
    const name = 'lines.checks.yaml';
    await write(name, `cases:\n${says('Slow')}`);
    const gate = Promise.withResolvers<void>();
    const stand = await opened({ wait: () => gate.promise });
    await stand.tests.discovered();
    const editing = registerChecksEditing(stand.tests, {
      models: () => ({ index: ModelIndex.joined([]), favorites: [] }),
      onError: assert.ifError,
    });
    try {
      await vscode.workspace.openTextDocument(at(name));
      const titles = async () => {
        const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
          'vscode.executeCodeLensProvider',
          at(name),
          100,
        );
        return lenses.map(({ command }) => command?.title);
      };
      const run = stand.tests.runItems(undefined);
      await eventually('the slow request', () => stand.sent.length === 1);
      let count = 0;
      const modelsOf = stand.tests.tree.modelsOf.bind(stand.tests.tree);
      Object.assign(stand.tests.tree, {
        modelsOf: (...given: Parameters<typeof modelsOf>) => {
          count += 1;
          return modelsOf(...given);
        },
      });
      const asked = 30;
      for (let turn = 0; turn < asked; turn += 1) await titles();
      assert.ok(count < asked / 2, `${count} times`);
      gate.resolve();
      await run;
      assert.ok((await titles()).includes('$(pass) 1 of 1 passed'));
    } finally {
      editing.dispose();
    }
  });

  it('show the expected text beside the reply, at its line, if an exact text is expected', async () => {
    const name = 'exact.checks.yaml';
    const asks = 'messages: [{ role: user, content: "one\\ntwo" }]';
    const expected = ['equals, value: "one\\nthree"', 'equals, value: { a: 1 }', 'not-equals, value: "one\\ntwo"'];
    const lines = expected.map((each) => `      - { type: ${each} }\n`).join('');
    await write(name, `cases:\n  - name: Exact\n    ${asks}\n    assert:\n${lines}`);
    const stand = await opened();
    await stand.tests.discovered();
    await stand.tests.runItems([fileOf(stand, name)]);
    const all = stand.messages.get('local/echo') ?? [];
    const diffs = all
      .filter(({ expectedOutput, actualOutput }) => expectedOutput !== undefined || actualOutput !== undefined)
      .map(({ expectedOutput, actualOutput, location }) => [location?.range.start.line, expectedOutput, actualOutput]);
    assert.deepEqual(diffs, [
      [4, 'one\nthree', 'one\ntwo'],
      [5, '{\n  "a": 1\n}', 'one\ntwo'],
    ]);
    // The third expects no exact text.
    assert.deepEqual(new Set(all.map(({ location }) => location?.range.start.line)), new Set([4, 5, 6]));
  });

  it('keep their results if the file is renamed', async () => {
    await write('before.checks.yaml', `cases:\n${says('Kept')}`);
    const stand = await opened();
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at('before.checks.yaml'), at('after.checks.yaml'));
    await vscode.workspace.applyEdit(edit);
    await eventually('its results', () => descriptions(stand, 'after.checks.yaml').includes('1/1'));
    await eventually('one file', () => stand.tests.tree.files.length === 1);
  });

  it("keep their results, and only one row, if the watcher doesn't report what is renamed or deleted", async () => {
    const { createFileSystemWatcher } = vscode.workspace;
    const { event } = new vscode.EventEmitter<vscode.Uri>();
    // VS Code's own watcher doesn't report a file that was created a moment before it's renamed.
    const silent = { onDidCreate: event, onDidChange: event, onDidDelete: event, dispose: () => undefined };
    await write('first/silent.checks.yaml', `cases:\n${says('Kept')}`);
    Object.assign(vscode.workspace, { createFileSystemWatcher: () => silent });
    const stand = await opened().finally(() => Object.assign(vscode.workspace, { createFileSystemWatcher }));
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at('first'), at('second'));
    await vscode.workspace.applyEdit(edit);
    await eventually('its results', () => descriptions(stand, 'second/silent.checks.yaml').includes('1/1'));
    await eventually('one file', () => stand.tests.tree.files.length === 1);
    const removal = new vscode.WorkspaceEdit();
    removal.deleteFile(at('second'), { recursive: true });
    await vscode.workspace.applyEdit(removal);
    await eventually('no file', () => stand.tests.tree.files.length === 0);
  });

  it('are found in a folder that another program moves into the workspace, and go with it', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    try {
      await mkdir(join(outside, 'moved', 'deep'), { recursive: true });
      await writeFile(join(outside, 'moved', 'deep', 'in.checks.yaml'), `cases:\n${says('Moved')}`);
      const stand = await opened();
      await stand.tests.discovered();
      await write('here.checks.yaml', `cases:\n${says('Here')}`);
      await eventually('the file that was there', () => stand.tests.tree.files.length === 1);
      await rename(join(outside, 'moved'), at('moved').fsPath);
      await eventually('the moved file', () => stand.tests.tree.files.length === 2);
      await rename(at('moved').fsPath, join(outside, 'moved'));
      await eventually('only the other file', () => stand.tests.tree.files.length === 1);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('keep their results if the watcher reports that a file is gone before its new name is known', async () => {
    const { onDidRenameFiles } = vscode.workspace;
    const renamed = new vscode.EventEmitter<vscode.FileRenameEvent>();
    const [oldUri, newUri] = [at('early.checks.yaml'), at('late.checks.yaml')];
    await write('early.checks.yaml', `cases:\n${says('Kept')}`);
    Object.assign(vscode.workspace, { onDidRenameFiles: renamed.event });
    const stand = await opened().finally(() => Object.assign(vscode.workspace, { onDidRenameFiles }));
    await stand.tests.discovered();
    await stand.tests.runItems(undefined);
    await vscode.workspace.fs.rename(oldUri, newUri);
    await stand.tests.refresh(oldUri);
    assert.equal(stand.tests.tree.file(oldUri), undefined);
    renamed.fire({ files: [{ oldUri, newUri }] });
    await eventually('its results', () => descriptions(stand, 'late.checks.yaml').includes('1/1'));
    renamed.dispose();
  });

  it("don't reappear after a slow read of a file that's gone, and aren't lost in a search that began before they were written", async () => {
    const gate = Promise.withResolvers<void>();
    let isReading = false;
    const stand = await opened({
      loadModels: () => {
        isReading = true;
        return gate.promise;
      },
    });
    await write('gone.checks.yaml', `cases:\n${says('Gone')}`);
    const slow = stand.tests.refresh(at('gone.checks.yaml'));
    await eventually('a slow read', () => isReading);
    await vscode.workspace.fs.delete(at('gone.checks.yaml'));
    await stand.tests.refresh(at('gone.checks.yaml'));
    gate.resolve();
    await slow;
    assert.deepEqual(stand.tests.tree.files, []);

    const { findFiles } = vscode.workspace;
    const search = Promise.withResolvers<readonly vscode.Uri[]>();
    Object.assign(vscode.workspace, { findFiles: () => search.promise });
    try {
      const discovered = stand.tests.discovered();
      await write('new.checks.yaml', `cases:\n${says('New')}`);
      await stand.tests.refresh(at('new.checks.yaml'));
      search.resolve([]);
      await discovered;
    } finally {
      Object.assign(vscode.workspace, { findFiles });
    }
    assert.notEqual(stand.tests.tree.file(at('new.checks.yaml')), undefined);
  });

  it("that belong to prompts of one's own are named without VS Code's folder for them", async () => {
    await write('here.checks.yaml', `cases:\n${says('Here')}`);
    const stand = await opened();
    const own = vscode.Uri.file(join(stand.folder, 'own.checks.yaml'));
    await vscode.workspace.fs.writeFile(own, new TextEncoder().encode(`cases:\n${says('Own')}`));
    await stand.tests.discovered();
    await stand.tests.refresh(own);
    assert.equal(fileOf(stand, 'here.checks.yaml').label, 'tested/here.checks.yaml');
    assert.equal(stand.tests.tree.fileItem(own)?.label, 'own.checks.yaml');
    const { table, views, received, dispose } = checksTable(stand, folder());
    try {
      table.show(own);
      received.fire({ type: 'ready' });
      await eventually('the table', () => views.at(-1)?.files[0]?.name === 'own.checks.yaml');
    } finally {
      dispose();
    }
  });

  it('are named with their folder, in the table too, if several folders are open', async () => {
    await write('here.checks.yaml', `cases:\n${says('Here')}`);
    const { asRelativePath } = vscode.workspace;
    // As VS Code does in a workspace with several folders.
    Object.assign(vscode.workspace, {
      asRelativePath: (uri: vscode.Uri, includesFolder = true) => asRelativePath(uri, includesFolder),
    });
    const stand = await opened();
    const { table, views, received, dispose } = checksTable(stand, folder());
    try {
      await stand.tests.discovered();
      const name = `${vscode.workspace.workspaceFolders?.[0]?.name ?? ''}/tested/here.checks.yaml`;
      assert.equal(fileOf(stand, 'here.checks.yaml').label, name);
      table.show(at('here.checks.yaml'));
      received.fire({ type: 'ready' });
      await eventually('the table', () => views.at(-1)?.files.length === 1);
      assert.equal(views.at(-1)?.files[0]?.name, name);
    } finally {
      dispose();
      Object.assign(vscode.workspace, { asRelativePath });
    }
  });

  /** What the rows of all models say. */
  function descriptions({ tests }: ChecksStand, name: string) {
    const cases = [...(tests.tree.fileItem(at(name))?.children ?? [])];
    return cases.flatMap(([, item]) => [...item.children].map(([, row]) => row.description));
  }

  function only({ tests }: ChecksStand, name: string) {
    const checks = tests.tree.file(at(name));
    const [loaded] = checks?.cases ?? [];
    assert.ok(checks && loaded);
    return [checks, loaded] as const;
  }
});
