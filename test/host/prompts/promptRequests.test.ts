import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { acceptingFirst, openedRequest, run } from '../openedRequest.ts';
import { withoutHurry } from '../withoutHurry.ts';
import { closeAll, documentBeside, PromptBench } from './promptBench.ts';

// Everything that careless code would change on its way to the service: line breaks, tabs, trailing spaces, fences,
// quotes, text that looks like a variable or a pattern, surrogate pairs, and invisible characters.
const selected =
  '\treturn `Hi ${selection} $& \\n "${name}"`;  \r\n\r\n\t// ☃ 😀 e\u0301 👩\u200D💻\u00A0</script>\t\r\n';
const code = `function greet(name) {\r\n${selected}}\r\n`;
const fenced = `\n\n\`\`\`javascript\n${selected}\n\`\`\``;

interface Row {
  readonly command: string;
  /** As key bindings pass it. */
  readonly argument?: unknown;
  /** The template with the selection inserted. */
  readonly content: string;
  /** Accepts the first row of the list that it shows. */
  readonly asks?: boolean;
}

/** The part of its function that is sent with it. The folders of files outside the workspace aren't revealed. */
const around =
  '\n\nFor reference, from around the code that this is about. Do not change it or repeat it in the answer:' +
  '\n\nAround it: wire.js, line 1\n```javascript\nfunction greet(name) { … }\n```\n\nEnd of the reference.';

// Each reply appears in its default place: a chat, a document to the side, or a proposed change.
const rows: readonly Row[] = [
  { command: 'runSelection', content: selected },
  { command: 'runSelection', argument: { target: 'cursor' }, content: selected },
  { command: 'runSelectionIn', asks: true, content: selected },
  {
    command: 'askAboutSelection',
    argument: { question: 'Why ${selection} $& "\\n" ?' },
    content: `Why \${selection} $& "\\n" ?${around}\n\nwire.js${fenced.slice(1)}`,
  },
  {
    command: 'explainSelection',
    content: `Explain this code from wire.js: what it does, how, and what to watch out for.${around}${fenced}`,
  },
  {
    command: 'fixSelection',
    content: `Fix this code from wire.js. Keep what works, its style and its names. Answer with the whole code in one code block and nothing else.\n\nProblems that the editor reports:\nnone${around}${fenced}`,
  },
  {
    command: 'simplifySelection',
    content: `Improve this code from wire.js: make it clearer and simpler without changing what it does. Keep its style. Answer with the whole code in one code block and nothing else.${around}${fenced}`,
  },
  {
    command: 'generateTests',
    content: `Write tests for this code from wire.js. Cover the edge cases. Use the test framework of the project, or else the one usual for the language.${around}${fenced}`,
  },
  {
    command: 'generateDocs',
    content: `Add documentation comments to this code from wire.js, in the form usual for the language. Change nothing else. Answer with the whole code in one code block and nothing else.${around}${fenced}`,
  },
  {
    command: 'translateText',
    argument: { language: 'Old ${file} Norse' },
    content: `Translate this from wire.js to Old \${file} Norse. Keep its meaning and its structure.${fenced}`,
  },
  {
    command: 'reviewSelection',
    content: `Review this code from wire.js. Name bugs and risks first, then what could be simpler.${around}${fenced}`,
  },
  {
    command: 'runPrompt',
    argument: { name: 'wire' },
    content: `Own words, in\r\nwire.js:  \r\n\t<${selected}> \${nothing}`,
  },
];
const ownPrompt =
  '---\r\ndescription: All of it\r\ntarget: beside\r\n---\r\nOwn words, in\r\n${fileBasename}:  \r\n\t<${selection}> ${nothing}\r\n';

describe("A prompt's request is shown exactly as it was sent", () => {
  let bench: PromptBench;
  let prompt: vscode.Uri;

  before(async () => {
    bench = await PromptBench.open();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    prompt = vscode.Uri.joinPath(folder.uri, '.github', 'prompts', 'wire.prompt.md');
    await vscode.workspace.fs.writeFile(prompt, new TextEncoder().encode(ownPrompt));
  });
  after(async () => {
    await vscode.workspace.fs.delete(prompt);
    await bench[Symbol.asyncDispose]();
  });
  afterEach(closeAll);

  /** The service received exactly this, and Open Request shows exactly this. */
  async function holds(received: string, content: string): Promise<void> {
    assert.equal(received, content);
    // In this order, as they're sent.
    const body = { model: 'local/echo', stream: true, messages: [{ role: 'user', content }] };
    assert.deepEqual(bench.chats().at(-1)?.requestBody, body);
    const document = await openedRequest();
    const shown = {
      method: 'POST',
      url: `${bench.service.baseUrl}/chat/completions`,
      headers: { authorization: 'Bearer $SERVICE_API_KEY', 'content-type': 'application/json' },
      body,
    };
    assert.equal(document.getText(), `${JSON.stringify(shown, undefined, 2)}\n`);
  }

  for (const { command, argument, content, asks = false } of rows) {
    const given = argument === undefined ? '' : ` ${JSON.stringify(argument)}`;
    it(`byte for byte: parlance.${command}${given}`, async () => {
      using _ = withoutHurry();
      await bench.show('wire.js', code, selected);
      const received = await bench.sentBy(() =>
        (asks ? acceptingFirst : run)(`parlance.${command}`, ...(argument === undefined ? [] : [argument])),
      );
      await holds(received, content);
    });
  }

  it('byte for byte: parlance.runPromptFile', async () => {
    await bench.show('wire.js', code, selected);
    const received = await bench.sent('parlance.runPromptFile', prompt);
    await eventually('the reply beside', () => documentBeside()?.getText().includes('Own words') === true);
    await holds(received, `Own words, in\r\nwire.js:  \r\n\t<${selected}> \${nothing}`);
  });

  it('byte for byte: Fix with Parlance, of a problem', async () => {
    const { document } = await bench.show('wire.txt', code);
    const collection = vscode.languages.createDiagnosticCollection('test');
    try {
      const range = new vscode.Range(3, 4, 3, 5);
      collection.set(document.uri, [new vscode.Diagnostic(range, 'No "snow" $& ${file}.')]);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      const action = actions.find(({ title }) => title === 'Fix with Parlance')?.command;
      assert.ok(action);
      const received = await bench.sent(action.command, ...(action.arguments ?? []));
      await holds(
        received,
        `Fix this code from wire.txt. Keep what works, its style and its names. Answer with the whole code in one code block and nothing else.\n\nProblems that the editor reports:\nline 4: error: No "snow" $& \${file}.\n    // ☃ 😀 e\u0301 👩\u200D💻\u00A0</script>\n\n\`\`\`plaintext\n${code}\n\`\`\``,
      );
    } finally {
      collection.dispose();
    }
  });

  it("covers every prompt in the editor's menu", () => {
    const { packageJSON } = vscode.extensions.getExtension('parlance.parlance') ?? {};
    const menu: readonly { readonly command: string; readonly group: string }[] =
      packageJSON.contributes.menus['parlance.editor'];
    const prompts = menu.filter(({ group }) => /^[123]_/.test(group)).map(({ command: id }) => id);
    const known = new Set(rows.map(({ command }) => `parlance.${command}`));
    assert.deepEqual(
      prompts.filter((id) => !known.has(id)),
      ['parlance.compareModels', 'parlance.newPrompt'],
    );
  });
});
