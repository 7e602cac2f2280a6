import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Comparison } from '../../src/core/compare/comparison.ts';
import { commandLinks } from '../../src/core/safety/commandLinks.ts';
import { ReplyDocuments } from '../../src/vscode/chat/replyDocuments.ts';
import { exportComparison } from '../../src/vscode/compare/comparisonFiles.ts';
import { openCode } from '../../src/vscode/platform/codeActs.ts';
import { registerLateDocuments } from '../../src/vscode/platform/documents/lateDocuments.ts';
import { openModelText } from '../../src/vscode/platform/documents/openModelText.ts';
import { besideTarget } from '../../src/vscode/prompts/into/besideTarget.ts';
import { ReplyLenses } from '../../src/vscode/prompts/into/replyLenses.ts';
import { eventually } from './eventually.ts';
import { Answers } from './prompts/answers.ts';
import { closeAll, PromptBench, proposalSides } from './prompts/promptBench.ts';

/** One link a line, in each form that VS Code might take for one. Their commands are named `f0`, `f1`, and so on. */
const forms: readonly string[] = [
  '[words](command:f0)',
  '[words]( command:f1 "A title")',
  '[words](\ncommand:f2)',
  '[words](<command:f3?%5B%22a%20b%22%5D>)',
  '![words](command:f4)',
  '[![image](https://example.com/a.png)](command:f5)',
  '[reference]: command:f6',
  '[other]:\tcommand:f7 "A title"',
  '[third]: <command:f8>',
  '<command:f9>',
  '<a href="command:f10">words</a>',
  "<a href='command:f11'>words</a>",
  '<a href="comm&#97;nd:f12">words</a>',
  '<a href="&#x63;ommand:f13">words</a>',
  '<a href="command&colon;f14">words</a>',
  '<a href="command&#58;f15">words</a>',
  '<img src="command:f16">',
  '<video src="command:f17"></video>',
  '[words](COMMAND:f18)',
  '[words](Command:f19?%5B1%5D)',
  '> [words](command:f20)',
  '- [words](command:f21)',
  '| a |\n|---|\n| [words](command:f22) |',
  '[words](command&colon;f23)',
  '[words](c&#111;mmand:f24)',
  '[words](command%3Af25)',
  '[words](%63ommand:f26)',
  String.raw`[words](\command:f27)`,
  String.raw`[words](command\:f28)`,
];
const hostile = `# Reply\n\n${forms.join('\n\n')}\n`;
const harmless =
  '# Reply\n\n[words](https://example.com) and `command: x`\n\n```yaml\ncommand: ["npm", "start"]\ncommand: npm\n```\n';

/** The targets that a click in this document would open and that run a command. */
async function commandTargets(uri: vscode.Uri): Promise<readonly string[]> {
  const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', uri);
  return links.map(({ target }) => target?.toString(true) ?? '').filter((target) => /^command:/i.test(target));
}

/** It's plain text with nothing to click, and all of the model's characters. */
async function isInert(document: vscode.TextDocument, text = hostile): Promise<void> {
  assert.equal(document.languageId, 'plaintext');
  assert.equal(document.getText(), text);
  assert.deepEqual(await commandTargets(document.uri), []);
}

const notice = 'Shown as plain text, because it contains a link that would run a VS Code command.';

