import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import type { MeasuredFigures } from '../../../../src/core/models/measuredModel.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import type { ModelAbility } from '../../../../src/core/models/modelAbilities.ts';
import { ModelRows, type RowSources } from '../../../../src/core/models/modelRows.ts';
import type { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import type { ModelQuestion, ModelRowsView } from '../../../../src/shared/modelRow.ts';
import { mainServiceId } from '../../../../src/shared/modelRef.ts';
import type { Problem } from '../../../../src/shared/problem.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

const models: readonly ModelInfo[] = [
  {
    id: 'harbor/quill',
    kind: 'chat',
    contextWindow: 1_000_000,
    inputPricePerMillion: 3,
    outputPricePerMillion: 9,
    raw: {},
  },
  {
    id: 'kestrel/fast',
    kind: 'chat',
    contextWindow: 8192,
    inputPricePerMillion: 0.2,
    outputPricePerMillion: 0.8,
    raw: {},
  },
  { id: 'kestrel/sparrow', kind: 'chat', inputPricePerMillion: 0.4, outputPricePerMillion: 1.6, raw: {} },
  { id: 'kestrel/film', kind: 'video', raw: {} },
];

function measured(rate: number, first: number): MeasuredFigures {
  const spread = (value: number) => ({ p50: value, p95: value, from: 'service' as const });
  return {
    requestCount: 1,
    failureCount: 0,
    timeToFirstTokenSeconds: spread(first),
    tokensPerSecond: spread(rate),
    latest: [],
  };
}

const speeds: Readonly<Record<string, MeasuredFigures>> = {
  'harbor/quill': measured(51, 0.1),
  'kestrel/sparrow': measured(118, 0.4),
};

function rows(
  list: readonly ModelInfo[] = models,
  favorites: readonly string[] = [],
  change: Partial<RowSources['catalog']> = {},
  lacking: RowSources['lacking'] = () => new Set(),
) {
  const state = { error: undefined, fetchedAt: 1, isRefreshing: false, byService: new Map() };
  const sources: RowSources = {
    catalog: { index: new ModelIndex(list), ...state, ...change },
    marks: { view: { favorites, hidden: new Set(), recent: [] }, isFavorite: (id) => favorites.includes(id) },
    measured: { figures: (id) => speeds[id] },
    lacking,
  };
  return new ModelRows(sources, () => assert.fail('nothing failed'));
}

function find(typed: string, more: Partial<ModelQuestion> = {}, own = rows()): ModelRowsView {
  return own.find({ typed, allKinds: false, ...more }, 'kestrel/fast');
}

const names = ({ rows: found }: ModelRowsView) => found.map(({ name }) => name);

describe('The rows of the model picker', () => {
  it('are chat models with their figures, favorites first, and the current one marked', () => {
    const view = find('', {}, rows(models, ['kestrel/sparrow']));
    assert.deepEqual(names(view), ['kestrel/sparrow', 'harbor/quill', 'kestrel/fast']);
    assert.deepEqual(
      view.rows.map(({ group, isFavorite, isCurrent }) => [group, isFavorite, isCurrent]),
      [
        ['Favorites', true, false],
        ['harbor', false, false],
        ['kestrel', false, true],
      ],
    );
    assert.deepEqual(view.rows[1]?.figures, {
      speed: '51 tok/s',
      firstToken: '0.10 s',
      context: '1M',
      price: '3.00/9.00',
    });
    assert.equal(view.otherKinds, 'hidden');
  });

  it('say which of them see images, and are found by that', () => {
    const eye = { id: 'harbor/eye', kind: 'chat', inputModalities: ['text', 'image'], raw: {} };
    const own = () => rows([...models, eye]);
    const withImages = find('', {}, own()).rows.flatMap((row) => row.withImages ?? []);
    assert.deepEqual(withImages, ['chat with images']);
    assert.deepEqual(names(find('images', {}, own())).slice(0, 1), ['harbor/eye']);
    assert.equal(find('images', {}, own()).rows[0]?.withImages, 'chat with images');
  });

  it("aren't found by other words than that, nor by letters of it", () => {
    const list = [{ id: 'harbor/eye', kind: 'chat', inputModalities: ['text', 'image'], raw: {} }];
    for (const typed of ['images', 'Images', 'imag', 'images harbor'])
      assert.deepEqual(names(find(typed, {}, rows(list))).slice(0, 1), ['harbor/eye'], typed);
    for (const typed of ['with', 'wit', 'it', 'ma', 'ages'])
      assert.deepEqual(names(find(typed, {}, rows(list))), [`Use "${typed}"`], typed);
  });

  for (const missing of ['multimodal', 'chat'] as const) {
    it(`don't say that they see images if their service is known not to support ${missing}`, () => {
      const eye = { id: 'harbor/eye', kind: 'chat', inputModalities: ['text', 'image'], raw: {} };
      const lacking = (ability: ModelAbility) => new Set(ability === missing ? [mainServiceId] : []);
      const view = find('', {}, rows([...models, eye], [], {}, lacking));
      assert.ok(names(view).includes('harbor/eye'));
      assert.deepEqual(
        view.rows.flatMap((row) => row.withImages ?? []),
        [],
      );
      assert.deepEqual(names(find('images', {}, rows([eye], [], {}, lacking))), ['Use "images"']);
    });
  }

  for (const [word, first] of [
    ['fastest', 'kestrel/sparrow'],
    ['quickest', 'harbor/quill'],
    ['largest', 'harbor/quill'],
    ['cheapest', 'kestrel/fast'],
    ['Chea', 'kestrel/fast'],
  ] as const) {
    it(`start with the best if "${word}" is typed`, () => {
      const view = find(word);
      assert.equal(names(view)[0], first);
      assert.equal(view.rows.length, 3);
      assert.ok(view.rows.every(({ group }) => group === ''));
      assert.notEqual(view.sortedBy, undefined);
    });
  }

  it('treat part of such a word as a name if a model has that name', () => {
    const view = find('fast');
    assert.deepEqual(names(view), ['kestrel/fast', 'Use "fast"']);
    assert.equal(view.sortedBy, undefined);
  });

  it('are favorites and recently used models as long as there is no list, whether it failed or is being fetched', () => {
    const own = rows([], ['kestrel/sparrow'], { fetchedAt: undefined, isRefreshing: true });
    const view = find('', {}, own);
    assert.deepEqual([names(view), view.lacksList, view.isLoading], [['kestrel/sparrow'], true, true]);
    assert.deepEqual(names(find('sparrow', {}, own)), ['kestrel/sparrow', 'Use "sparrow"']);
    assert.equal(find('').lacksList, undefined);
  });

  it('are ranked among those that match the other words', () => {
    assert.deepEqual(names(find('cheapest harbor')), ['harbor/quill']);
  });

  it('are those with all the words, in their names or figures, or else with these letters in order', () => {
    assert.deepEqual(names(find('quill harbor')), ['harbor/quill']);
    assert.deepEqual(names(find('118')), ['kestrel/sparrow', 'Use "118"']);
    assert.deepEqual(names(find('kspw')), ['kestrel/sparrow', 'Use "kspw"']);
  });

  it('offer an ID that the list lacks, and not one that it has', () => {
    const own = rows();
    const typed = own.find({ typed: 'made/up', allKinds: false }, undefined);
    assert.deepEqual(names(typed), ['Use "made/up"']);
    assert.equal(own.model(typed.rows[0]?.id ?? ''), 'made/up');
    assert.deepEqual(names(find('kestrel/fast')), ['kestrel/fast']);
    // Enter must not select another model that has these letters in order.
    assert.deepEqual(names(find('kestrel/sprw')), ['Use "kestrel/sprw"', 'kestrel/sparrow']);
    assert.deepEqual(names(find('kestrel/sparro')), ['kestrel/sparrow', 'Use "kestrel/sparro"']);
  });

  it("keep their model however they're sorted, so that a late click selects the right one", () => {
    const own = rows();
    const before = find('', {}, own);
    const after = find('', { sort: 'price' }, own);
    for (const { id, name } of [...before.rows, ...after.rows]) assert.equal(own.model(id), name);
    assert.notDeepEqual(names(before), names(after));
    assert.equal(own.model('never given out'), undefined);
  });

  it('show what a model generates if all kinds are shown', () => {
    const view = find('', { allKinds: true });
    assert.deepEqual(view.rows.find(({ name }) => name === 'kestrel/film')?.notes, ['videos']);
    assert.equal(view.otherKinds, 'shown');
  });

  describe('with several services', () => {
    const two: readonly ModelInfo[] = [
      { id: 'maker/small', kind: 'chat', raw: {} },
      { id: 'two::maker/small', kind: 'chat', raw: {} },
    ];
    const sources = (catalogs: RowSources['catalog']['byService'] = new Map()): RowSources => ({
      catalog: {
        index: ModelIndex.joined([new ModelIndex(two.slice(0, 1)), new ModelIndex(two.slice(1))]),
        error: undefined,
        fetchedAt: 1,
        isRefreshing: false,
        byService: catalogs,
      },
      marks: { view: { favorites: [], hidden: new Set(), recent: [] }, isFavorite: () => false },
      measured: { figures: () => undefined },
      lacking: (ability) => new Set(ability === 'chat' ? ['two'] : []),
    });
    const listed = (own: ModelRows, typed = '') => own.find({ typed, allKinds: false }, undefined);

    beforeEach(() => useServiceNames({ service: 'Hosted', two: 'Garage', attic: 'Attic' }));
    afterEach(() => useServiceNames({}));

    it("are found by the name of their service, and say that it's known not to support chat", () => {
      const own = new ModelRows(sources(), () => assert.fail());
      assert.deepEqual(names(listed(own, 'garage small')), ['maker/small (Garage)']);
      // Its ID is internal, so users don't search for it.
      assert.deepEqual(names(listed(own, 'two small')), []);
      assert.deepEqual(
        listed(own).rows.map(({ name, notes }) => [name, ...notes]),
        [['maker/small (Hosted)'], ['maker/small (Garage)', 'not supported by the service']],
      );
    });

    it("are followed by the services without a list, each with its own reason, unless it's being fetched", () => {
      const error = { cause: new Error('down'), at: 1 };
      const state = (fetchedAt: number | undefined, isRefreshing: boolean) =>
        ({ error, fetchedAt, isRefreshing }) as ModelCatalog;
      const catalogs = new Map([
        ['service', state(1, false)],
        ['two', state(undefined, false)],
        ['attic', state(undefined, true)],
      ]);
      const problem = (service: string | undefined): Problem => ({
        severity: 'error',
        title: `About ${service}`,
        detail: '',
        technical: '',
        actions: [],
      });
      const own = new ModelRows(sources(catalogs), (_error, service) => problem(service));
      assert.deepEqual(listed(own).unlisted, [{ service: 'two', name: 'Garage', problem: problem('two') }]);
      assert.equal(listed(own).problem, undefined);
    });
  });

  it('are at most 300, with how many more there are', () => {
    const many = Array.from({ length: 1200 }, (_, at) => ({ id: `maker/m-${at}`, kind: 'chat', raw: {} }));
    const view = find('', {}, rows(many));
    assert.equal(view.rows.length, 300);
    assert.equal(view.left, 900);
  });
});
