import assert from 'node:assert/strict';
import { modelsWanted, servicesWanted, whyNoModel } from '../../../../src/core/checks/wantedModels.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { mainServiceId, modelRef } from '../../../../src/shared/modelRef.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

describe('The models that a file of checks names', () => {
  const home = (model: string) => modelRef('home', model);
  const index = ModelIndex.joined([
    new ModelIndex(['kestrel/a', 'kestrel/b', 'home/odd'].map((id) => ({ id, kind: 'chat', raw: {} }))),
    new ModelIndex(['kestrel/a', 'gale'].map((id) => ({ id: home(id), kind: 'chat', raw: {} }))),
  ]);
  const known = { index, favorites: ['kestrel/b', home('gale')] };
  const entry = (pattern: string, service?: string) => ({
    pattern,
    ...(service !== undefined && { service }),
    from: 0,
    to: 1,
  });
  const wanted = (pattern: string, service?: string) =>
    modelsWanted([entry(pattern, service)], known).map(({ id }) => id);
  const why = (pattern: string, service?: string) => whyNoModel(entry(pattern, service), known);

  afterEach(() => useServiceNames({}));

  it('belong to the service that a name starts with if there are several, and otherwise to the first', () => {
    useServiceNames({ [mainServiceId]: 'Northwind', home: 'Home server' });
    assert.deepEqual(wanted('kestrel/a'), ['kestrel/a']);
    assert.deepEqual(wanted('home/kestrel/a'), [home('kestrel/a')]);
    assert.deepEqual(wanted('Home server/gale'), [home('gale')]);
    assert.deepEqual(wanted('gale', 'home'), [home('gale')]);
    assert.deepEqual(wanted('kestrel/*'), ['kestrel/a', 'kestrel/b']);
    assert.deepEqual(wanted('home/kestrel/*'), [home('kestrel/a')]);
    assert.deepEqual(wanted('*', 'Home server'), [home('gale'), home('kestrel/a')]);
    assert.deepEqual(wanted('favorites'), ['kestrel/b', home('gale')]);
  });

  it("never belong to a service other than the named one, even if there's only one", () => {
    useServiceNames({ [mainServiceId]: 'Northwind' }, { home: 'Home server' });
    assert.deepEqual(wanted('kestrel/a', 'Northwind'), ['kestrel/a']);
    assert.deepEqual(wanted('kestrel/*', 'northwind'), ['kestrel/a', 'kestrel/b']);
    assert.deepEqual(wanted('favorites', 'Northwind'), ['kestrel/b']);
    // It was removed: the request ends with that, and is sent to nobody.
    assert.deepEqual(wanted('kestrel/a', 'Home server'), [home('kestrel/a')]);
    assert.deepEqual(wanted('home server/kestrel/a'), [home('kestrel/a')]);
    // It's a model of the service that's there, whatever its name.
    assert.deepEqual(wanted('home/odd'), ['home/odd']);
    for (const pattern of ['kestrel/a', 'kestrel/*', '*', 'favorites']) {
      assert.deepEqual(wanted(pattern, 'nobody'), [], pattern);
      assert.match(why(pattern, 'nobody') ?? '', /^There's no service "nobody"/);
      const asked = servicesWanted([{ pattern, service: 'nobody', from: 0, to: 1 }], []);
      assert.deepEqual([...(asked ?? assert.fail())], [], pattern);
    }
  });

  it('are reported missing if a model list that could have them is known', () => {
    useServiceNames({ [mainServiceId]: 'Northwind', home: 'Home server', empty: 'Empty' });
    assert.equal(why('nobody/*'), 'No model matches.');
    assert.equal(why('nobody/*', 'home'), 'No model matches.');
    assert.equal(why('favorites', 'empty'), 'No model matches.');
    for (const [pattern, service] of [['kestrel/*'], ['not/listed'], ['favorites'], ['*', 'empty']] as const)
      assert.equal(why(pattern, service), undefined, pattern);
    assert.equal(
      whyNoModel({ pattern: 'favorites', from: 0, to: 1 }, { index, favorites: [] }),
      'You have no favorite models yet.',
    );
  });

  it("are used as written if there's one service, even if an ID starts like another", () => {
    useServiceNames({ [mainServiceId]: 'Northwind' });
    assert.deepEqual(wanted('home/kestrel/a'), ['home/kestrel/a']);
    assert.deepEqual(wanted('not/listed'), ['not/listed']);
  });
});
