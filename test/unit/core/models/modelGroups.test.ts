import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import type { ModelSpeed } from '../../../../src/shared/usage.ts';
import {
  groupModels,
  type ModelListView,
  type ModelMarksView,
  plainView,
} from '../../../../src/core/models/modelGroups.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

const noMarks: ModelMarksView = { favorites: [], hidden: new Set(), recent: [] };

function model(id: string, more: Omit<ModelInfo, 'id' | 'raw'> = {}): ModelInfo {
  return { id, ...more, raw: {} };
}

function grouped(
  models: readonly ModelInfo[],
  view: Partial<ModelListView> = {},
  marks: Partial<ModelMarksView> = {},
  speeds: Readonly<Record<string, ModelSpeed>> = {},
) {
  return groupModels(new ModelIndex(models), { ...noMarks, ...marks }, { ...plainView, ...view }, (id) => speeds[id]);
}

/** `provider: id id` for each group. */
function lines(...args: Parameters<typeof grouped>): readonly string[] {
  return grouped(...args).groups.map(
    ({ kind, provider, models }) =>
      `${kind === 'provider' ? provider : kind}: ${models.map((entry) => entry.model.id).join(' ')}`,
  );
}

describe('The models in groups', () => {
  it('are grouped by provider, in natural order, each once', () => {
    const models = ['meta/m-10', 'meta/m-2', 'acme/x', 'meta/m-2', 'bare'].map((id) => model(id));
    assert.deepEqual(lines([...models, model('owned', { ownedBy: 'zeta' })]), [
      ': bare',
      'acme: acme/x',
      'meta: meta/m-2 meta/m-10',
      'zeta: owned',
    ]);
  });

  it('use the part before the first slash as the provider, however many follow', () => {
    assert.deepEqual(lines([model('a/b/c'), model('a/d'), model('/e'), model('f/')]), [
      ': /e',
      'a: a/b/c a/d',
      'f: f/',
    ]);
  });

  it("don't exist without models", () => {
    assert.deepEqual(grouped([]), { groups: [], shown: 0, hidden: 0, total: 0 });
  });

  it("start with favorites and recently used ones, including those that aren't in the list", () => {
    const marks = { favorites: ['b/two', 'gone/model'], recent: ['a/one', 'typed'] };
    const { groups } = grouped([model('a/one'), model('b/two')], {}, marks);
    assert.deepEqual(
      groups.map(({ kind, models }) => [kind, models.map((entry) => `${entry.model.id} ${entry.isListed}`)]),
      [
        ['favorites', ['b/two true', 'gone/model false']],
        ['recent', ['a/one true', 'typed false']],
        ['provider', ['a/one true']],
        ['provider', ['b/two true']],
      ],
    );
  });

  it('leave out what is hidden, and count it', () => {
    const models = [model('a/one'), model('a/two')];
    const marks = { hidden: new Set(['a/two']), favorites: ['a/two'] };
    assert.deepEqual(lines(models, {}, marks), ['a: a/one']);
    assert.deepEqual({ ...grouped(models, {}, marks), groups: [] }, { groups: [], shown: 1, hidden: 1, total: 2 });
    assert.deepEqual(lines(models, { showsHidden: true }, marks), ['favorites: a/two', 'a: a/one a/two']);
  });

  it('are filtered by words in the ID, the owner, and the kind, in any order', () => {
    const models = [
      model('meta/llama-3-70b'),
      model('meta/llama-3-8b'),
      model('acme/cam', { kind: 'video', ownedBy: 'Meta Labs' }),
    ];
    assert.deepEqual(lines(models, { text: '70B LLAMA' }), ['meta: meta/llama-3-70b']);
    assert.deepEqual(lines(models, { text: ' labs video ' }), ['acme: acme/cam']);
    assert.deepEqual(lines(models, { text: 'nothing' }, { favorites: ['meta/llama-3-8b'] }), []);
  });

  it("are also filtered by words in their service's name, but only if there are several services", () => {
    const models = [model('meta/small'), model('two::meta/small')];
    useServiceNames({ service: 'Hosted', two: 'My Garage' });
    try {
      assert.deepEqual(lines(models, { text: 'garage SMALL' }), ['meta: two::meta/small']);
      assert.deepEqual(lines(models, { text: 'hosted' }), ['meta: meta/small']);
      useServiceNames({ service: 'Hosted' });
      assert.deepEqual(lines(models, { text: 'hosted' }), []);
    } finally {
      useServiceNames({});
    }
  });

  it('are filtered by ability: any of the ticked ones is enough', () => {
    const models = [
      model('a/chat', { kind: 'chat' }),
      model('a/cam', { kind: 'video' }),
      model('a/pic', { kind: 'image' }),
    ];
    assert.deepEqual(lines(models, { abilities: ['video', 'image'] }), ['a: a/cam a/pic']);
    assert.deepEqual(lines(models, { abilities: ['audio'] }), []);
  });

  const figures = [
    model('a/small', { contextWindow: 8000, inputPricePerMillion: 1, outputPricePerMillion: 1 }),
    model('b/big', { contextWindow: 128_000, inputPricePerMillion: 0.5, outputPricePerMillion: 4 }),
    model('c/unknown'),
    model('d/input', { inputPricePerMillion: 0.2 }),
  ];
  const speed = (first: number, rate: number): ModelSpeed => ({
    timeToFirstTokenSeconds: { value: first, from: 'service' },
    tokensPerSecond: { value: rate, from: 'service' },
  });
  const speeds = { 'b/big': speed(0.9, 90), 'c/unknown': speed(0.2, 30) };
  const sorts: readonly (readonly [ModelListView['sort'], string])[] = [
    ['name', 'a/small b/big c/unknown d/input'],
    ['context', 'b/big a/small c/unknown d/input'],
    ['price', 'd/input a/small b/big c/unknown'],
    ['firstToken', 'c/unknown b/big a/small d/input'],
    ['speed', 'b/big c/unknown a/small d/input'],
  ];
  for (const [sort, order] of sorts) {
    it(`sort by ${sort} as one list, those without the figure last and by name`, () => {
      assert.deepEqual(lines(figures, { sort, isGrouped: false }, {}, speeds), [`all: ${order}`]);
    });
  }

  it("rank favorites and recently used ones that aren't in the list, because they were measured too", () => {
    const marks = { favorites: ['gone/fast', 'b/big'], recent: ['gone/typed', 'gone/fast'] };
    const known = { ...speeds, 'gone/fast': speed(0.1, 300) };
    assert.deepEqual(lines(figures, { sort: 'speed' }, marks, known), [
      'all: gone/fast b/big c/unknown a/small d/input gone/typed',
    ]);
    const { shown, total } = grouped(figures, { sort: 'speed' }, marks, known);
    assert.deepEqual([shown, total], [4, 4]);
    assert.deepEqual(lines(figures, { sort: 'speed', text: 'typed' }, marks), ['all: gone/typed']);
  });

  it("are one list if sorted by a figure, however they're grouped, so nothing hides the best one", () => {
    const marks = { favorites: ['a/small'], recent: ['d/input'], hidden: new Set(['c/unknown']) };
    assert.deepEqual(lines(figures, { sort: 'price' }, marks), ['all: d/input a/small b/big']);
    assert.deepEqual(lines(figures, { sort: 'context', text: 'b' }, marks), ['all: b/big']);
  });
});
