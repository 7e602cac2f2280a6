import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Calls that show no text in which VS Code would draw icons or links. */
const harmless =
  /^(?:active|visible|on[A-Z]|register|tabGroups$|show(?:Text|Notebook)Document$|showSaveDialog$|create(?:WebviewPanel|TextEditorDecorationType|OutputChannel)$)/;

/** The one or two places that may create these, and what keeps untrusted text plain there. */
const makers: Readonly<Record<string, readonly string[]>> = {
  // Their text passes through plainLabel, which shortModelName.test.ts enforces.
  'window.createStatusBarItem': ['vscode/statusBar/statusItem.ts'],
  // Their rows are a LateTree's, which draws them as plain text.
  'window.createTreeView': ['vscode/models/offerModels.ts', 'vscode/requests/offerRequests.ts'],
  Hover: ['vscode/checks/checksEditing.ts'],
  TreeItem: ['vscode/models/modelItem.ts', 'vscode/models/serviceItem.ts', 'vscode/requests/requestTree.ts'],
  CodeLens: [
    'vscode/checks/checksEditing.ts',
    'vscode/prompts/files/promptFileEditing.ts',
    'vscode/prompts/into/replyLenses.ts',
  ],
  // Everything from elsewhere passes through markdownText.
  MarkdownString: [
    'vscode/agentTools/registerAgentTools.ts',
    'vscode/checks/checkMessages.ts',
    'vscode/checks/checksEditing.ts',
    'vscode/models/modelItem.ts',
    'vscode/statusBar/statusItem.ts',
  ],
  // The names of their files and models pass through plainLabel. Reasons are strings, which VS Code shows as they are.
  '.createTestItem()': ['vscode/checks/checkTree.ts'],
  // A reply passes through safeMarkdown.
  TestMessage: ['vscode/checks/checkMessages.ts'],
  // Icons are drawn in the list: labels pass through plainLabel.
  CompletionItem: ['vscode/checks/checksEditing.ts'],
  // VS Code draws the tip as Markdown with icons: each text passes through plainEitherWay.
  LanguageModelChatInformation: ['vscode/languageModel/modelInformation.ts'],
  '.markdown()': ['vscode/participant/handOut.ts', 'vscode/participant/registerParticipant.ts'],
  'errorDetails:': ['vscode/participant/registerParticipant.ts'],
};

/** The VS Code APIs with which a source shows text, except for harmless ones. */
function showings(name: string, source: string): readonly string[] {
  const found: string[] = [];
  const text = ({ start, end }: { readonly start: number; readonly end: number }) => source.slice(start, end);
  let windows = 0;
  let named = 0;
  new Visitor({
    ImportDeclaration(node) {
      // `import { window } from 'vscode'` would hide what follows.
      if (
        node.source.value === 'vscode' &&
        node.importKind !== 'type' &&
        node.specifiers.some(({ type }) => type === 'ImportSpecifier')
      ) {
        found.push('import {}');
      }
    },
    MemberExpression({ object, property }) {
      if (text(object) === 'vscode' && text(property) === 'window') windows += 1;
      if (text(object).replaceAll(/\s/g, '') !== 'vscode.window') return;
      named += 1;
      if (!harmless.test(text(property))) found.push(`window.${text(property)}`);
    },
    CallExpression({ callee }) {
      const method = callee.type === 'MemberExpression' ? text(callee.property) : '';
      if (method === 'markdown' || method === 'createTestItem') found.push(`.${method}()`);
    },
    NewExpression({ callee }) {
      const made = /^vscode\.(TreeItem|CodeLens|MarkdownString|InlayHint|Hover|TestMessage|CompletionItem)$/.exec(
        text(callee),
      )?.[1];
      if (made !== undefined) found.push(made);
    },
    VariableDeclarator({ id }) {
      if (text(id).endsWith(': vscode.LanguageModelChatInformation')) found.push('LanguageModelChatInformation');
    },
    Property({ key, shorthand }) {
      if (!shorthand && text(key) === 'errorDetails') found.push('errorDetails:');
    },
  }).visit(parseSync(name, source).program);
  // `const { showQuickPick } = vscode.window` would too.
  return windows > named ? [...found, 'window'] : found;
}

describe('Text that VS Code draws', () => {
  it('is shown only by plainWindow, or by an exception named here', async () => {
    const found: Record<string, string[]> = {};
    for await (const path of glob(`${root}{vscode/**/*.ts,extension.ts}`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      if (name === 'vscode/platform/plainWindow.ts') continue;
      for (const showing of new Set(showings(name, await readFile(path, 'utf8')))) {
        (found[showing] ??= []).push(name);
      }
    }
    for (const names of Object.values(found)) names.sort();
    assert.deepEqual(found, makers);
  });

  for (const [where, source, expected] of [
    ['a call', 'vscode.window.showInputBox({ prompt })', 'window.showInputBox'],
    ['a call over two lines', 'vscode.window\n  .showQuickPick(rows)', 'window.showQuickPick'],
    ['a computed one', "vscode.window['showQuickPick'](rows)", "window.'showQuickPick'"],
    ['an alias', 'const { showQuickPick } = vscode.window;', 'window'],
    ['an import', "import { window } from 'vscode';", 'import {}'],
    ['Markdown', 'item.tooltip = new vscode.MarkdownString(name)', 'MarkdownString'],
    ['a chat', 'stream.markdown(text)', '.markdown()'],
    ['a test', 'controller.createTestItem(id, name)', '.createTestItem()'],
    ['why a test failed', 'new vscode.TestMessage(reply)', 'TestMessage'],
    ['an error of a chat', 'return { errorDetails: { message } }', 'errorDetails:'],
  ] as const) {
    it(`is found if it's shown elsewhere: ${where}`, () => assert.deepEqual(showings('a.ts', source), [expected]));
  }
});
