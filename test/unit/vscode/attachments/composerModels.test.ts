import assert from 'node:assert/strict';
import { AllMarks } from '../../../../src/core/models/allMarks.ts';
import { ModelCatalog } from '../../../../src/core/models/modelCatalog.ts';
import { ModelCatalogs } from '../../../../src/core/models/modelCatalogs.ts';
import { ComposerModels } from '../../../../src/vscode/attachments/composerModels.ts';

describe('The facts about models for a message', () => {
  /** No catalog is kept on disk. */
  function facts({
    marks = new AllMarks(),
    lacking = new Set<string>(),
    inputModalities = undefined as readonly string[] | undefined,
  } = {}) {
    let accepted = '';
    let asked = 0;
    let read = 0;
    const catalog = new ModelCatalogs();
    const only = new ModelCatalog({
      id: 'service',
      list: () => {
        asked += 1;
        return Promise.resolve([
          { id: 'm', contextWindow: 1000, raw: {}, ...(inputModalities && { inputModalities }) },
        ]);
      },
      store: {
        read: () => {
          read += 1;
          return Promise.resolve(undefined);
        },
        write: () => Promise.resolve(),
      },
      service: () => 'a service',
      stated: () => ({}),
      now: () => 0,
    });
    catalog.set(new Map([['service', only]]));
    return {
      facts: new ComposerModels({
        catalog,
        marks,
        support: {
          lacksImages: () => false,
          lacking: () => lacking,
          hasAcceptedImages: (model) => model === accepted,
          // As if from disk.
          load: () => Promise.resolve(void (accepted = 'm')),
        },
      }),
      catalog,
      asked: () => asked,
      read: () => read,
    };
  }

  it('are only read from disk when attachments become visible', async () => {
    const { facts: seen, catalog, asked, read } = facts();
    seen.load();
    // The catalog loads once for all: after this, everything that showing them started has finished.
    await catalog.load();
    assert.deepEqual([read(), asked()], [1, 0]);
    assert.equal(seen.contextWindowOf('m'), undefined);
  });

  it('only include models that can be offered', async () => {
    class Marks extends AllMarks {
      #hidden: string | undefined;
      hide(model: string): void {
        this.#hidden = model;
      }
      override isHidden(model: string): boolean {
        return model === this.#hidden;
      }
    }
    const [marks, lacking] = [new Marks(), new Set<string>()];
    const { facts: seen, catalog } = facts({ marks, lacking });
    await catalog.refresh();
    const ids = () => seen.models.map(({ id }) => id);
    assert.deepEqual(ids(), ['m']);
    lacking.add('service');
    assert.deepEqual(ids(), []);
    lacking.clear();
    let changes = 0;
    const stop = seen.onDidChange(() => (changes += 1));
    marks.hide('m');
    marks.set(new Map());
    assert.deepEqual([ids(), changes], [[], 1]);
    stop();
    marks.set(new Map());
    assert.equal(changes, 1);
  });

  it('include that a model has accepted an image, unless the list says that it accepts none', async () => {
    const { facts: seen, catalog } = facts();
    await catalog.refresh();
    assert.equal(seen.seesPictures('m'), undefined);
    const loaded = new Promise<void>((resolve) => seen.onDidChange(resolve));
    seen.load();
    await loaded;
    assert.equal(seen.seesPictures('m'), true);
    assert.equal(seen.seesPictures('other'), undefined);
    const { facts: listed, catalog: withKinds } = facts({ inputModalities: ['text'] });
    await withKinds.refresh();
    listed.load();
    await Promise.resolve();
    assert.equal(listed.seesPictures('m'), false);
  });

  it('are fetched once when something is added', async () => {
    const { facts: wanted, catalog, asked } = facts();
    const came = new Promise<void>((resolve) => catalog.onDidChange(() => catalog.isRefreshing || resolve()));
    wanted.wanted();
    wanted.wanted();
    await came;
    assert.equal(asked(), 1);
    assert.equal(wanted.contextWindowOf('m'), 1000);
  });
});
