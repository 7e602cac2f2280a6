import assert from 'node:assert/strict';
import { measureDefaults } from '../../../../src/core/measuring/measureDefaults.ts';
import { MeasureDraft } from '../../../../src/vscode/measure/measureDraft.ts';

describe('The form of Measure Models', () => {
  for (const isClosed of [true, false]) {
    it(`${isClosed ? 'creates no run' : 'creates a run'} if its tab ${isClosed ? 'was closed' : 'stays open'} while the user was asked`, async () => {
      const made: string[] = [];
      let isOpen = true;
      const draft = new MeasureDraft({
        experiments: () =>
          Promise.resolve({
            forecast: { modelOf: () => undefined },
            store: { create: ({ id }: { readonly id: string }) => Promise.resolve(void made.push(id)) } as never,
          }),
        memory: {
          form: () => Promise.resolve({ ...measureDefaults, models: [{ id: 'a' }] }),
          keep: () => undefined,
        } as never,
        hostOf: () => 'a.test',
        isOverBudget: () => Promise.resolve(false),
        agrees: () => {
          isOpen = !isClosed;
          return Promise.resolve(true);
        },
      });
      await draft.load();
      const id = await draft.create(() => isOpen);
      assert.deepEqual(made, isClosed ? [] : [id]);
    });
  }
});
