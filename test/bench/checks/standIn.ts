/**
 * The parts of VS Code that Parlance's checks use, without VS Code's own work, so that only Parlance's is measured.
 * Imported in place of `vscode` by `checksProcess.ts`.
 */
import { readFile, readdir } from 'node:fs/promises';
import { posix } from 'node:path';

type Listener<T> = (value: T) => unknown;

const nothing = { dispose(): void {} };
const never = () => nothing;

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();
  readonly event = (listener: Listener<T>) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export const Disposable = {
  from: (...all: readonly { dispose(): unknown }[]) => ({ dispose: () => void all.map((each) => each.dispose()) }),
};

export class CancellationTokenSource {
  readonly #canceled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#canceled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#canceled.fire();
  }
  dispose(): void {
    this.#canceled.dispose();
  }
}

export class Uri {
  readonly scheme = 'file';
  readonly path: string;
  readonly #text: string;
  constructor(path: string) {
    this.path = path;
    this.#text = `file://${encodeURI(path)}`;
  }
  get fsPath(): string {
    return this.path;
  }
  with({ path }: { readonly path: string }): Uri {
    return new Uri(path);
  }
  toString(): string {
    return this.#text;
  }
  static file(path: string): Uri {
    return new Uri(path);
  }
  static joinPath(uri: Uri, ...parts: readonly string[]): Uri {
    return new Uri(posix.join(uri.path, ...parts));
  }
}

