import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const src = fileURLToPath(new URL('../../src/', import.meta.url));
const exported =
  /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (?<name>\w+)(?!.* from ')/gm;

/** Each name with the files that have it, if there are several. */
function several(files: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const filesOf = new Map<string, string[]>();
  for (const [file, names] of files) {
    for (const name of new Set(names)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  }
  return [...filesOf]
    .filter(([, having]) => having.length > 1)
    .map(([name, having]) => `${name}: ${having.join(', ')}`);
}

interface OwnFunction {
  readonly name: string;
  readonly isExported: boolean;
  /** From its first parameter to its end, without regard to line breaks. */
  readonly text: string;
}

/** The functions of a file that aren't inside of others. */
function functionsIn(file: string, source: string): readonly OwnFunction[] {
  return parseSync(file, source).program.body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration?.type !== 'FunctionDeclaration' || declaration.id === null || declaration.body === null) return [];
    const text = source.slice(declaration.params[0]?.start ?? declaration.body.start, declaration.end);
    return [{ name: declaration.id.name, isExported: declaration !== node, text: text.replaceAll(/\s+/g, ' ') }];
  });
}

/** Functions that are used in their own file only, but have the name of an export. */
function hidden(
  functions: ReadonlyMap<string, readonly OwnFunction[]>,
  exports: ReadonlySet<string>,
): readonly string[] {
  return [...functions].flatMap(([file, own]) =>
    own.filter(({ name, isExported }) => !isExported && exports.has(name)).map(({ name }) => `${file}: ${name}`),
  );
}

describe('A name', () => {
  const files = new Map<string, string>();
  before(async () => {
    for await (const file of glob('**/*.ts', { cwd: src })) files.set(file, await readFile(`${src}${file}`, 'utf8'));
  });

  const exportsOf = (text: string) => [...text.matchAll(exported)].map(({ groups }) => groups?.['name'] ?? '');
  const functions = () => new Map([...files].map(([file, text]) => [file, functionsIn(file, text)]));

  it('that a file exports is exported by no other file of src, so a search finds the right one', () => {
    const names = [...files].map(([file, text]) => [file, exportsOf(text)] as const);
    assert.ok(names.flatMap(([, all]) => all).length > 500);
    assert.deepEqual(several(new Map(names)), []);
  });

  it('that a file exports is that of no function inside another file, for the same reason', () => {
    assert.deepEqual(hidden(functions(), new Set([...files.values()].flatMap(exportsOf))), []);
    const own = functionsIn('a.ts', 'function partsOf() {}\nexport function listOf() {}\nfunction other() {}');
    assert.deepEqual(hidden(new Map([['a.ts', own]]), new Set(['partsOf', 'listOf'])), ['a.ts: partsOf']);
  });

  it('is given to a function once: none is written in two files', () => {
    const texts = [...functions()].map(([file, own]) => [file, own.map(({ text }) => text)] as const);
    assert.deepEqual(several(new Map(texts)), []);
    const [one, other] = ['function a(b: number) { return b; }', 'export function c(b: number) {\n  return b;\n}'];
    const twice = [one, other].map(
      (source, at) => [`${at}.ts`, functionsIn('a.ts', source).map(({ text }) => text)] as const,
    );
    assert.equal(several(new Map(twice)).length, 1);
  });

  it("of a file isn't used for any other file of src, except for the entry of each page", () => {
    const names = [...files.keys()]
      .filter((file) => basename(file) !== 'main.ts')
      .map((file) => [file, [basename(file)]] as const);
    assert.deepEqual(several(new Map(names)), []);
  });
});
