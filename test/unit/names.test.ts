import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

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

describe('A name', () => {
  const files = new Map<string, string>();
  before(async () => {
    for await (const file of glob('**/*.ts', { cwd: src })) files.set(file, await readFile(`${src}${file}`, 'utf8'));
  });

  it('that a file exports is exported by no other file of src, so a search finds the right one', () => {
    const names = [...files].map(
      ([file, text]) => [file, [...text.matchAll(exported)].map(({ groups }) => groups?.['name'] ?? '')] as const,
    );
    assert.ok(names.flatMap(([, all]) => all).length > 500);
    assert.deepEqual(several(new Map(names)), []);
  });

  it("of a file isn't used for any other file of src, except for the entry of each page", () => {
    const names = [...files.keys()]
      .filter((file) => basename(file) !== 'main.ts')
      .map((file) => [file, [basename(file)]] as const);
    assert.deepEqual(several(new Map(names)), []);
  });
});
