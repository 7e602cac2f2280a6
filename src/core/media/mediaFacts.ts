import * as l10n from '@vscode/l10n';
import {
  cardFields,
  type FieldName,
  type FieldValue,
  type MediaInput,
  type MediaParameters,
  setFields,
} from '../../shared/media.ts';
import type { ParameterView } from '../../shared/protocol/mediaProtocol.ts';
import { numberText } from '../../words/numberText.ts';
import { fieldWords } from '../../words/mediaWords.ts';
import type { MediaRun } from './mediaLibrary.ts';
import { inline } from '../../words/inline.ts';
import { costText, namedCost } from '../../words/amount.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { clipLengthText } from '../../words/duration.ts';

/** The one-line summary on a card, besides the model: `5 s`, `720p`, `Draft`. */
export function mediaFacts(run: MediaRun): readonly string[] {
  const set = setFields(run.parameters);
  const facts = cardFields[run.parameters.kind].map((name) => {
    const value = set.find(({ row }) => row.name === name)?.value;
    return value === undefined ? undefined : factWords(name, value);
  });
  return [...facts, costWords(run)].filter((fact) => fact !== undefined).map((fact) => inline(fact, 40));
}

/** What is set besides the prompt and the files: `5 s · 720p · 24 fps`. Empty if everything is left to the service. */
export function formText(parameters: MediaParameters): string {
  return setFields(parameters)
    .flatMap(({ row, value }) =>
      row.type === 'prompt' || row.type === 'input' ? [] : (factWords(row.name, value) ?? []),
    )
    .join(' · ');
}

/** Everything that was set, under the form's names, and the IDs that support asks for. */
export function mediaDetails(run: MediaRun): readonly ParameterView[] {
  const { parameters, requestId } = run;
  const rows: (readonly [string, string | undefined])[] = [[l10n.t('Model'), modelLabel(parameters.model)]];
  for (const { row, value } of setFields(parameters)) {
    if (row.type !== 'prompt') rows.push([fieldWords(row.name).name, valueWords(row.name, value)]);
  }
  rows.push([l10n.t('Cost'), costInFull(run)]);
  rows.push([l10n.t('Request ID'), requestId]);
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: inline(value, 300) }]));
}

/** For the summary, which shows values without names. */
function factWords(name: FieldName, value: FieldValue): string | undefined {
  if (typeof value === 'boolean') return value ? fieldWords(name).name : undefined;
  const words = valueWords(name, value);
  if (name === 'fps') return l10n.t('{0} fps', words);
  if (name === 'steps') return value === 1 ? l10n.t('1 step') : l10n.t('{0} steps', words);
  return name === 'seed' ? l10n.t('seed {0}', words) : words;
}

/** A value for display: `5 s`, `1024 × 768`. */
export function valueWords(name: FieldName, value: FieldValue): string {
  if (typeof value === 'boolean') return value ? l10n.t('yes') : l10n.t('no');
  if (typeof value === 'object') return inputWords(value);
  if (name === 'size') return String(value).replace('x', ' × ');
  if (typeof value === 'string') return value;
  if (name === 'duration') return clipLengthText(value);
  // A seed has no digit grouping.
  return Number.isInteger(value) ? String(value) : numberText(value, 0, 20);
}

/** What it cost, or will cost; nothing if it was certainly not charged. */
function costWords({ cost, estimate, outcome, unsent }: MediaRun): string | undefined {
  if (cost !== undefined) return namedCost(costText(cost));
  if (estimate === undefined || outcome === 'failed' || unsent === true) return undefined;
  return namedCost(costText(estimate, { isEstimate: true }));
}

function costInFull(run: MediaRun): string | undefined {
  const { cost, estimate } = run;
  if (cost !== undefined) return l10n.t('{0}, reported by the service', numberText(cost, 0, 20));
  if (estimate === undefined || costWords(run) === undefined) return undefined;
  return l10n.t('{0} at list price', costText(estimate, { isEstimate: true }));
}

function inputWords(input: MediaInput): string {
  return input.kind === 'file' ? input.name : input.url.startsWith('data:') ? 'data:' : input.url;
}
