/** How files of tests are named in a language: what stands before and after the name of what they test. */
interface TestName {
  readonly before: string;
  readonly after: string;
}

interface Naming {
  /** The usual one first. */
  readonly names: readonly TestName[];
  readonly extensions: readonly string[];
  /** Where they'd be put if a project had none yet: beside the code, or in a folder of their own. */
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

/** Where a project's tests often have no more in their names than the folder that they're in says. */
const byFolder: ReadonlySet<string> = new Set(js);

/** Folders that hold tests, whatever they're named. */
const testFolder = /(?:^|\/)(?:__tests__|tests?|specs?|src\/test)(?:\/|$)/i;

/** Patterns for VS Code's search that find the tests of a language; none where tests have no files of their own. */
export function testPatterns(path: string): readonly string[] {
  const { extension } = partsOf(path);
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
 * Tests by how much they tell about the tests of a file: its own first, then those that are near. Their order is the same
 * wherever they were found.
 *
 * @param paths of tests, with `/`, within the folder that holds the file too
 */
export function nearestTests(path: string, paths: readonly string[]): readonly string[] {
  const { base, folder } = partsOf(path);
  const score = (test: string): number => {
    const own = testedName(test) === base ? 1000 : 0;
    return own + sharedFolders(folder, partsOf(test).folder);
  };
  return [...paths]
    .filter((test) => test !== path)
    .toSorted((one, other) => score(other) - score(one) || one.length - other.length || (one < other ? -1 : 1));
}

/**
 * Where tests of a file would be found by who knows the project: named and placed as the nearest test is. Undefined where
 * they're written into the file itself, or nothing is known of the language.
 *
 * @param tests of the project, nearest first
 */
export function testPath(path: string, tests: readonly string[]): string | undefined {
  const { base, folder, extension } = partsOf(path);
  const [nearest] = tests;
  if (extension === 'rs') return undefined;
  const naming = namingOf(extension);
  if (naming === undefined || isTest(path)) return undefined;
  if (nearest !== undefined && testedName(nearest) === base) return nearest;
  const name = nearest === undefined ? naming.names[0] : nameIn(nearest, naming);
  if (name === undefined) return undefined;
  const ending = extension === 'vue' || extension === 'svelte' ? partsOf(nearest ?? 'a.ts').extension : extension;
  const file = `${name.before}${base}${name.after}.${ending}`;
  return joined(
    nearest === undefined ? usualFolder(folder, naming) : folderLike(folder, partsOf(nearest).folder),
    file,
  );
}

/** Whether a file is a test itself. */
export function isTest(path: string): boolean {
  return testedName(path) !== undefined;
}

function testedName(path: string): string | undefined {
  const { base, extension } = partsOf(path);
  const naming = namingOf(extension);
  const name = naming && nameIn(path, naming);
  return name && base.slice(name.before.length, base.length - name.after.length);
}

function nameIn(path: string, { names }: Naming): TestName | undefined {
  const { base, folder, extension } = partsOf(path);
  const named = names.find(
    ({ before, after }) =>
      base.startsWith(before) && base.endsWith(after) && base.length > before.length + after.length,
  );
  if (named !== undefined || !byFolder.has(extension)) return named;
  return testFolder.test(folder) ? { before: '', after: '' } : undefined;
}

/** Where a test of a file in this folder is, if another test is in that one. */
function folderLike(folder: string, testsIn: string): string {
  if (testsIn === folder || !testFolder.test(testsIn))
    return testsIn === '' || !testFolder.test(testsIn) ? folder : testsIn;
  if (/(?:^|\/)__tests__$/.test(testsIn)) return joined(folder, '__tests__');
  if (testsIn.includes('src/test/') && folder.includes('src/main/')) return folder.replace('src/main/', 'src/test/');
  // A tree of tests that mirrors the code: what both have at their ends, or the folder that both begin from.
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

/** How many folders both have, from the start or, in a mirrored tree, at the end. */
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

function partsOf(path: string): { readonly folder: string; readonly base: string; readonly extension: string } {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const [base, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ''];
  return { folder: slash < 0 ? '' : path.slice(0, slash), base, extension };
}
