import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PromptRunEnd } from '../../../src/core/prompts/promptRun.ts';
import { closeStaleProposals } from '../../../src/vscode/prompts/proposal/closeStaleProposals.ts';
import { cursorTarget } from '../../../src/vscode/prompts/into/cursorTarget.ts';
import { ProposalSession } from '../../../src/vscode/prompts/proposal/proposalSession.ts';
import { sourceOf } from '../../../src/vscode/prompts/run/promptSource.ts';
import type { ReplyTarget } from '../../../src/vscode/prompts/into/replyTarget.ts';
import { FlowStep } from '../../../src/vscode/prompts/into/textFlow.ts';
import { eventually } from '../eventually.ts';
import { withShownRows } from '../shownRows.ts';
import { setUserSettings } from '../userSettings.ts';
import { closeAll, documentBeside, messageOf, PromptBench, proposalSides, select, textAt } from './promptBench.ts';
import { setSelection } from '../setSelection.ts';

const code = [
  'function sum(list) {',
  '  let total = 0;',
  '  for (const item of list) {',
  '    total += item;',
  '  }',
  '  return total;',
  '}',
  '',
].join('\n');
const body = '  let total = 0;\n  for (const item of list) {\n    total += item;\n  }\n';

describe('Where a reply goes', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(async () => {
    await closeAll();
    await setUserSettings({ 'parlance.prompts.replyLocation': undefined, 'parlance.chat.model': 'local/echo' });
  });

  /** A prompt whose reply, from the echo, is its own text. */
  const replying = (name: string, reply: string, head = '') =>
    bench.write(`${name}.prompt.md`, `---\n${head}target: replace\n---\n${reply}`);

  const proposed = async () => {
    await eventually('a proposal', () => proposalSides() !== undefined);
    return textAt(proposalSides()?.proposed);
  };
  const whenProposed = async (words: string) => {
    await eventually('a proposal', () => proposalSides() !== undefined);
    const document = await vscode.workspace.openTextDocument(proposalSides()?.proposed ?? vscode.Uri.file('/'));
    await eventually(`“${words}” in the proposal`, () => document.getText().includes(words));
    return document;
  };

  describe('a document to the side', () => {
    it('contains the reply as untitled Markdown, and the focus stays', async () => {
      const editor = await bench.show('a.js', code, body);
      await bench.sent('parlance.runSelection', { target: 'beside' });
      await eventually('the reply', () => documentBeside()?.getText() === body);
      assert.equal(vscode.window.activeTextEditor?.document, editor.document);
    });

    it("shows the model and its speed above the text, with the service's figures", async () => {
      await bench.show('b.js', code, body);
      await bench.sent('parlance.runSelection', { target: 'beside' });
      const document = documentBeside();
      assert.ok(document);
      let title = '';
      await eventually('the figures', () => {
        void vscode.commands
          .executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri)
          .then(([lens]) => (title = lens?.command?.title ?? ''));
        return /local\/echo · .* tok\/s · (?:[\d.]+ s|<10 ms)°? first token · .*tokens/.test(title);
      });
      assert.equal(document.getText(), body);
    });

    it("is the fallback for a reply whose target can't be edited", async () => {
      const emitter = new vscode.EventEmitter<vscode.Uri>();
      const provider = vscode.workspace.registerTextDocumentContentProvider('parlance-test', {
        onDidChange: emitter.event,
        provideTextDocumentContent: () => code,
      });
      try {
        const document = await vscode.workspace.openTextDocument(vscode.Uri.parse('parlance-test:/read/only.js'));
        await select(await vscode.window.showTextDocument(document), body);
        for (const target of ['cursor', 'replace']) {
          assert.equal(await bench.sent('parlance.runSelection', { target }), body);
          await eventually('the reply', () => documentBeside()?.getText() === body);
        }
        assert.equal(document.getText(), code);
      } finally {
        provider.dispose();
      }
    });

    it('is the fallback for a reply whose file was made read-only by a setting or the user', async () => {
      const { document } = await bench.show('locked.js', code, body);
      await setUserSettings({ 'files.readonlyInclude': { '**/locked.js': true } });
      try {
        assert.equal(await bench.sent('parlance.runSelection', { target: 'replace' }), body);
        await eventually('the reply', () => documentBeside()?.getText() === body);
        assert.equal(document.getText(), code);
      } finally {
        await setUserSettings({ 'files.readonlyInclude': undefined });
      }
      await closeAll();
      const other = await bench.show('session.js', code, body);
      await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
      assert.equal(await bench.sent('parlance.runSelection', { target: 'cursor' }), body);
      await eventually('the reply', () => documentBeside()?.getText() === body);
      assert.equal(other.document.getText(), code);
    });

    it('keeps what had arrived when the reply failed', async () => {
      await setUserSettings({ 'parlance.chat.model': 'local/fault-error-later' });
      await bench.show('c.js', code, body);
      await bench.sent('parlance.runSelection', { target: 'beside' });
      await eventually('the beginning', () => (documentBeside()?.getText().length ?? 0) > 0);
    });
  });

  describe('the cursor', () => {
    it('has the reply below the selection with its indentation, and one undo removes it', async () => {
      const editor = await bench.show('d.js', code, '    total += item;\n');
      await bench.sent('parlance.runSelection', { target: 'cursor' });
      const wanted = code.replace('    total += item;\n', '    total += item;\n    total += item;\n');
      await eventually('the reply', () => editor.document.getText() === wanted);
      await vscode.window.showTextDocument(editor.document);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), code);
    });

    it('removes the fence, and undoes a long stream at once', async () => {
      await setUserSettings({ 'parlance.chat.model': 'local/echo' });
      const lines = Array.from({ length: 300 }, (_, index) => `const a${index} = ${index};`).join('\n');
      const prompt = await bench.write('stream.prompt.md', `---\ntarget: cursor\n---\n\`\`\`js\n${lines}\n\`\`\``);
      const editor = await bench.show('e.js', 'if (a) {\n  \n}\n');
      await setSelection(editor, new vscode.Selection(1, 2, 1, 2));
      await bench.sent('parlance.runPromptFile', prompt);
      const wanted = `if (a) {\n${lines.replace(/^/gm, '  ')}\n}\n`;
      await eventually('the reply', () => editor.document.getText() === wanted);
      await vscode.window.showTextDocument(editor.document);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), 'if (a) {\n  \n}\n');
    });

    it('gets only code in a code file, and the whole reply in prose', async () => {
      const answer = 'Here it is:\n```js\na();\n```\nAnd then:\n```js\nb();\n```\nDone.';
      const prompt = await bench.write('words.prompt.md', `---\ntarget: cursor\n---\n${answer}`);
      for (const [name, wanted] of [
        ['words.js', 'a();\n\nb();'],
        ['words.md', answer],
        ['words.txt', answer],
      ] as const) {
        const editor = await bench.show(name, '');
        await bench.sent('parlance.runPromptFile', prompt);
        await eventually('the reply', () => editor.document.getText() === wanted);
      }
    });

    it('has a reply that ends at the moment at which none of it can be written yet', async () => {
      const editor = await bench.show('ended.js', code, '  let total = 0;\n');
      const [target] = targetsOf(editor);
      target?.write('```js');
      await target?.finish(replyOf('```js\none();\n```'));
      assert.equal(editor.document.getText(), code.replace('0;\n', '0;\n  one();\n'));
    });

    it("gets no fence around a whole reply of Markdown, like the other places, but code's in prose", async () => {
      const title = '# Title\n\n```js\na();\n```';
      for (const [name, answer, wanted, outcome] of [
        ['fenced.md', `\`\`\`markdown\n${title}\n\`\`\``, title, 'done'],
        ['cut.md', `\`\`\`markdown\n${title}\n\nMore`, `${title}\n\nMore`, 'stopped'],
        ['code.md', '```js\na();\n```', '```js\na();\n```', 'done'],
      ] as const) {
        const editor = await bench.show(name, '# Before\n', '# Before\n');
        const [target] = targetsOf(editor);
        target?.write('```markdown');
        await target?.finish({ ...replyOf(answer), outcome });
        assert.equal(editor.document.getText(), `# Before\n\n${wanted}\n`);
      }
    });

    it('mentions an explanation that a code file leaves out, but not a line that nobody would miss', async () => {
      const explanation = `It adds up what is in the list. ${'Each item counts. '.repeat(8)}`;
      const short = 'Here it is:\n```js\nsum([]);\n```\nDone.';
      const long = `${explanation}\n\`\`\`js\nsum([]);\n\`\`\`\n`;
      const told = async (name: string, answer: string) => {
        const lackWords: string[] = [];
        const [target] = targetsOf(await bench.show(name, code, body), lackWords);
        await target?.finish(replyOf(answer));
        return lackWords;
      };
      assert.deepEqual(await told('explained.js', long), [long]);
      assert.deepEqual(await told('short.js', short), []);
      assert.deepEqual(await told('explained.md', long), []);
      assert.deepEqual(await told('allCode.js', '```js\nsum([]);\n```'), []);
      // Without a code block, the whole reply is inserted.
      assert.deepEqual(await told('allWords.js', explanation), []);
    });

    it('has a reply for each of several selections, and one undo removes them all', async () => {
      const editor = await bench.show(
        'several.js',
        code,
        '  let total = 0;\n',
        '    total += item;',
        '  return total;\n',
      );
      const targets = targetsOf(editor);
      for (const [index, target] of targets.entries()) {
        target.write('```js\nfirst');
        await eventually('a beginning', () => editor.document.getText().split('first').length === index + 2);
        await target.finish(replyOf('```js\nfirst();\nsecond();\n```'));
      }
      const wanted = code.replaceAll(/^( +)(?:let|total|return).*$/gm, '$&\n$1first();\n$1second();');
      assert.equal(editor.document.getText(), wanted);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), code);
    });

    it('has a separate undo step for what arrives after the user typed', async () => {
      const editor = await bench.show('between.js', code, '  let total = 0;\n', '  return total;\n');
      const [one, two] = targetsOf(editor);
      await one?.finish(replyOf('one();'));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// typed\n'));
      await two?.finish(replyOf('two();'));
      const withOne = `// typed\n${code.replace('0;\n', '0;\n  one();\n')}`;
      assert.equal(editor.document.getText(), withOne.replace('return total;\n', 'return total;\n  two();\n'));
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), withOne);
    });

    it('has all of the reply if the line breaks of the document become others in the meantime', async () => {
      const editor = await bench.show('line-breaks.js', code, '  let total = 0;\n', '  return total;\n');
      const [one, two] = targetsOf(editor);
      one?.write('```js\nfirst();\nsec');
      await eventually('a beginning', () => editor.document.getText().includes('sec'));
      assert.ok(await editor.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF)));
      await one?.finish(replyOf('```js\nfirst();\nsecond();\n```'));
      await two?.finish(replyOf('```js\nthird();\n```'));
      const lines = code.replace('0;\n', '0;\n  first();\n  second();\n').replace('total;\n}', 'total;\n  third();\n}');
      assert.equal(editor.document.getText(), lines.replaceAll('\n', '\r\n'));
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), code.replace('0;\n', '0;\n  first();\n  sec\n').replaceAll('\n', '\r\n'));
    });

    it('is removed by one undo in a document with CRLF', async () => {
      const before = code.replaceAll('\n', '\r\n');
      const editor = await bench.show('crlf.js', before, '  let total = 0;\r\n', '  return total;\r\n');
      const [one, two] = targetsOf(editor);
      one?.write('```js\nfirst();\nsec');
      await eventually('a beginning', () => editor.document.getText().includes('sec'));
      await one?.finish(replyOf('```js\nfirst();\nsecond();\n```'));
      await two?.finish(replyOf('```js\nthird();\n```'));
      assert.ok(editor.document.getText().includes('first();\r\n  second();\r\n'));
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), before);
    });

    it('has a separate undo step for what arrives after a save, where VS Code begins one', async () => {
      const editor = await bench.show('saved.js', code, '  let total = 0;\n');
      const [target] = targetsOf(editor);
      target?.write('```js\none();');
      await eventually('a beginning', () => editor.document.getText().includes('one();'));
      assert.ok(await editor.document.save());
      await target?.finish(replyOf('```js\none();\ntwo();\n```'));
      const withOne = code.replace('0;\n', '0;\n  one();\n');
      assert.equal(editor.document.getText(), code.replace('0;\n', '0;\n  one();\n  two();\n'));
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), withOne);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), code);
    });

    it('never has the reply selected: a key typed after it deletes neither the reply nor the selection', async () => {
      // The first selection ends where its reply starts, the second as whole lines do: at the start of the next one.
      const editor = await bench.show('selected.js', code, body.trimEnd(), '  return total;\n');
      const [one, two] = targetsOf(editor);
      one?.write('```js\nfirst');
      await eventually('a beginning', () => editor.document.getText().includes('first'));
      await one?.finish(replyOf('```js\nfirst();\n```'));
      await two?.finish(replyOf('```js\nsecond();\n```'));
      const wanted = code.replace('  }\n', '  }\n  first();\n').replace('total;\n}', 'total;\n  second();\n}');
      assert.equal(editor.document.getText(), wanted);
      await vscode.window.showTextDocument(editor.document);
      await vscode.commands.executeCommand('type', { text: '/' });
      const typed = wanted.replace('first();', 'first();/').replace('second();', 'second();/');
      await eventually('what was typed', () => editor.document.getText() !== wanted);
      assert.equal(editor.document.getText(), typed);
    });

    it('leaves the cursor where the user put it while the reply is written', async () => {
      const editor = await bench.show('moved-cursor.js', code, body.trimEnd());
      const [target] = targetsOf(editor);
      target?.write('```js\nfirst');
      await eventually('a beginning', () => editor.document.getText().includes('first'));
      await setSelection(editor, new vscode.Selection(0, 9, 0, 12));
      await target?.finish(replyOf('```js\nfirst();\nsecond();\n```'));
      await vscode.commands.executeCommand('type', { text: 'add' });
      const wanted = code.replace('  }\n', '  }\n  first();\n  second();\n').replace('sum', 'add');
      await eventually('what was typed', () => editor.document.getText() === wanted);
    });

    it('keeps what the user types elsewhere in the meantime', async () => {
      await setUserSettings({ 'parlance.chat.model': 'local/slow' });
      const editor = await bench.show(
        'f.txt',
        'First\n\nWrite 30 tokens about trees\n\nLast\n',
        'Write 30 tokens about trees',
      );
      const running = bench.sent('parlance.runSelection', { target: 'cursor' });
      await eventually('a beginning', () => editor.document.getText().length > 60);
      await type(editor, new vscode.Position(0, 0), 'Typed meanwhile. ');
      await running;
      const text = editor.document.getText();
      assert.ok(text.startsWith('Typed meanwhile. First\n\nWrite 30 tokens about trees\n\n'), text);
      assert.ok(text.endsWith('\n\nLast\n'), text);
      assert.ok(text.length > 120, text);
    });

    it('stops if the user edits the text that is being written', async () => {
      await setUserSettings({ 'parlance.chat.model': 'local/slow' });
      const editor = await bench.show('g.txt', 'Write 400 tokens about trees', 'Write 400 tokens about trees');
      const running = bench.sent('parlance.runSelection', { target: 'cursor' });
      await eventually('a beginning', () => editor.document.getText().length > 50);
      await type(editor, new vscode.Position(2, 3), 'MINE');
      await running;
      assert.ok(editor.document.getText().includes('MINE'));
      // Earlier tests might have stopped requests of their own.
      await bench.service.waitForEntry(
        (entry) =>
          entry.kind === 'chat' && entry.outcome === 'canceled' && messageOf(entry) === 'Write 400 tokens about trees',
        60_000,
      );
    });

    it("works in a notebook's cell, in an untitled file, and with CRLF", async () => {
      const untitled = await vscode.workspace.openTextDocument({ language: 'javascript', content: '' });
      const editor = await vscode.window.showTextDocument(untitled);
      await editor.edit((edit) => {
        edit.setEndOfLine(vscode.EndOfLine.CRLF);
        edit.insert(new vscode.Position(0, 0), 'a();\r\nb();');
      });
      await setSelection(editor, new vscode.Selection(0, 0, 0, 4));
      await bench.sent('parlance.runSelection', { target: 'cursor' });
      await eventually('the reply', () => untitled.getText() === 'a();\r\na();\r\nb();');

      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'c()\nd()', 'python');
      const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
      const document = await showCell(notebook);
      assert.equal(await bench.sent('parlance.runSelection', { target: 'cursor' }), 'c()\nd()');
      await eventually('the reply in the cell', () => document.getText() === 'c()\nd()\nc()\nd()');
    });
  });

  describe('a proposal', () => {
    const better = '```js\nlet total = 0;\nfor (const item of list ?? []) {\n  total += item;\n}\n```';
    const wanted = code.replace('list) {\n    total', 'list ?? []) {\n    total');

    it('is a diff of the current and the proposed document, without the fence and with the right indentation', async () => {
      const editor = await bench.show('h.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('h', better));
      await whenProposed('list ?? []');
      assert.equal(await proposed(), wanted);
      assert.equal(await textAt(proposalSides()?.current), code);
      assert.equal(editor.document.getText(), code);
    });

    it('shows only code while its reply is being written', async () => {
      const editor = await bench.show('written.js', code, body);
      const session = new ProposalSession('Fix', sourceOf(editor), [body]);
      const text = (answer: string) => {
        session.write(0, answer);
        return session.text(session.proposedUri);
      };
      const words = 'The list may be missing (`null`):\n\n';
      for (const answer of [words, `${words}\`\`\`js`, `${words}\`\`\`js\n`]) assert.equal(text(answer), code, answer);
      assert.equal(text(`${words}\`\`\`js\nlet sum`), code.replace('let total = 0;', 'let sum'));
      assert.equal(text(`${words}${better}\n\nNow it`), wanted);
      session.complete(0, `${words}${better}\n\nNow it may.`);
      assert.equal(session.text(session.proposedUri), wanted);
      session.dispose();
    });

    it('is accepted as a whole in one undo step, whatever line breaks the document has, or has by then', async () => {
      const [lf, crlf] = ['\n', '\r\n'];
      for (const [breaks, later] of [
        [lf, lf],
        [crlf, crlf],
        [crlf, lf],
        [lf, crlf],
      ] as const) {
        const withBreaks = (text: string, of = later) => text.replaceAll(lf, of);
        const name = `step-${JSON.stringify([breaks, later]).replaceAll(/\W/g, '')}.js`;
        const editor = await bench.show(name, withBreaks(code, breaks), withBreaks(body, breaks));
        await bench.sent('parlance.runPromptFile', await replying('i', better));
        await whenProposed('list ?? []');
        const { proposed: side } = proposalSides() ?? assert.fail();
        if (later !== breaks) {
          const eol = later === lf ? vscode.EndOfLine.LF : vscode.EndOfLine.CRLF;
          const shown = await vscode.window.showTextDocument(editor.document);
          assert.ok(await shown.edit((edit) => edit.setEndOfLine(eol)));
        }
        await vscode.commands.executeCommand('parlance.acceptAllChanges', side);
        assert.equal(editor.document.getText(), withBreaks(wanted));
        await eventually('the document in front', () => vscode.window.activeTextEditor?.document === editor.document);
        assert.equal(proposalSides(), undefined);
        await vscode.commands.executeCommand('undo');
        assert.equal(editor.document.getText(), withBreaks(code));
        await closeAll();
      }
    });

    const two = '```js\nlet sum = 0;\nfor (const item of list) {\n  total += item;\n}\nsum;\n```';

    it('is accepted or rejected change by change', async () => {
      const editor = await bench.show('j.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('j', two));
      await whenProposed('  sum;');
      await vscode.commands.executeCommand('parlance.rejectChange', proposalSides()?.proposed, 0);
      assert.equal(editor.document.getText(), code);
      assert.notEqual(proposalSides(), undefined);
      await vscode.commands.executeCommand('parlance.acceptChange', proposalSides()?.proposed, 0);
      assert.equal(editor.document.getText(), code.replace('  }\n', '  }\n  sum;\n'));
      await eventually('the diff closed', () => proposalSides() === undefined);
    });

    it('leaves the document unchanged if everything is rejected', async () => {
      const editor = await bench.show('k.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('k', two));
      await whenProposed('  sum;');
      await vscode.commands.executeCommand('parlance.rejectAllChanges');
      await eventually('the diff closed', () => proposalSides() === undefined);
      assert.equal(editor.document.getText(), code);
      assert.equal(editor.document.isDirty, false);
    });

    it('continues if its diff is moved to another group, or split and one copy is closed', async () => {
      const editor = await bench.show('moved.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('moved', two));
      await whenProposed('  sum;');
      const sides = proposalSides();
      assert.ok(sides);
      const tabs = () =>
        vscode.window.tabGroups.all
          .flatMap((group) => group.tabs)
          .filter(({ input }) => input instanceof vscode.TabInputTextDiff);
      const first = tabs()[0]?.group.viewColumn;
      await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
      await eventually('the diff elsewhere', () => tabs().length === 1 && tabs()[0]?.group.viewColumn !== first);
      await vscode.commands.executeCommand('parlance.rejectChange', sides.proposed, 0);
      await vscode.commands.executeCommand('workbench.action.splitEditor');
      await eventually('two diffs', () => tabs().length === 2);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await eventually('one diff', () => tabs().length === 1);
      await vscode.commands.executeCommand('parlance.acceptChange', sides.proposed, 0);
      assert.equal(editor.document.getText(), code.replace('  }\n', '  }\n  sum;\n'));
      await eventually('the diff closed', () => tabs().length === 0);
    });

    it("isn't affected by a button of one that has ended", async () => {
      const editor = await bench.show('over.js', code, body);
      const prompt = await replying('over', two);
      await bench.sent('parlance.runPromptFile', prompt);
      await whenProposed('  sum;');
      const over = proposalSides();
      await vscode.commands.executeCommand('parlance.rejectAllChanges');
      await eventually('the diff closed', () => proposalSides() === undefined);
      await select(await vscode.window.showTextDocument(editor.document), body);
      await bench.sent('parlance.runPromptFile', prompt);
      await whenProposed('  sum;');
      const sides = proposalSides();
      assert.notDeepEqual(sides, over);
      for (const command of ['acceptChange', 'rejectChange', 'acceptAllChanges', 'rejectAllChanges']) {
        await vscode.commands.executeCommand(`parlance.${command}`, over?.proposed, 0);
      }
      assert.equal(editor.document.getText(), code);
      assert.deepEqual(proposalSides(), sides);
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(editor.document.getText(), code.replace('let total', 'let sum').replace('  }\n', '  }\n  sum;\n'));
    });

    it('is merged with text that was typed elsewhere, and leaves out changes to lines in which the user typed', async () => {
      const editor = await bench.show('l.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('l', two));
      const document = await whenProposed('  sum;');
      const edit = new vscode.WorkspaceEdit();
      edit.insert(editor.document.uri, new vscode.Position(0, 0), '// typed\n');
      edit.replace(editor.document.uri, new vscode.Range(1, 0, 1, 16), '  let mine = 0;');
      await vscode.workspace.applyEdit(edit);
      const merged = `// typed\n${code.replace('let total = 0', 'let mine = 0').replace('  }\n', '  }\n  sum;\n')}`;
      await eventually('the merged proposal', () => document.getText() === merged);
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(editor.document.getText(), merged);
    });

    describe('follows its document', () => {
      const merged = `// typed\n${code.replace('let total', 'let sum').replace('  }\n', '  }\n  sum;\n')}`;
      const typeAbove = async (document: vscode.TextDocument) => {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), '// typed\n');
        assert.ok(await vscode.workspace.applyEdit(edit));
      };
      /** As from the Explorer: a document that an extension has opened isn't closed with its tab. */
      const opened = async (uri: vscode.Uri) => {
        await vscode.commands.executeCommand('vscode.open', uri);
        await eventually('the file', () => vscode.window.activeTextEditor?.document.uri.path === uri.path);
        return vscode.window.activeTextEditor ?? assert.fail();
      };
      const whenSuggested = async (editor: vscode.TextEditor, name: string) => {
        await select(editor, body);
        await bench.sent('parlance.runPromptFile', await replying(name, two));
        await whenProposed('  sum;');
        return proposalSides() ?? assert.fail();
      };
      const acceptAll = async ({ proposed: side }: { readonly proposed: vscode.Uri }) => {
        await vscode.commands.executeCommand('parlance.acceptAllChanges', side);
        return vscode.window.activeTextEditor?.document.getText();
      };

      it('that is closed, reopened, and edited', async () => {
        const uri = await bench.write('preview.js', code);
        const { document } = await opened(uri);
        const sides = await whenSuggested(await opened(uri), 'preview');
        const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
        const isFile = ({ input }: vscode.Tab) => input instanceof vscode.TabInputText && input.uri.path === uri.path;
        await vscode.window.tabGroups.close(tabs.filter(isFile));
        await eventually('the document closed', () => document.isClosed);
        const again = await opened(uri);
        assert.notEqual(again.document, document);
        await typeAbove(again.document);
        assert.equal(await acceptAll(sides), merged);
        assert.equal(again.document.getText(), merged);
      });

      it('into the file that an untitled one is saved as', async () => {
        const uri = vscode.Uri.joinPath(bench.folder, 'saved-as.js');
        const untitled = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
        const editor = await vscode.window.showTextDocument(untitled);
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), code));
        const sides = await whenSuggested(editor, 'saved-as');
        assert.ok(await untitled.save());
        await eventually('the untitled document closed', () => untitled.isClosed);
        await typeAbove(await vscode.workspace.openTextDocument(uri));
        assert.equal(await acceptAll(sides), merged);
        assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
      });

      it('whose line breaks become others, and back', async () => {
        const uri = await bench.write('breaks.js', code.replaceAll('\n', '\r\n'));
        const editor = await opened(uri);
        await select(editor, body.replaceAll('\n', '\r\n'));
        await bench.sent('parlance.runPromptFile', await replying('breaks', two));
        await whenProposed('  sum;');
        const sides = proposalSides() ?? assert.fail();
        const shown = await vscode.window.showTextDocument(editor.document);
        for (const eol of [vscode.EndOfLine.LF, vscode.EndOfLine.CRLF, vscode.EndOfLine.LF]) {
          assert.ok(await shown.edit((edit) => edit.setEndOfLine(eol)));
        }
        await typeAbove(editor.document);
        assert.equal(await acceptAll(sides), merged);
      });

      it('whose file is renamed, or whose folder', async () => {
        for (const of of ['file', 'folder']) {
          const uri = await bench.write(`${of}-before/a.js`, code);
          const sides = await whenSuggested(await opened(uri), `renamed-${of}`);
          const later = vscode.Uri.joinPath(bench.folder, of === 'file' ? 'file-before/b.js' : 'folder-after/a.js');
          const edit = new vscode.WorkspaceEdit();
          if (of === 'file') edit.renameFile(uri, later);
          else edit.renameFile(vscode.Uri.joinPath(uri, '..'), vscode.Uri.joinPath(later, '..'));
          assert.ok(await vscode.workspace.applyEdit(edit));
          await typeAbove((await opened(later)).document);
          assert.equal(await acceptAll(sides), merged);
          assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), later.toString());
          await closeAll();
        }
      });
    });

    it('closes when the reply changes nothing', async () => {
      const editor = await bench.show('m.js', code, body);
      await bench.sent('parlance.runSelection', { target: 'replace' });
      await eventually('the diff closed', () => proposalSides() === undefined);
      assert.equal(editor.document.getText(), code);
    });

    it("can't be accepted if only a part of the reply arrived", async () => {
      const editor = await bench.show('n.js', code, body);
      const prompt = await replying('n', better, 'model: local/fault-error-later\n');
      await bench.sent('parlance.runPromptFile', prompt);
      await eventually('a proposal', () => proposalSides() !== undefined);
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(editor.document.getText(), code);
    });

    it("doesn't change a file that was made read-only in this session", async () => {
      const { document } = await bench.show('session-only.js', code, body);
      await bench.sent('parlance.runPromptFile', await replying('session', two));
      await whenProposed('  sum;');
      const sides = proposalSides();
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
      await vscode.commands.executeCommand('vscode.diff', sides?.current, sides?.proposed);
      await vscode.commands.executeCommand('parlance.acceptChange', sides?.proposed, 0);
      assert.equal(document.getText(), code);
      assert.deepEqual(proposalSides(), sides);
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(document.getText(), code);
      assert.deepEqual(proposalSides(), sides);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.setActiveEditorWriteableInSession');
      await vscode.commands.executeCommand('vscode.diff', sides?.current, sides?.proposed);
      await vscode.commands.executeCommand('parlance.acceptChange', sides?.proposed, 0);
      assert.equal(document.getText(), code.replace('let total', 'let sum'));
      assert.deepEqual(proposalSides(), sides);
      await vscode.commands.executeCommand('parlance.rejectAllChanges');
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('says that it has ended if its diff is reopened, and is closed by Discard All', async () => {
      const side = (name: string) =>
        vscode.Uri.from({ scheme: 'parlance-proposal', path: '/a.js', query: `gone-${name}` });
      await vscode.commands.executeCommand('vscode.diff', side('current'), side('proposed'), 'Opened again');
      for (const name of ['current', 'proposed']) {
        assert.match(await textAt(side(name)), /^This proposed change is no longer open\. .*Requests/);
      }
      await vscode.commands.executeCommand('parlance.rejectAllChanges', side('proposed'));
      await eventually('the diff closed', () => proposalSides() === undefined);
      await vscode.commands.executeCommand('vscode.diff', side('current'), side('proposed'), 'Opened again');
      await eventually('the diff', () => proposalSides() !== undefined);
      await vscode.commands.executeCommand('parlance.rejectAllChanges');
      await eventually('the diff closed', () => proposalSides() === undefined);
    });

    it('is closed if its content is gone', async () => {
      const side = (name: string) =>
        vscode.Uri.from({ scheme: 'parlance-proposal', path: '/b.js', query: `old-${name}` });
      const editor = await bench.show('kept.js', code);
      await vscode.commands.executeCommand('vscode.diff', side('current'), side('proposed'), 'Restored', {
        preview: false,
      });
      await eventually('the diff', () => proposalSides() !== undefined);
      // The user is notified, and the notification waits for an answer.
      void closeStaleProposals({ get: () => undefined, update: () => Promise.resolve() });
      await eventually('the diff closed', () => proposalSides() === undefined);
      await eventually('the file', () => vscode.window.activeTextEditor?.document === editor.document);
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it("changes an untitled document and a notebook's cell", async () => {
      const untitled = await vscode.workspace.openTextDocument({ language: 'javascript', content: code });
      await select(await vscode.window.showTextDocument(untitled), body);
      const prompt = await replying('o', better);
      await bench.sent('parlance.runPromptFile', prompt);
      await whenProposed('list ?? []');
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(untitled.getText(), wanted);

      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, body, 'javascript');
      const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
      await showCell(notebook);
      await bench.sent('parlance.runPromptFile', prompt);
      await whenProposed('list ?? []');
      await vscode.commands.executeCommand('parlance.acceptAllChanges');
      assert.equal(notebook.cellAt(0).document.getText(), body.replace('list)', 'list ?? [])'));
    });
  });

  it('follows the setting, for every prompt', async () => {
    await setUserSettings({ 'parlance.prompts.replyLocation': 'beside' });
    await bench.show('p.js', code, body);
    await bench.sent('parlance.fixSelection');
    await eventually('the reply', () => documentBeside()?.getText().includes(body) === true);
  });

  it('is beside each prompt in the list, as the setting or the key binding decides', async () => {
    const places = async (argument?: object): Promise<ReadonlySet<string>> => {
      let found: readonly string[] = [];
      await withShownRows(async (rows, hide) => {
        const listed = vscode.commands.executeCommand('parlance.runPrompt', argument);
        await eventually(
          'the prompts',
          () => (found = rows().flatMap(({ description }) => description ?? [])).length > 5,
        );
        hide();
        await listed;
      });
      return new Set(found);
    };
    assert.ok((await places()).size > 1);
    assert.equal((await places({ target: 'beside' })).size, 1);
    await setUserSettings({ 'parlance.prompts.replyLocation': 'beside' });
    assert.deepEqual(await places(), await places({ target: 'beside' }));
    await setUserSettings({ 'parlance.prompts.replyLocation': 'ask' });
    assert.deepEqual([...(await places())], ['']);
  });
});

