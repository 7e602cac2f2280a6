import * as vscode from 'vscode';
import { DisposableList } from '../platform/disposables.ts';
import { IgnoredFiles } from './ignoredFiles.ts';
import type { OnDropped } from './ignoreRules.ts';
import { linksToSecretName } from './secretFile.ts';

/** Per folder, because a search for everything takes its time, and a link is followed for each file. */
const MOST_FILES = 5000;
/** Files that are found by one name in a folder that has more files. */
const MOST_NAMED = 500;
/** Searches of one folder, each without the ignored folders that the ones before found. */
const MOST_SEARCHES = 4;
/** Folders that a search leaves out: they're an argument of a process, which Windows limits. */
const MOST_LEFT_OUT = 200;
/** Characters of a name that are searched for. */
const LONGEST_NAME = 100;
/** For folders that VS Code doesn't watch: new and deleted files are noticed after this time, in milliseconds. */
const MOST_AGE_MS = 5 * 60_000;
const elsewhere = '**/node_modules/**';
/** What means something in a glob. */
const inGlob = /[*?[\]{},!\\]/;

/** The files of the open folders that aren't ignored and don't seem to contain secrets. */
export interface FoundFiles {
  /** Sorted by path. */
  readonly uris: readonly vscode.Uri[];
  /** Present if these aren't all: finds files by a part of their name, or by the end of their path. */
  readonly named?: (typed: string, token: vscode.CancellationToken) => Promise<readonly vscode.Uri[]>;
}

export interface KnownFiles {
  /** Sorted by path. */
  readonly uris: readonly vscode.Uri[];
  /** Present if there might be more that the text names: searches for those. */
  readonly others?: () => Promise<readonly vscode.Uri[]>;
}

/** The files that can be added by name. Listed on demand, and again only after files were added or deleted. */
export class WorkspaceFiles implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #read: () => Promise<FoundFiles>;
  #list: Promise<FoundFiles> | undefined;
  #search: vscode.CancellationTokenSource | undefined;
  #listedAt = 0;
  #isWatching = false;

  constructor(read: () => Promise<FoundFiles> = workspaceFiles) {
    this.#read = read;
  }

  /** Sorted by path. If the folders have too many files, it also has those that the text names. */
  async list(typed = ''): Promise<readonly vscode.Uri[]> {
    const { uris, others } = await this.find(typed);
    const added = (await others?.()) ?? [];
    return added.length === 0 ? uris : sorted([...uris, ...added]);
  }

  /** Like `list`, but without waiting for a search. A later call ends it. */
  async find(typed: string): Promise<KnownFiles> {
    this.#search?.cancel();
    // Before the list is awaited, so that of calls that wait for it together only the last one searches.
    const { token } = (this.#search = new vscode.CancellationTokenSource());
    const { uris, named } = await this.#all();
    if (named === undefined || typed.trim() === '') return { uris };
    const others = async () => {
      if (token.isCancellationRequested) return [];
      const known = new Set(uris.map(String));
      return (await named(typed.trim(), token)).filter((uri) => !known.has(uri.toString()));
    };
    return { uris, others };
  }

  dispose(): void {
    this.#search?.cancel();
    this.#own.dispose();
  }

  #all(): Promise<FoundFiles> {
    this.#watch();
    if (Date.now() - this.#listedAt > MOST_AGE_MS) this.#list = undefined;
    if (this.#list === undefined) this.#listedAt = Date.now();
    const list = (this.#list ??= this.#read());
    list.catch(() => {
      // Not cached: the next attempt might succeed.
      if (this.#list === list) this.#list = undefined;
    });
    return list;
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const forget = () => {
      this.#list = undefined;
    };
    const files = this.#own.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const rules = this.#own.add(vscode.workspace.createFileSystemWatcher('**/.gitignore', true, false, true));
    this.#own.add(files.onDidCreate(forget));
    this.#own.add(files.onDidDelete(forget));
    this.#own.add(rules.onDidChange(forget));
    this.#own.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
    this.#own.add(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('files.exclude')) forget();
      }),
    );
  }
}

/** Lists the files of the open folders, as many as there's room for. */
export async function workspaceFiles(onDropped?: OnDropped): Promise<FoundFiles> {
  // Searches instead of a listing per folder, each of which would be a round trip if the files are on another machine.
  const rules = vscode.workspace.findFiles('**/.gitignore', elsewhere);
  const ignored = Promise.resolve(rules).then((files) => new IgnoredFiles(files, onDropped));
  const folders = vscode.workspace.workspaceFolders ?? [];
  const found = await Promise.all(folders.map(({ uri }) => filesIn(uri, ignored)));
  const partial = found.filter(({ isWhole }) => !isWhole);
  const uris = sorted(found.flatMap(({ kept }) => kept));
  if (partial.length === 0) return { uris };
  return {
    uris,
    named: async (typed, token) => {
      const glob = namedGlob(typed);
      const inFolder = async ({ folder, leftOut }: FolderFiles) => {
        const { uris: others } = await search(folder, glob, { leftOut, most: MOST_NAMED, token });
        return withoutSecretLinks((await notIgnored(others, await ignored)).kept);
      };
      return (await Promise.all(partial.map(inFolder))).flat();
    },
  };
}

