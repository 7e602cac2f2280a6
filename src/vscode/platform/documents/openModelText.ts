import * as vscode from 'vscode';
import { commandLinks } from '../../../core/safety/commandLinks.ts';
import { plainWindow } from '../plainWindow.ts';

/**
 * Languages in which VS Code looks for no links of its own, so that code about VS Code's extensions keeps its colors.
 * Not HTML and the like: which of their links VS Code opens differs from version to version.
 */
const codeLanguages: ReadonlySet<string> = new Set(
  [
    'bat c clojure coffeescript cpp csharp dart diff dockerfile fsharp go groovy ini java javascript javascriptreact',
    'json jsonc jsonl julia kotlin lua makefile objective-c objective-cpp perl php plaintext powershell properties',
    'python r ruby rust shellscript sql swift typescript typescriptreact vb yaml',
  ].flatMap((line) => line.split(' ')),
);

/** Those that the user was told about. */
const told = new WeakSet<vscode.TextDocument>();

/**
 * Opens text of a model as an untitled document. It isn't shown yet.
 *
 * In Markdown, VS Code makes every link target clickable, `command:` included, and a click runs the command without a
 * question. So a text with such a link is opened as plain text, in which VS Code only looks for web addresses and files.
 * Defusing the link instead would change what the user copies and saves.
 * @param language VS Code's language ID; without one, VS Code detects it
 */
export async function openModelText(content: string, language?: string): Promise<vscode.TextDocument> {
  const isPlain = !isCodeLanguage(language) && commandLinks(content).length > 0;
  if (isPlain) sayPlain();
  // VS Code would detect Markdown if no language was set.
  const shown = isPlain ? 'plaintext' : language;
  return vscode.workspace.openTextDocument({ content, ...(shown !== undefined && { language: shown }) });
}

/** Shows a file that was just written and contains text of a model. The file itself stays as it is. */
export async function showModelFile(uri: vscode.Uri, options?: vscode.TextDocumentShowOptions): Promise<void> {
  await vscode.window.showTextDocument(await inert(await vscode.workspace.openTextDocument(uri)), options);
}

/**
 * Makes a document plain text if it has links that would run commands, or will have.
 * @param text what is about to be its content
 * @param own text of the user, read only if there are links; links in it don't count
 */
export async function inert(
  document: vscode.TextDocument,
  { text = document.getText(), own }: { readonly text?: string; readonly own?: () => string | undefined } = {},
): Promise<vscode.TextDocument> {
  if (document.isClosed || isCodeLanguage(document.languageId)) return document;
  const found = commandLinks(text);
  if (found.length === 0) return document;
  const known = new Set(commandLinks(own?.() ?? ''));
  if (found.every((link) => known.has(link))) return document;
  if (!told.has(document)) sayPlain();
  told.add(document);
  // Listeners are told that the document was closed and opened, but it isn't `isClosed`.
  return vscode.languages.setTextDocumentLanguage(document, 'plaintext');
}

/**
 * Does this for each document of a scheme that is opened or changes, no matter how: in a diff, or in a tab that VS Code
 * restores.
 * @param ownText see `own` above
 */
export function keepInert(scheme: string, ownText: (uri: vscode.Uri) => string | undefined): vscode.Disposable {
  const check = (document: vscode.TextDocument) => {
    if (document.uri.scheme === scheme) void inert(document, { own: () => ownText(document.uri) });
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
  );
}

/** Whether VS Code makes no links of its own in such documents, except to web addresses and files. */
export function isCodeLanguage(language: string | undefined): boolean {
  return language !== undefined && codeLanguages.has(language);
}

function sayPlain(): void {
  void plainWindow.showWarningMessage(
    vscode.l10n.t('Shown as plain text, because it contains a link that would run a VS Code command.'),
  );
}
