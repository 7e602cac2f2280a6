import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { watchHostErrors } from './watchHostErrors.ts';

/** The environment variable with the port that the extension connects to. Without it, the extension does nothing. */
export const driverPortVariable = 'PARLANCE_TEST_DRIVER_PORT';

/** A command that nothing may run: hostile text names it. Each run is a failure, like one of a Parlance command. */
export const canaryCommand = 'parlanceTest.canary';

const manifest = {
  name: 'driver',
  publisher: 'parlance-test',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.cjs',
  activationEvents: ['*'],
  extensionKind: ['workspace'],
  capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
};

/**
 * Each line it receives is `{ id, act, … }`. It responds with `{ id, value }` or `{ id, error }`. A command gets its response
 * once it has started, because one that asks for input ends only once it has it; its failure is sent as `{
 * failedCommand, error }`. Errors of this extension host are sent as `{ fault }`, each with its stack: VS Code passes
 * on neither the stack of what is written to the console, nor an error of an extension that is linked into its folder.
 */
const main = `const { connect } = require('node:net');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const vscode = require('vscode');

const uriOf = (path) =>
  path.startsWith('/')
    ? vscode.Uri.file(path)
    : vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, path);

// What a test has just written to a file isn't in its document until VS Code has noticed that.
const show = async (path) => {
  const editor = await vscode.window.showTextDocument(uriOf(path), { preview: false });
  const { document } = editor;
  if (document.isDirty || document.uri.scheme !== 'file') return editor;
  const onDisk = new TextDecoder().decode(await vscode.workspace.fs.readFile(document.uri));
  if (document.getText() !== onDisk) await vscode.commands.executeCommand('workbench.action.files.revert');
  return editor;
};

const wordsOf = (error) => String(error?.stack ?? error);

const acts = {
  async settle(_, tell) {
    // What the window said before has been heard once it has answered this.
    await vscode.commands.executeCommand('setContext', 'parlanceTest.settled', true);
    await errors.settle();
  },
  async commandToEnd({ command, args }) {
    await vscode.commands.executeCommand(command, ...args);
  },
  async command({ command, args }, tell) {
    // The window tells this host of a selection before it answers.
    await vscode.commands.executeCommand('setContext', 'parlanceTest.asked', command);
    vscode.commands.executeCommand(command, ...args).then(undefined, (error) =>
      tell({ failedCommand: command, error: wordsOf(error) }),
    );
    // The window takes one after the other: once it has done this, the command above has begun.
    await vscode.commands.executeCommand('setContext', 'parlanceTest.begun', command);
  },
  async open({ path }) {
    await show(path);
  },
  async select({ path, from, to }) {
    const editor = await show(path);
    const start = new vscode.Position(from - 1, 0);
    editor.selection = new vscode.Selection(start, to ? editor.document.lineAt(to - 1).range.end : start);
    editor.revealRange(editor.selection);
  },
  async settings({ changes }) {
    for (const [name, value] of Object.entries(changes)) {
      await vscode.workspace.getConfiguration().update(name, value ?? undefined, vscode.ConfigurationTarget.Global);
    }
  },
  async memory() {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

${String(watchHostErrors)}

let errors;

exports.activate = ({ subscriptions }) => {
  const port = Number(process.env.${driverPortVariable});
  if (!port) return;
  const socket = connect(port, '127.0.0.1');
  subscriptions.push({ dispose: () => socket.destroy() });
  const tell = (message) => socket.write(JSON.stringify(message) + '\\n');
  errors = watchHostErrors((fault) => tell({ fault }));
  const canary = () => tell({ failedCommand: 'parlance.canary', error: 'Hostile words ran a command' });
  subscriptions.push(vscode.commands.registerCommand('${canaryCommand}', canary));
  let text = '';
  socket.setEncoding('utf8').on('error', () => undefined).on('data', (chunk) => {
    const lines = (text + chunk).split('\\n');
    text = lines.pop();
    for (const line of lines) {
      const { id, act, ...rest } = JSON.parse(line);
      acts[act](rest, tell).then(
        (value) => tell({ id, value }),
        (error) => tell({ id, error: wordsOf(error) }),
      );
    }
  });
};
`;

/**
 * An extension that carries out in the extension host what a test requests over a socket: see `HostDriver`.
 * @param extensions the server's folder of built-in extensions, because a test decides what is installed or opened
 */
export async function writeDriverExtension(extensions: string): Promise<void> {
  const folder = join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