interface FolderFiles {
  readonly folder: vscode.Uri;
  readonly kept: readonly vscode.Uri[];
  /** Globs of ignored folders. */
  readonly leftOut: readonly string[];
  readonly isWhole: boolean;
}

/**
 * VS Code's search ends with as many files as were wanted, of any folder, and doesn't know `.gitignore`. So if it ends
 * early, it's run again without the ignored folders, where most files often are.
 */
async function filesIn(folder: vscode.Uri, rules: Promise<IgnoredFiles>): Promise<FolderFiles> {
  const leftOut: string[] = [];
  for (let searches = 1; ; searches += 1) {
    const { uris, isWhole } = await search(folder, '**/*', { leftOut, most: MOST_FILES });
    const ignored = await rules;
    const { kept, rest } = await notIgnored(uris, ignored);
    const more = isWhole || searches === MOST_SEARCHES ? [] : await ignoredFolders(folder, rest, ignored);
    const added = more.slice(0, MOST_LEFT_OUT - leftOut.length);
    leftOut.push(...added);
    if (added.length === 0) return { folder, kept: await withoutSecretLinks(kept), leftOut, isWhole };
  }
}

interface Found {
  readonly uris: readonly vscode.Uri[];
  readonly isWhole: boolean;
}

interface Search {
  readonly leftOut: readonly string[];
  readonly most: number;
  readonly token?: vscode.CancellationToken;
}

async function search(folder: vscode.Uri, glob: string, { leftOut, most, token }: Search): Promise<Found> {
  const exclude = leftOut.length === 0 ? elsewhere : `{${[elsewhere, ...leftOut].join(',')}}`;
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), exclude, most, token);
  // The files of an open folder inside this one are found there.
  const own = found.filter((uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.toString());
  return { uris: own, isWhole: found.length < most };
}

async function notIgnored(
  uris: readonly vscode.Uri[],
  ignored: IgnoredFiles,
): Promise<{ readonly kept: readonly vscode.Uri[]; readonly rest: readonly vscode.Uri[] }> {
  const isIgnored = await Promise.all(uris.map((uri) => ignored.has(uri)));
  return {
    kept: uris.filter((_uri, index) => isIgnored[index] === false),
    rest: uris.filter((_uri, index) => isIgnored[index] === true),
  };
}

async function withoutSecretLinks(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const isSecret = await Promise.all(uris.map(linksToSecretName));
  return uris.filter((_uri, index) => isSecret[index] === false);
}

/** Globs of the topmost ignored folders around these files. */
async function ignoredFolders(
  root: vscode.Uri,
  uris: readonly vscode.Uri[],
  ignored: IgnoredFiles,
): Promise<readonly string[]> {
  const inRoot = ({ path }: vscode.Uri) => path.slice(root.path.length).replace(/^\//, '');
  const parents = new Set(uris.map((uri) => inRoot(vscode.Uri.joinPath(uri, '..'))));
  const known = new Map<string, Promise<boolean>>();
  const isIgnored = (path: string): Promise<boolean> => {
    const asked = known.get(path) ?? ignored.has(vscode.Uri.joinPath(root, path), true);
    known.set(path, asked);
    return asked;
  };
  const topmost = async (path: string): Promise<string | undefined> => {
    const names = path.split('/');
    for (const depth of names.keys()) {
      const above = names.slice(0, depth + 1).join('/');
      if (await isIgnored(above)) return above;
    }
    return undefined;
  };
  const found = new Set(await Promise.all([...parents].map(topmost)));
  return [...found].filter((path) => path !== undefined && !inGlob.test(path)).map((path) => `${path}/**`);
}

/** Matches names that contain the text, in any case; with a `/` in it, the end of a path. */
function namedGlob(typed: string): string {
  const letters = Array.from(typed.slice(0, LONGEST_NAME), (letter) => {
    if (inGlob.test(letter)) return '?';
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower === upper || lower.length + upper.length > 2 ? letter : `[${lower}${upper}]`;
  });
  return `**/*${letters.join('')}*`;
}

function sorted(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  return uris.toSorted((one, other) => one.path.localeCompare(other.path, 'en'));
}
