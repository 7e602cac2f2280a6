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

  it('are the recently used ones if there are no favorites', () => {
    const marks = { ...none, recent: ['a/two'] };
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, undefined)), ['a/two']);
  });

  it('are never empty if the model list has some', () => {
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', none, undefined)), ['a/one', 'a/two', 'b/three']);
  });

  it("include every model that can chat and isn't hidden, with the setting", () => {
    const marks = { ...none, recent: ['a/one', 'a/two'], hidden: new Set(['a/two']) };
    assert.deepEqual(ids(offeredModels(catalog, 'all', marks, undefined)), ['a/one', 'b/three']);
  });

  it('are never fewer than the favorites and the default, with that setting too', () => {
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

  it("include a favorite that isn't in the model list, and no video model", () => {
    const marks = { ...none, favorites: ['c/gone', 'b/film'] };
    assert.deepEqual(ids(offeredModels(catalog, 'favorites', marks, undefined)), ['c/gone']);
  });
});

describe('The text in a rendered prompt', () => {
  it('is that of its leaves, in order, on their lines', () => {
    const leaf = (text: string, lineBreakBefore: unknown) => ({ type: 2, text, lineBreakBefore });
    const node = {
      type: 1,
      children: [leaf('one', undefined), { type: 1, children: [leaf('two', true)] }, leaf('!', false)],
    };
    assert.equal(promptText({ node }), 'one\ntwo!');
  });

  it("is the JSON of a value that isn't a prompt, and empty if there's no value", () => {
    assert.equal(promptText({ a: 1 }), '{"a":1}');
    assert.equal(promptText(undefined), '');
  });
});
