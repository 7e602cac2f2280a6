import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { mediaKinds } from '../../src/shared/media.ts';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** What the catalog says about a model, in any wording. */
const ofModels = ['core/models/modelAbilities.ts'];

/** Where a media kind is compared: a third kind would silently be treated like one of the others there. */
function comparisons(name: string, source: string): readonly string[] {
  const found: string[] = [];
  const isKind = (node: Node) =>
    node.type === 'Literal' && typeof node.value === 'string' && mediaKinds.some((kind) => kind === node.value);
  const namesKind = (node: Node) => /\bkind$/i.test(source.slice(node.start, node.end));
  // Most files need no parsing.
  if (!mediaKinds.some((kind) => source.includes(`'${kind}'`))) return found;
  new Visitor({
    BinaryExpression: (node) => {
      const sides = [node.left, node.right];
      if (/^[!=]==?$/.test(node.operator) && sides.some(isKind) && sides.some(namesKind)) {
        found.push(`${name}: ${source.slice(node.start, node.end)}`);
      }
    },
  }).visit(parseSync(name, source).program);
  return found;
}

describe('A media kind', () => {
  it('is never compared, so that the compiler lists every place a new kind needs', async () => {
    const found: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      if (!ofModels.includes(name)) found.push(...comparisons(name, await readFile(path, 'utf8')));
    }
    assert.deepEqual(found, []);
  });

  it("is found if it's compared", () => {
    const source =
      "this.#kind === 'video' ? a : b; if (item.kind != 'image') c(); kind === 'other'; operation === 'video'";
    assert.deepEqual(comparisons('a.ts', source), ["a.ts: this.#kind === 'video'", "a.ts: item.kind != 'image'"]);
  });
});
