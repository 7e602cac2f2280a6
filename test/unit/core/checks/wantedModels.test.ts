import assert from 'node:assert/strict';
import { modelsWanted } from '../../../../src/core/checks/wantedModels.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { mainServiceId, modelRef } from '../../../../src/shared/modelRef.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

describe('The models that a file of checks names', () => {
  const home = (model: string) => modelRef('home', model);
  const index = ModelIndex.joined([
    new ModelIndex(['kestrel/a', 'kestrel/b', 'home/odd'].map((id) => ({ id, kind: 'chat', raw: {} }))),
    new ModelIndex(['kestrel/a', 'gale'].map((id) => ({ id: home(id), kind: 'chat', raw: {} }))),
  ]);
  const wanted = (pattern: string, service?: string) =>
    modelsWanted([{ pattern, ...(service !== undefined && { service }), from: 0, to: 1 }], {
      index,
      favorites: ['kestrel/b', home('gale')],
    }).map(({ id }) => id);

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

  it('are used as written if there is one service, even if an ID starts like another', () => {
    useServiceNames({ [mainServiceId]: 'Northwind' });
    assert.deepEqual(wanted('home/kestrel/a'), ['home/kestrel/a']);
    assert.deepEqual(wanted('not/listed'), ['not/listed']);
  });
});
