import * as l10n from '@vscode/l10n';
import type { ChecksView } from '../../shared/checks.ts';
import { numberText } from '../../words/numberText.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** What the order means, in a sentence. */
export function columnsNote({ columns, order }: ChecksView): string {
  const tried = columns.filter(({ counted }) => counted > 0);
  const [best] = columns;
  if (tried.length === 0) return l10n.t('Not run yet');
  if (best === undefined || !tried.some(({ passesAll }) => passesAll)) return nobodyNote(tried);
  const cheaper = tried
    .filter((column) => !column.passesAll && isBelow(column.costPerThousand, best.costPerThousand))
    .toSorted((one, other) => (one.costPerThousand ?? 0) - (other.costPerThousand ?? 0))
    .at(-1);
  if (order !== 'cheapest' || cheaper === undefined) return '';
  const { model, passed, counted } = cheaper;
  // It might still pass everything.
  if (passed === counted) return l10n.t('{0} costs less, but has no result for some cases.', modelLabel(model));
  return l10n.t(
    '{0} costs less, but {1} of its {2} runs failed.',
    modelLabel(model),
    numberText(counted - passed),
    numberText(counted),
  );
}

/** A model that wasn't sent every case might still have passed all those that it was. */
function nobodyNote(tried: ChecksView['columns']): string {
  const clean = tried
    .filter(({ passed, counted, undecided }) => passed === counted && undecided === 0)
    // The one whose passes say most: it was run on all of its cases, or else on the most.
    .toSorted((one, other) => Number(other.isFinished) - Number(one.isFinished) || other.counted - one.counted)
    .at(0);
  return clean === undefined
    ? l10n.t('No model passes every case')
    : l10n.t('No model passes every case. {0} passes all those that it was sent.', modelLabel(clean.model));
}

/** The result of a run, in a sentence or two. */
export function runNote(view: ChecksView): string {
  const best = view.columns.find(({ passesAll }) => passesAll);
  const result = best === undefined ? '' : l10n.t('{0} passes every case.', modelLabel(best.model));
  return [result, columnsNote(view)].filter((words) => words !== '').join(' ');
}

function isBelow(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}