/**
 * The places for the replies of a run at several selections.
 * @param lackWords gets the replies whose words are left out
 */
function targetsOf(editor: vscode.TextEditor, lackWords: string[] = []): readonly ReplyTarget[] {
  const source = sourceOf(editor);
  const refuse = () => assert.fail('the text could not be written');
  const leftOut = (reply: string) => void lackWords.push(reply);
  const step = new FlowStep();
  return source.ranges.map((range) =>
    cursorTarget({ ...source, ranges: [range] }, { stop: refuse, explain: refuse, leftOut, beside: refuse, step }),
  );
}

/** As a user does. VS Code rejects an extension's edit if another edit came first. */
async function type(editor: vscode.TextEditor, at: vscode.Position, text: string): Promise<void> {
  await setSelection(editor, new vscode.Selection(at, at));
  await vscode.commands.executeCommand('type', { text });
}

function replyOf(text: string): PromptRunEnd {
  return { outcome: 'done', text, metrics: {} };
}

/** Shows the first cell of a notebook, fully selected. */
async function showCell(notebook: vscode.NotebookDocument): Promise<vscode.TextDocument> {
  await vscode.window.showNotebookDocument(notebook);
  const { document } = notebook.cellAt(0);
  const editorOf = () => vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  await eventually('the editor of the cell', () => editorOf() !== undefined);
  const editor = editorOf();
  assert.ok(editor);
  await setSelection(
    editor,
    new vscode.Selection(new vscode.Position(0, 0), document.lineAt(document.lineCount - 1).range.end),
  );
  return document;
}
