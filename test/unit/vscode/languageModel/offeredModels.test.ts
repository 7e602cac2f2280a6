import assert from 'node:assert/strict';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import { offeredModels } from '../../../../src/vscode/languageModel/offeredModels.ts';
import { promptText } from '../../../../src/vscode/languageModel/promptText.ts';

const model = (id: string, kind?: string): ModelInfo => ({ id, raw: {}, ...(kind !== undefined && { kind }) });
const catalog = [model('a/one'), model('a/two'), model('b/three'), model('b/film', 'video')];
const none = { favorites: [], hidden: new Set<string>(), recent: [] };
const ids = (models: readonly ModelInfo[]) => models.map(({ id }) => id);

describe("The models that VS Code's own chat is offered", () => {
  it('are the default, first, and the favorites', () => {
    const marks = { ...none, favorites: ['b/three'], recent: ['a/two'] };
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, 'a/one')), ['a/one', 'b/three']);
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, 'b/three')), ['b/three']);
  });

  it('are those used lately where there are no favorites', () => {
    const marks = { ...none, recent: ['a/two'] };
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, undefined)), ['a/two']);
  });

  it('are never none where the catalog has some', () => {
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', none, undefined)), ['a/one', 'a/two', 'b/three']);
  });

  it("are by the setting all that chat and aren't hidden", () => {
    const marks = { ...none, recent: ['a/one', 'a/two'], hidden: new Set(['a/two']) };
    assert.deepEqual(ids(offeredModels(catalog, 'all', marks, undefined)), ['a/one', 'b/three']);
  });

  it('are by that setting never fewer than the favorites and the default', () => {
    const marks = { ...none, favorites: ['c/gone', 'a/one'] };
    assert.deepEqual(ids(offeredModels(catalog, 'all', marks, 'c/new')), [
      'a/one',
      'a/two',
      'b/three',
      'c/new',
      'c/gone',
    ]);
    assert.deepEqual(ids(offeredModels([], 'all', none, 'c/new')), ['c/new']);
  });

  it('hold a favorite that the catalog lacks, and no maker of videos', () => {
    const marks = { ...none, favorites: ['c/gone', 'b/film'] };
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, undefined)), ['c/gone']);
  });
});

describe('The words in a rendered prompt', () => {
  it('are those of its leaves, in order, on their lines', () => {
    const leaf = (text: string, lineBreakBefore: unknown) => ({ type: 2, text, lineBreakBefore });
    const node = {
      type: 1,
      children: [leaf('one', undefined), { type: 1, children: [leaf('two', true)] }, leaf('!', false)],
    };
    assert.equal(promptText({ node }), 'one\ntwo!');
  });

  it('are the JSON of a value that is no prompt, and nothing of nothing', () => {
    assert.equal(promptText({ a: 1 }), '{"a":1}');
    assert.equal(promptText(undefined), '');
  });
});
