import * as l10n from '@vscode/l10n';
import { capabilityText } from '../../core/services/capabilityText.ts';
import type { Support } from '../../core/services/supportOf.ts';
import { reasonText, sourceText, supportText } from '../../core/services/supportText.ts';
import { inline } from '../../words/inline.ts';
import { momentText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';
import { modelsText } from '../../words/modelsText.ts';
import { type StaticPage, staticPage } from '../platform/pages/staticPage.ts';
import { escapeHtml } from '../../core/safety/escapeHtml.ts';

export interface SupportRow extends Support {
  /** The models in the list that can do it; absent if the list doesn't say what models can do. */
  readonly models?: number;
}

export interface ServiceDetailsView extends StaticPage {
  readonly name: string;
  /** Empty if there's none. */
  readonly baseUrl: string;
  readonly isKeyMissing: boolean;
  readonly modelCount: number;
  /** When its list was fetched, Unix time in milliseconds. */
  readonly fetchedAt?: number;
  readonly support: readonly SupportRow[];
}

/** The page about one service. Names from the service or the user are plain text in it, and no script can run. */
export function serviceDetailsHtml(view: ServiceDetailsView): string {
  const main = `${factsOf(view)}${supportPart(view)}`;
  return staticPage(view, inline(view.name, 100), { id: 'parlance-service', main });
}

function factsOf({ baseUrl, isKeyMissing, modelCount, fetchedAt }: ServiceDetailsView): string {
  const count = modelsText(modelCount);
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Base URL'), inline(baseUrl, 300)],
    [l10n.t('API key'), isKeyMissing ? l10n.t('Required, not set') : undefined],
    [l10n.t('Model list'), fetchedAt === undefined ? undefined : `${count}, ${momentText(fetchedAt)}`],
  ];
  const rows = facts.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [`<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>\n`],
  );
  return rows.length === 0 ? '' : `<dl>\n${rows.join('')}</dl>\n`;
}

function supportPart({ support }: ServiceDetailsView): string {
  const title = escapeHtml(l10n.t('What it supports'));
  const heads = [l10n.t('Feature'), l10n.t('Supported'), l10n.t('Models'), l10n.t('Based on')];
  const rows = support.map((row) => {
    const reason = reasonText(row);
    const cells = [
      `${escapeHtml(supportText(row))}${reason === '' ? '' : `<p class="reason">${escapeHtml(reason)}</p>`}`,
      row.models === undefined ? '' : escapeHtml(numberText(row.models)),
      escapeHtml(sourceText(row)),
    ];
    const labeled = cells.map((cell, at) => `<td data-label="${escapeHtml(heads[at + 1] ?? '')}">${cell}</td>`);
    return `<tr class="${row.through ?? 'untested'}"><th scope="row">${escapeHtml(capabilityText(row.capability))}</th>${labeled.join('')}</tr>\n`;
  });
  const head = heads.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join('');
  const notes = [
    l10n.t(
      'Based on model lists, on replies, and on requests that services reject before doing any work. Never on names.',
    ),
    ...(support.some(({ through }) => through === undefined)
      ? [l10n.t('Run Test Connection to find out the rest. It costs next to nothing.')]
      : []),
  ];
  return `<h2>${title}</h2>
<table class="support">
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join('')}</tbody>
</table>
${notes.map((note) => `<p class="states">${escapeHtml(note)}</p>\n`).join('')}`;
}
