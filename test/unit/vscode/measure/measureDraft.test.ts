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

  it("compares each service's share of the cost with the budgets", async () => {
    const asked: Record<string, number>[] = [];
    const prices = { inputPricePerMillion: 1000, outputPricePerMillion: 2000 };
    const draft = new MeasureDraft({
      experiments: () =>
        Promise.resolve({
          forecast: { modelOf: ({ id }) => (id === 'free' ? { id } : { id, ...prices }) as never },
          store: {} as never,
        }),
      memory: {
        form: () =>
          Promise.resolve({ ...measureDefaults, models: ['a', 'free', 'two::a', 'two::b'].map((id) => ({ id })) }),
        keep: () => undefined,
      } as never,
      hostOf: () => 'a.test',
      isOverBudget: (costs) => {
        asked.push(Object.fromEntries(costs));
        return Promise.resolve(true);
      },
      agrees: () => Promise.resolve(true),
    });
    await draft.load();
    const { estimate, isOverBudget } = await draft.planView();
    assert.equal(isOverBudget, true);
    const [{ service = 0, two = 0 } = {}] = asked;
    assert.ok(service > 0 && Math.abs(two - 2 * service) < 1e-9, JSON.stringify(asked));
    assert.ok(Math.abs((estimate?.cost ?? 0) - service - two) < 1e-9);
  });
});
