import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelAbility } from '../../src/core/models/modelAbilities.ts';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { mainServiceId } from '../../src/shared/modelRef.ts';
import type { Problem } from '../../src/shared/problem.ts';
import { pickModel, type PickModelDeps } from '../../src/vscode/models/pickModel.ts';
import { eventually } from './eventually.ts';
import { withShownRows } from './shownRows.ts';

const never = (): undefined => undefined;
const nothing = (): Promise<void> => Promise.resolve();

/** One service, whose list couldn't be fetched, or is being fetched. */
function without(
  list: 'failed' | 'fetching',
  index = new ModelIndex([]),
  lacking: (ability: ModelAbility) => ReadonlySet<string> = () => new Set(),
): PickModelDeps {
  const problem: Problem = {
    severity: 'error',
    title: 'Connection refused',
    detail: '',
    actions: [{ kind: 'retry', label: 'Retry' }],
    technical: '',
  };
  const models = {
    catalog: {
      index,
      error: list === 'failed' ? { cause: new Error('down'), at: 1 } : undefined,
      fetchedAt: undefined,
      isRefreshing: list === 'fetching',
      byService: new Map(),
      onDidChange: () => never,
      ensure: nothing,
    },
    marks: {
      view: { favorites: ['acme/kept'], hidden: new Set(), recent: ['acme/used', 'acme/kept'] },
      isFavorite: (id: string) => id === 'acme/kept',
      onDidChange: () => never,
      load: nothing,
    },
    measured: { figures: never },
    refreshAfterMinutes: { value: 0 },
  };
  const support = () => ({ load: nothing, lacking });
  return { models, explainer: { problemOfError: () => problem }, runAction: nothing, support } as never;
}

describe('The list to select a model from', () => {
  for (const [list, others] of [
    ['failed', ['Connection refused', 'Retry']],
    ['fetching', []],
  ] as const) {
    it(`has favorites and recently used models if the service's list ${list === 'failed' ? "couldn't be" : 'is being'} fetched`, async () => {
      await withShownRows(async (rows, hide) => {
        const picked = pickModel(undefined, without(list));
        const selectable = () =>
          rows().filter((row) => !('kind' in row) || row.kind !== vscode.QuickPickItemKind.Separator);
        await eventually('the rows', () => selectable().length > 0);
        assert.deepEqual(
          selectable().flatMap(({ model }) => model ?? []),
          ['acme/kept', 'acme/used'],
        );
        const labels = selectable().filter(({ model }) => model === undefined);
        assert.deepEqual(
          labels.map(({ label }) => label.replace(/^\$\([\w-]+\) /, '')),
          others,
        );
        hide();
        assert.equal(await picked, undefined);
      });
    });
  }

  for (const [isKnown, says] of [
    [false, 'says that a model sees images if the list does'],
    [true, "doesn't say that a model sees images if its service is known not to support that"],
  ] as const) {
    it(says, async () => {
      await withShownRows(async (rows, hide) => {
        const index = new ModelIndex([{ id: 'acme/used', kind: 'chat', inputModalities: ['text', 'image'], raw: {} }]);
        const lacking = (ability: ModelAbility) => new Set(isKnown && ability === 'multimodal' ? [mainServiceId] : []);
        const picked = pickModel(undefined, without('fetching', index, lacking));
        const described = () =>
          rows()
            .find(({ model }) => model === 'acme/used')
            ?.description?.trim();
        await eventually('the row', () => described() === (isKnown ? '' : 'chat with images'));
        hide();
        assert.equal(await picked, undefined);
      });
    });
  }
});
