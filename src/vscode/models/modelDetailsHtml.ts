import * as l10n from '@vscode/l10n';
import type { MeasuredFigures, MeasuredReply, Spread } from '../../core/models/measuredModel.ts';
import { descriptionOf, modelFields } from '../../core/models/modelFields.ts';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import type { Figure } from '../../shared/chat.ts';
import { inline } from '../../words/inline.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { momentText } from '../../words/moment.ts';
import { numberText, percentText } from '../../words/numberText.ts';
import { type StaticPage, staticPage } from '../platform/pages/staticPage.ts';
import { escapeHtml } from '../../core/safety/escapeHtml.ts';

export interface ModelDetailsView extends StaticPage {
  readonly entry: IndexedModel;
  readonly isFavorite: boolean;
  readonly isHidden: boolean;
  readonly isDefault: boolean;
  /** When the model list was fetched, as Unix time in milliseconds. */
  readonly fetchedAt?: number;
  readonly figures?: MeasuredFigures;
}

/** The page about one model. All text from the model list is escaped, and no script can run in it. */
export function modelDetailsHtml(view: ModelDetailsView): string {
  const { model } = view.entry;
  const description = descriptionOf(model);
  const main = `${statesOf(view)}${description === '' ? '' : `<p class="description">${escapeHtml(description)}</p>\n`}${factsOf(view)}${measuredPart(view)}${rawPart(view)}`;
  return staticPage(view, inline(modelLabel(model.id)), { id: 'parlance-model', main });
}

function statesOf({ entry, isFavorite, isHidden, isDefault }: ModelDetailsView): string {
  const states = [
    ...(isDefault ? [l10n.t('Default model')] : []),
    ...(isFavorite ? [l10n.t('Favorite')] : []),
    ...(isHidden ? [l10n.t('Hidden')] : []),
    ...(entry.isListed ? [] : [l10n.t("Not in the service's model list")]),
  ];
  return states.length === 0 ? '' : `<p class="states">${states.map(escapeHtml).join(' · ')}</p>\n`;
}

function factsOf({ entry }: ModelDetailsView): string {
  const rows = modelFields(entry.model).map(
    ({ label, value }) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>\n`,
  );
  return rows.length === 0 ? '' : `<dl>\n${rows.join('')}</dl>\n`;
}

function measuredPart({ figures }: ModelDetailsView): string {
  const title = escapeHtml(l10n.t('Measured on this machine'));
  const heading = `<h2>${title}</h2>\n`;
  if (figures === undefined) {
    return `${heading}<p>${escapeHtml(l10n.t('No measurements yet. Run the test prompt, or chat with the model.'))}</p>\n`;
  }
  const { requestCount, failureCount, timeToFirstTokenSeconds: first, tokensPerSecond: speed, latest } = figures;
  const head = [l10n.t('Median'), l10n.t('95% are better'), l10n.t('Latest replies')];
  const rows = [
    ...(first === undefined
      ? []
      : [figureRow(l10n.t('Time to first token'), timeText, first, latest, (reply) => reply.timeToFirstTokenSeconds)]),
    ...(speed === undefined
      ? []
      : [figureRow(l10n.t('Speed'), rateText, speed, latest, (reply) => reply.tokensPerSecond)]),
  ];
  const table =
    rows.length === 0
      ? ''
      : `<div class="measured" role="region" aria-label="${title}" tabindex="0"><table>\n<thead><tr><td></td>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join('')}</tr></thead>\n<tbody>\n${rows.join('')}</tbody>\n</table></div>\n`;
  const counts =
    failureCount === 0
      ? l10n.t('Requests: {0}, none failed.', numberText(requestCount))
      : l10n.t(
          'Requests: {0}, failed: {1} ({2}).',
          numberText(requestCount),
          numberText(failureCount),
          percentText(failureCount / requestCount),
        );
  const notes = [counts, ...marksExplained(table)].map((note) => `<p>${escapeHtml(note)}</p>\n`);
  return `${heading}${table}${notes.join('')}`;
}

function figureRow(
  label: string,
  write: (figure: Figure) => string,
  { p50, p95, from }: Spread,
  latest: readonly MeasuredReply[],
  figure: (reply: MeasuredReply) => number | undefined,
): string {
  const text = (value: number) => write({ value, from });
  const values = latest.map(figure).filter((value) => value !== undefined);
  const line = sparkline(
    values,
    l10n.t(
      '{0}, latest replies ({1}): from {2} to {3}',
      label,
      values.length,
      text(Math.min(...values)),
      text(Math.max(...values)),
    ),
  );
  return `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(text(p50))}</td><td>${escapeHtml(text(p95))}</td><td>${line}</td></tr>\n`;
}

const sparkWidth = 160;
const sparkHeight = 28;
const margin = 3;

/** Oldest to newest, starting at zero, so that two lines of the same height mean the same. */
function sparkline(values: readonly number[], name: string): string {
  if (values.length === 0) return '';
  const top = Math.max(...values) || 1;
  const step = values.length === 1 ? 0 : (sparkWidth - 2 * margin) / (values.length - 1);
  const points = values.map((value, at) => {
    const x = margin + at * step;
    const y = sparkHeight - margin - (value / top) * (sparkHeight - 2 * margin);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const [x = '0', y = '0'] = (points.at(-1) ?? '').split(',');
  return `<svg class="spark" role="img" viewBox="0 0 ${sparkWidth} ${sparkHeight}" width="${sparkWidth}" height="${sparkHeight}"><title>${escapeHtml(name)}</title><polyline points="${points.join(' ')}"/><circle cx="${x}" cy="${y}" r="2.5"/></svg>`;
}

function rawPart({ entry, fetchedAt }: ModelDetailsView): string {
  const fields = Object.entries(entry.model.raw);
  if (!entry.isListed || fields.length === 0) return '';
  const rows = fields.map(
    ([key, value]) =>
      `<tr><th scope="row">${escapeHtml(inline(key, 100))}</th><td><pre>${escapeHtml(rawText(value))}</pre></td></tr>\n`,
  );
  const at =
    fetchedAt === undefined ? '' : `<p>${escapeHtml(l10n.t('As listed on {0}.', momentText(fetchedAt)))}</p>\n`;
  return `<h2>${escapeHtml(l10n.t('Raw data from the service'))}</h2>\n${at}<table class="raw">\n<tbody>\n${rows.join('')}</tbody>\n</table>\n`;
}

const maxRawLength = 20_000;

function rawText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const shown = text.length <= maxRawLength ? text : `${text.slice(0, maxRawLength)}…`;
  // Characters that make text look different are made visible. Line breaks stay.
  return shown.replace(
    /[\p{Cf}\p{Cs}\p{Co}\u2028\u2029]|(?![\n\t])\p{Cc}/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