export class FileSystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...at: readonly [Position, Position] | readonly [number, number, number, number]) {
    const [start, end] = at.length === 2 ? at : ([new Position(at[0], at[1]), new Position(at[2], at[3])] as const);
    this.start = start;
    this.end = end;
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: unknown;
  constructor(uri: Uri, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class Diagnostic {
  source?: string;
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeLens {
  readonly range: Range;
  command?: unknown;
  constructor(range: Range, command?: unknown) {
    this.range = range;
    this.command = command;
  }
}

export class MarkdownString {
  value: string;
  isTrusted?: unknown;
  constructor(value = '') {
    this.value = value;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export class TestMessage {
  location?: Location;
  expectedOutput?: string;
  actualOutput?: string;
  readonly message: string | MarkdownString;
  constructor(message: string | MarkdownString) {
    this.message = message;
  }
  static diff(message: string, expected: string, actual: string): TestMessage {
    return Object.assign(new TestMessage(message), { expectedOutput: expected, actualOutput: actual });
  }
}

export class TestRunRequest {
  readonly include: readonly TestItem[] | undefined;
  readonly exclude: readonly TestItem[] | undefined;
  constructor(include?: readonly TestItem[], exclude?: readonly TestItem[]) {
    this.include = include;
    this.exclude = exclude;
  }
}

class TestItems {
  // Few of the items have any below them.
  #all: Map<string, TestItem> | undefined;
  readonly #parent: TestItem | undefined;
  constructor(parent?: TestItem) {
    this.#parent = parent;
  }
  get #items(): Map<string, TestItem> {
    return (this.#all ??= new Map());
  }
  get size(): number {
    return this.#all?.size ?? 0;
  }
  get(id: string): TestItem | undefined {
    return this.#items.get(id);
  }
  add(item: TestItem): void {
    item.parent = this.#parent;
    this.#items.set(item.id, item);
  }
  delete(id: string): void {
    this.#items.delete(id);
  }
  replace(items: readonly TestItem[]): void {
    this.#items.clear();
    for (const item of items) this.add(item);
  }
  [Symbol.iterator]() {
    return this.#items[Symbol.iterator]();
  }
}

class TestItem {
  description?: string;
  error?: string | MarkdownString;
  range?: Range;
  parent?: TestItem | undefined;
  readonly children = new TestItems(this);
  readonly id: string;
  readonly label: string;
  readonly uri: Uri;
  constructor(id: string, label: string, uri: Uri) {
    this.id = id;
    this.label = label;
    this.uri = uri;
  }
}

/**
 * Everything that the Testing view, the editor, and the page were given, so that the benchmark can check that nothing
 * is missing.
 */
export const given = {
  items: new TestItems(),
  ended: 0,
  diagnostics: 0,
  codeLenses: (_document: { readonly uri: Uri }): readonly CodeLens[] => [],
  lensesChanged: new EventEmitter<void>(),
  /** As sent to the page, in characters. */
  posted: 0,
  toHost: new EventEmitter<unknown>(),
};

export const tests = {
  createTestController: () => ({
    items: given.items,
    createTestItem: (id: string, label: string, uri: Uri) => new TestItem(id, label, uri),
    createRunProfile: never,
    invalidateTestResults: never,
    createTestRun: () => {
      const ended = () => void (given.ended += 1);
      const token = new CancellationTokenSource().token;
      return {
        token,
        started: never,
        enqueued: never,
        skipped: never,
        passed: ended,
        failed: ended,
        errored: ended,
        end: never,
      };
    },
    dispose: never,
  }),
};

/** More lenses than a tall window shows. VS Code asks for their content when they're in view. */
const lensesInView = 50;

export const languages = {
  createDiagnosticCollection: () => ({
    set: (_uri: Uri, all: readonly Diagnostic[] = []) => void (given.diagnostics += all.length),
    dispose: never,
  }),
  registerCodeLensProvider: (
    { pattern }: { readonly pattern: string },
    provider: {
      readonly onDidChangeCodeLenses: (listener: Listener<void>) => unknown;
      readonly provideCodeLenses: (document: { readonly uri: Uri }) => readonly CodeLens[];
      readonly resolveCodeLens: (lens: CodeLens) => CodeLens;
    },
  ) => {
    if (!pattern.includes('checks')) return nothing;
    given.codeLenses = (document) => {
      const all = provider.provideCodeLenses(document);
      for (const lens of all.slice(0, lensesInView)) {
        if (lens.command === undefined && provider.resolveCodeLens(lens).command === undefined)
          throw new Error('A line above a case has no text');
      }
      return all;
    };
    provider.onDidChangeCodeLenses(() => given.lensesChanged.fire());
    return nothing;
  },
  registerCompletionItemProvider: never,
  registerHoverProvider: never,
};

let root = new Uri('/');
let found: readonly Uri[] = [];
/** By path. */
const contents = new Map<string, Uint8Array>();

/** VS Code searches for files in a process of its own, and reads them with its own code, so that's done here. */
export async function openFolder(path: string): Promise<Uri> {
  root = new Uri(path);
  const names = await readdir(path, { recursive: true });
  found = names.filter((name) => name.endsWith('.checks.yaml')).map((name) => Uri.joinPath(root, name));
  for (const name of names) contents.set(Uri.joinPath(root, name).path, await readFile(Uri.joinPath(root, name).path));
  return root;
}

/** The content of a file of the folder. */
async function contentOf({ path }: Uri): Promise<Uint8Array> {
  const content = contents.get(path);
  if (content === undefined) throw new FileSystemError('FileNotFound');
  return content;
}

export const workspace = {
  isTrusted: true,
  get workspaceFolders() {
    return [{ uri: root, name: 'bench', index: 0 }];
  },
  getWorkspaceFolder: () => ({ uri: root, name: 'bench', index: 0 }),
  asRelativePath: ({ path }: Uri) => posix.relative(root.path, path),
  textDocuments: [],
  findFiles: async () => found,
  createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, onDidDelete: never, dispose: never }),
  onDidGrantWorkspaceTrust: never,
  onDidDeleteFiles: never,
  onDidRenameFiles: never,
  onDidChangeTextDocument: never,
  onDidOpenTextDocument: never,
  fs: {
    stat: async (uri: Uri) => ({ type: 1, size: (await contentOf(uri)).length }),
    readFile: contentOf,
  },
};

export const window = {
  createWebviewPanel: () => ({
    webview: {
      cspSource: '',
      html: '',
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: given.toHost.event,
      // As a message to the page.
      postMessage: async (message: unknown) => {
        given.posted += JSON.stringify(message).length;
        return true;
      },
    },
    onDidDispose: never,
    reveal: never,
    dispose: never,
  }),
};

export const env = { language: 'en' };
export const l10n = {
  t: (text: string, ...values: readonly unknown[]) => text.replace(/\{(\d+)\}/g, (_, at) => String(values[Number(at)])),
};
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2 };
export const TestRunProfileKind = { Run: 1 };
export const ViewColumn = { Active: -1 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const CompletionItemKind = {};
