/** How test files are named in a language: what comes before and after the name of the tested file. */
interface TestName {
  readonly before: string;
  readonly after: string;
}

interface Naming {
  /** Most common first. */
  readonly names: readonly TestName[];
  readonly extensions: readonly string[];
  /** Where a project's first tests would be: next to the code, or in a separate folder. */
  readonly usualFolder?: string;
}

const js = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'];
const words = (...afters: readonly string[]): readonly TestName[] => afters.map((after) => ({ before: '', after }));

const namings: readonly Naming[] = [
  { names: words('.test', '.spec', '-test', '_test'), extensions: js },
  { names: [{ before: 'test_', after: '' }, ...words('_test')], extensions: ['py'], usualFolder: 'tests' },
  { names: words('_test'), extensions: ['go'] },
  { names: words('_test', '_spec'), extensions: ['rb'], usualFolder: 'test' },
  { names: words('Test', 'Tests', 'Spec'), extensions: ['java', 'kt', 'scala', 'groovy', 'cs', 'fs', 'php', 'swift'] },
  { names: words('_test', 'Test'), extensions: ['cpp', 'cc', 'cxx', 'c'], usualFolder: 'test' },
  { names: words('_test'), extensions: ['dart', 'exs', 'ex'], usualFolder: 'test' },
];

/** Languages in which only the folder often shows that a file is a test. */
const byFolder: ReadonlySet<string> = new Set(js);

/** Folders that contain tests, with any file names. */
const testFolder = /(?:^|\/)(?:__tests__|tests?|specs?|src\/test)(?:\/|$)/i;

/** Patterns for VS Code's search that find the tests of a language. Empty if tests have no separate files. */
export function testPatterns(path: string): readonly string[] {
  const { extension } = pathParts(path);
  if (extension === 'rs') return ['**/tests/**/*.rs'];
  const naming = namingOf(extension);
  if (naming === undefined) return [];
  const kin = anyOf(naming.extensions.filter((each) => each !== 'vue' && each !== 'svelte'));
  const named = `**/${anyOf(naming.names.map(({ before, after }) => `${before}*${after}`))}.${kin}`;
  return byFolder.has(extension) ? [named, `**/{test,tests,__tests__}/**/*.${kin}`] : [named];
}

function anyOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts.join('') : `{${parts.join(',')}}`;
}

/**
 * Tests by relevance for a file: its own first, then nearby ones. The order doesn't depend on the search.
 * @param paths of tests, with `/`, relative to the folder that contains the file too
 */
export function nearestTests(path: string, paths: readonly string[]): readonly string[] {
  const { base, folder } = pathParts(path);
  const score = (test: string): number => {
    const own = testedName(test) === base ? 1000 : 0;
    return own + sharedFolders(folder, pathParts(test).folder);
  };
  return [...paths]
    .filter((test) => test !== path)
    .toSorted((one, other) => score(other) - score(one) || one.length - other.length || (one < other ? -1 : 1));
}

/**
 * Where the tests of a file would be expected: named and placed like the nearest test. Undefined if they belong in the
 * file itself, or the language is unknown.
 * @param tests of the project, nearest first
 */
export function testPath(path: string, tests: readonly string[]): string | undefined {
  const { base, folder, extension } = pathParts(path);
  const [nearest] = tests;
  if (extension === 'rs') return undefined;
  const naming = namingOf(extension);
  if (naming === undefined || isTest(path)) return undefined;
  if (nearest !== undefined && testedName(nearest) === base) return nearest;
  const name = nearest === undefined ? naming.names[0] : nameIn(nearest, naming);
  if (name === undefined) return undefined;
  const ending = extension === 'vue' || extension === 'svelte' ? pathParts(nearest ?? 'a.ts').extension : extension;
  const file = `${name.before}${base}${name.after}.${ending}`;
  return joined(
    nearest === undefined ? usualFolder(folder, naming) : folderLike(folder, pathParts(nearest).folder),
    file,
  );
}

/** Whether a file is a test itself. */
function isTest(path: string): boolean {
  return testedName(path) !== undefined;
}

function testedName(path: string): string | undefined {
  const { base, extension } = pathParts(path);
  const naming = namingOf(extension);
  const name = naming && nameIn(path, naming);
  return name && base.slice(name.before.length, base.length - name.after.length);
}

function nameIn(path: string, { names }: Naming): TestName | undefined {
  const { base, folder, extension } = pathParts(path);
  const named = names.find(
    ({ before, after }) =>
      base.startsWith(before) && base.endsWith(after) && base.length > before.length + after.length,
  );
  if (named !== undefined || !byFolder.has(extension)) return named;
  return testFolder.test(folder) ? { before: '', after: '' } : undefined;
}

/** Where a test of a file in this folder belongs, if another test is in that one. */
function folderLike(folder: string, testsIn: string): string {
  if (testsIn === folder || !testFolder.test(testsIn))
    return testsIn === '' || !testFolder.test(testsIn) ? folder : testsIn;
  if (/(?:^|\/)__tests__$/.test(testsIn)) return joined(folder, '__tests__');
  if (testsIn.includes('src/test/') && folder.includes('src/main/')) return folder.replace('src/main/', 'src/test/');
  // A test tree that mirrors the code: their common ends, or the folder that both start from.
  const own = folder.split('/').slice(1);
  const theirs = testsIn.split('/');
  for (const [index, part] of own.entries()) {
    const at = theirs.indexOf(part, 1);
    if (at > 0) return [...theirs.slice(0, at), ...own.slice(index)].join('/');
  }
  return testsIn;
}

function usualFolder(folder: string, { usualFolder: own }: Naming): string {
  if (folder.includes('src/main/')) return folder.replace('src/main/', 'src/test/');
  return own ?? folder;
}

/** Number of common folders, from the start or, in a mirrored tree, from the end. */
function sharedFolders(one: string, other: string): number {
  const [ones, others] = [one.split('/'), other.split('/')];
  let start = 0;
  while (start < ones.length && ones[start] === others[start]) start += 1;
  let end = 0;
  while (end < ones.length && ones.at(-1 - end) === others.at(-1 - end)) end += 1;
  return Math.max(start, end);
}

function namingOf(extension: string): Naming | undefined {
  return namings.find(({ extensions }) => extensions.includes(extension));
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function pathParts(path: string): { readonly folder: string; readonly base: string; readonly extension: string } {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ''];
  return { folder: slash < 0 ? '' : path.slice(0, slash), base, extension };
}