describe("A model's text in an editor", () => {
  let bench: PromptBench;
  let folder: string;

  before(async () => {
    bench = await PromptBench.open();
    folder = await mkdtemp(join(tmpdir(), 'parlance-model-text-'));
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const registered: vscode.Disposable[] = [];
  afterEach(async () => {
    await closeAll();
    for (const each of registered.splice(0)) each.dispose();
  });

  const active = async (text: string): Promise<vscode.TextDocument> => {
    const shown = () => vscode.window.activeTextEditor?.document;
    await eventually('the text in front', () => shown()?.getText() === text);
    const document = shown();
    assert.ok(document);
    return document;
  };

  it('would have links that run commands, and none is overlooked', async () => {
    const { uri } = await vscode.workspace.openTextDocument({ language: 'markdown', content: hostile });
    await eventually('the links', async () => (await commandTargets(uri)).length >= 20);
    const found = (text: string) => [...text.matchAll(/command:(f\d+)/gi)].map(([, name = '']) => name);
    const clickable = new Set(found((await commandTargets(uri)).join('\n')));
    const known = new Set(found(commandLinks(hostile).join('\n')));
    assert.deepEqual([...clickable.difference(known)], []);
    // What VS Code takes for a path.
    assert.deepEqual(
      ['f25', 'f26', 'f27', 'f28'].filter((name) => clickable.has(name)),
      [],
    );
  });

  it('has none in the languages in which code keeps its colors', async () => {
    const known = await vscode.languages.getLanguages();
    for (const language of ['typescript', 'javascript', 'python', 'json', 'yaml', 'shellscript', 'plaintext']) {
      assert.ok(known.includes(language), language);
      const document = await openModelText(hostile, language);
      assert.equal(document.languageId, language);
      assert.deepEqual(await commandTargets(document.uri), [], language);
    }
  });

  it('is plain text if it has one, whatever language is named or detected', async () => {
    for (const language of ['markdown', 'html', 'css', undefined]) {
      using answers = new Answers();
      await isInert(await openModelText(hostile, language));
      await answers.notice(notice);
    }
  });

  it("is Markdown without one, even if it's about commands", async () => {
    using answers = new Answers();
    const document = await openModelText(harmless, 'markdown');
    assert.equal(document.languageId, 'markdown');
    assert.deepEqual(answers.notices, []);
  });

  it('is plain text as a new file, for a block of Markdown and one without a language', async () => {
    using answers = new Answers();
    for (const language of ['md', '']) {
      await openCode(hostile, language);
      await isInert(await active(hostile));
      await closeAll();
    }
    await answers.notice(notice);
  });

  it('becomes plain text while it streams, as soon as a link is about to arrive, and the stream continues', async () => {
    using answers = new Answers();
    using lenses = disposable(ownLenses());
    let stops = 0;
    const { target, document } = await beside(lenses.value, () => (stops += 1));
    /** Each text that was ever shown as Markdown. */
    const asMarkdown: string[] = [];
    registered.push(
      vscode.workspace.onDidChangeTextDocument(() => {
        if (document.languageId === 'markdown') asMarkdown.push(document.getText());
      }),
    );
    const whole = 'Some [words](command:f0) and more\n';
    for (const end of [6, 17, 20, 21, 22, 26, whole.length - 1]) {
      target.write(whole.slice(0, end));
      await eventually('the text so far', () => document.getText() === whole.slice(0, end));
    }
    await target.finish({ outcome: 'done', text: whole, metrics: {} });
    await isInert(document, whole);
    assert.ok(asMarkdown.includes('Some [words](comm'), 'it was Markdown before');
    assert.deepEqual(
      asMarkdown.filter((text) => commandLinks(text).length > 0),
      [],
    );
    assert.equal(stops, 0);
    await answers.notice(notice);
    const shown = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    assert.ok(shown.length > 0, 'the line above it stays');
    target.dispose();
  });

  it('still stops when its document is closed, also as plain text', async () => {
    using answers = new Answers();
    using lenses = disposable(ownLenses());
    let stops = 0;
    const { target, document } = await beside(
      lenses.value,
      () => (stops += 1),
      () => undefined,
    );
    target.write('[words](command:f0)');
    await eventually('plain text', () => document.languageId === 'plaintext' && document.getText() !== '');
    await answers.notice(notice);
    assert.equal(stops, 0);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await eventually('the request is stopped', () => stops > 0);
    target.dispose();
  });

  it('is plain text in read-only documents, alone and in a diff, and stays there', async () => {
    using answers = new Answers();
    using replies = disposable(new ReplyDocuments());
    const scheme = 'parlance-test-reply';
    registered.push(registerLateDocuments(scheme, () => Promise.resolve(replies.value)));
    const at = (uri: vscode.Uri) => uri.with({ scheme });
    const [one, left, right, plain] = [hostile, hostile, `${hostile}\nmore`, harmless].map((text) =>
      at(replies.value.add('a model.md', text)),
    );
    assert.ok(one && left && right && plain);
    const document = await vscode.workspace.openTextDocument(one);
    await vscode.window.showTextDocument(document);
    await eventually('plain text', () => document.languageId === 'plaintext');
    await isInert(document);
    await answers.notice(notice);
    await vscode.commands.executeCommand('vscode.diff', left, right);
    const opened = (uri: vscode.Uri) =>
      vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    for (const side of [left, right]) await eventually('plain', () => opened(side)?.languageId === 'plaintext');
    assert.equal((await vscode.workspace.openTextDocument(plain)).languageId, 'markdown');
  });

  it('is plain text as a proposed change to Markdown, but not because of links that the user has there', async () => {
    using answers = new Answers();
    const prompt = await bench.write('link.prompt.md', `---\ntarget: replace\n---\n${harmless}[words](command:f0)\n`);
    await bench.show('notes.md', 'first\n\nsecond\n', 'second');
    await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
    await eventually('a proposal', () => proposalSides() !== undefined);
    const sideOf = (name: 'current' | 'proposed') => {
      const uri = proposalSides()?.[name].toString();
      return vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    };
    await eventually('the change', () => sideOf('proposed')?.getText().includes('command:f0') === true);
    await eventually('plain text', () => sideOf('proposed')?.languageId === 'plaintext');
    assert.equal(sideOf('current')?.languageId, 'markdown');
    await answers.notice(notice);
    await closeAll();

    const own = 'Mine: [words](command:f0)\n\nsecond\n';
    const other = await bench.write('other.prompt.md', '---\ntarget: replace\n---\nthird\n');
    await bench.show('own.md', own, 'second');
    await vscode.commands.executeCommand('parlance.runPromptFile', other);
    await eventually('the other change', () => sideOf('proposed')?.getText().includes('third') === true);
    await eventually('Markdown', () => sideOf('proposed')?.languageId === 'markdown');
    assert.equal(answers.notices.length, 1);
  });

  it('is plain text in an export that is opened, whose file stays as it is', async () => {
    using answers = new Answers();
    const target = vscode.Uri.file(join(folder, 'comparison.md'));
    const original = vscode.window.showSaveDialog;
    Reflect.set(vscode.window, 'showSaveDialog', () => Promise.resolve(target));
    try {
      await exportComparison(new Comparison('one', [], [{ role: 'user', content: hostile }]));
    } finally {
      Reflect.set(vscode.window, 'showSaveDialog', original);
    }
    const written = await readFile(target.fsPath, 'utf8');
    assert.ok(written.includes('[words](command:f0)'));
    await isInert(await active(written), written);
    await answers.notice(notice);
  });
});

/** A reply in a document of its own, before its first word. */
async function beside(lenses: ReplyLenses, stop: () => void, explain: () => void = () => assert.fail()) {
  const target = await besideTarget('local/echo', lenses, { stop, explain, sent: [] });
  const document = vscode.workspace.textDocuments.findLast(({ isUntitled, isClosed }) => isUntitled && !isClosed);
  assert.ok(document);
  return { target, document };
}

/** Without their command: the extension might have registered it, and VS Code takes each only once. */
function ownLenses(): ReplyLenses {
  const { registerCommand } = vscode.commands;
  Object.assign(vscode.commands, { registerCommand: () => new vscode.Disposable(() => undefined) });
  try {
    return new ReplyLenses(() => undefined);
  } finally {
    Object.assign(vscode.commands, { registerCommand });
  }
}

function disposable<T extends { dispose(): void }>(value: T): Disposable & { readonly value: T } {
  return { value, [Symbol.dispose]: () => value.dispose() };
}
