import * as l10n from '@vscode/l10n';
import { type MeasuredGroup, type SpreadName, spreadNames, type SpreadView } from '../../shared/measuring.ts';
import { costText } from '../../words/amount.ts';
import { csvOf } from '../../words/csv.ts';
import { figureWords, groupFigureText, workloadText } from '../../words/measuredWords.ts';
import { modelLabel, namedModel } from '../../words/modelLabel.ts';
import { momentText } from '../../words/moment.ts';
import { numberText, preciseNumberText } from '../../words/numberText.ts';
import { tokenLimitText } from '../../words/tokens.ts';
import type { MeasuredRun } from './measuredComparison.ts';

/** The figures of a distribution, which name the columns. */
const statistics = ['median', 'p90', 'p95', 'p99', 'iqr'] as const satisfies readonly (keyof SpreadView)[];
const columnNames: Readonly<Record<SpreadName, string>> = {
  firstMs: 'ttft_ms',
  tokensPerSecond: 'tokens_per_second',
  endToEndMs: 'end_to_end_ms',
  perTokenMs: 'tpot_ms',
  gapMs: 'itl_ms',
};

/**
 * One line per model and level of concurrency. Numbers and names are for programs, so they're the same in every
 * language.
 */
export function measurementCsv({ result }: MeasuredRun): string {
  const heads = [
    'model',
    'service',
    'concurrency',
    'successful',
    'incomplete',
    'stopped',
    'failed',
    ...spreadNames.flatMap((name) => statistics.map((statistic) => `${columnNames[name]}_${statistic}`)),
    'requests_per_second',
    'overall_tokens_per_second',
    'goodput_requests_per_second',
    'cost_per_1000',
    'tokens_estimated',
  ];
  const lines = result.groups.map((group) => {
    const { model, service = null } = namedModel(result.models[group.model]?.id ?? '');
    return [
      model,
      service,
      group.load,
      group.done,
      group.incomplete,
      group.stopped,
      group.failed,
      ...spreadNames.flatMap((name) => statistics.map((statistic) => plain(group.spreads[name]?.[statistic]))),
      plain(group.requestsPerSecond),
      plain(group.overallTokensPerSecond),
      plain(group.goodRequestsPerSecond),
      plain(group.costPer1000),
      group.isEstimate ? 1 : 0,
    ];
  });
  return csvOf([heads, ...lines]);
}

/** Everything: what was sent, the figures, and each request. `models` has their names, in the order of the result's. */
export function measurementJson({ experiment, result }: MeasuredRun): string {
  const models = result.models.map(({ id }) => namedModel(id));
  return `${JSON.stringify({ version: 1, models, experiment, result }, null, 2)}\n`;
}

/** For people: the main figures in a table, at each level of concurrency. */
export function measurementMarkdown({ experiment, result }: MeasuredRun): string {
  const heads = [
    l10n.t('Model'),
    l10n.t('Requests at once'),
    ...(['firstMs', 'tokensPerSecond', 'endToEndMs'] as const).flatMap((name) => [
      l10n.t('{0}, median', figureWords(name).label),
      name === 'tokensPerSecond'
        ? l10n.t('{0}, slowest 5%', figureWords(name).label)
        : l10n.t('{0}, p95', figureWords(name).label),
    ]),
    figureWords('requestsPerSecond').label,
    l10n.t('Successful'),
    l10n.t('Failed'),
    figureWords('costPer1000').label,
  ];
  const rows = result.groups.map((group) => [
    modelLabel(result.models[group.model]?.id ?? ''),
    numberText(group.load),
    spread(group, 'firstMs', 'median'),
    spread(group, 'firstMs', 'p95'),
    spread(group, 'tokensPerSecond', 'median'),
    spread(group, 'tokensPerSecond', 'p95'),
    spread(group, 'endToEndMs', 'median'),
    spread(group, 'endToEndMs', 'p95'),
    group.requestsPerSecond === undefined ? '–' : preciseNumberText(group.requestsPerSecond),
    numberText(group.done),
    numberText(group.failed),
    group.costPer1000 === undefined ? '–' : costText(group.costPer1000, group),
  ]);
  const facts = [
    momentText(result.at),
    ...(result.host === undefined ? [] : [result.host]),
    result.promptName ?? workloadText(result.workload),
    ...(experiment.options?.maxTokens === undefined
      ? []
      : [l10n.t('at most {0}', tokenLimitText(experiment.options.maxTokens))]),
  ];
  const lines = [
    `# ${l10n.t('Measure Models')}`,
    '',
    facts.map(cell).join(' · '),
    '',
    line(heads),
    line(heads.map(() => '---')),
    ...rows.map(line),
    ...result.notes.flatMap((note) => ['', cell(note)]),
  ];
  return `${lines.join('\n')}\n`;
}

function spread(group: MeasuredGroup, name: SpreadName, statistic: 'median' | 'p95'): string {
  const value = group.spreads[name]?.[statistic];
  return value === undefined ? '–' : groupFigureText(group, name, value);
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** Names come from services, so they must not end a table cell or become markup. */
function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|!~]/g, '\\$&');
}

function plain(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(6));
}
