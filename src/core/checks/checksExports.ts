import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { costText } from '../../words/amount.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { csvOf } from '../../words/csv.ts';
import { chatNumberFields } from '../../shared/chatParameters.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { modelFromText } from '../models/modelText.ts';
import { measuredMsText } from '../../words/runFigures.ts';
import type { CheckCellView, CheckRowView, ChecksView } from '../../shared/checks.ts';
import type { CheckCase } from './checksFile.ts';
import { expectationName } from './expectation.ts';
import { exportedConfig } from './promptfoo/promptfooModels.ts';
import type { SentCheck } from './sentCheck.ts';

const shown: Readonly<Record<CheckCellView['state'], string>> = {
  passed: 'passed',
  flaky: 'flaky',
  failed: 'failed',
  undecided: "couldn't run",
  running: 'running',
  none: 'not run',
  unlisted: '',
};

/** A table for a pull request. */
export function checksMarkdown({ files, columns }: ChecksView): string {
  const figures = (name: string, value: (column: ChecksView['columns'][number]) => string) =>
    markdownRow([name, ...columns.map(value)]);
  const lines = [
    markdownRow(['', ...columns.map(({ model }) => markdownCell(modelLabel(model)))]),
    markdownRow(['---', ...columns.map(() => '---')]),
    figures(l10n.t('Passed'), ({ passed, counted }) => l10n.t('{0} of {1}', passed, counted)),
    figures(l10n.t('Price per 1,000'), ({ costPerThousand, isEstimate }) =>
      costPerThousand === undefined ? '–' : costText(costPerThousand, { isEstimate }),
    ),
    figures(l10n.t('Median total'), ({ totalMs }) => (totalMs === undefined ? '–' : measuredMsText(totalMs))),
    ...files.flatMap(({ name, rows }) => [
      markdownRow([`**${markdownCell(name)}**`, ...columns.map(() => '')]),
      ...rows.map((each) => markdownRow([markdownCell(each.name), ...each.cells.map((cell) => cellWords(cell, each))])),
    ]),
  ];
  const marks = marksExplained(...lines);
  return `${[...lines, ...(marks.length === 0 ? [] : ['', marks.join(' · ')])].join('\n')}\n`;
}

/** One line per case and model. The price and the time cover all cases with the model, as in the table. */
export function checksCsv({ files, columns }: ChecksView): string {
  const head = [
    'file',
    'case',
    'model',
    'state',
    'passed',
    'counted',
    'model_cost_per_1000',
    'model_median_total_ms',
    'model_tokens_estimated',
  ];
  const lines = files.flatMap(({ name, rows }) =>
    rows.flatMap((each) =>
      columns.flatMap(({ model, costPerThousand, totalMs, isEstimate }, at) => {
        const { state = 'none', passed = 0, counted = 0 } = each.cells[at] ?? {};
        const figures = [passed, counted, rounded(costPerThousand), rounded(totalMs, 0), isEstimate ? 1 : 0];
        const words = isFaulty(each, state) ? cannotRun : shown[state];
        return state === 'unlisted' ? [] : [[name, each.name, modelLabel(model), words, ...figures]];
      }),
    ),
  );
  return csvOf([head, ...lines]);
}

/** One test suite per file, for CI systems. A flaky case is a failure, and one that can't be run an error. */
export function checksJunit({ files, columns }: ChecksView): string {
  const suites = files.map(({ name, rows }) => {
    const tests = rows.flatMap((row) => {
      const { name: test, notRun } = row;
      // Without a model, too: it mustn't be missing where it could be overlooked.
      if (notRun !== undefined && row.cells.every(({ state }) => state === 'unlisted'))
        return [{ test, group: name, kind: 'error' as const, words: notRun }];
      return columns.flatMap(({ model }, at) => {
        const cell: CheckCellView = row.cells[at] ?? { state: 'none', passed: 0, counted: 0 };
        const isWrong = isFaulty(row, cell.state);
        const words = isWrong ? (notRun ?? '') : cellWords(cell, row);
        const kind = isWrong ? 'error' : junitKinds[cell.state];
        return cell.state === 'unlisted' ? [] : [{ test, group: modelLabel(model), kind, words }];
      });
    });
    const count = (wanted: string) => tests.filter(({ kind }) => kind === wanted).length;
    const body = tests.map(({ test, group, kind, words }) => {
      const open = `    <testcase classname="${xmlText(group)}" name="${xmlText(test)}"`;
      if (kind === '') return `${open}/>`;
      const inner = kind === 'skipped' ? '<skipped/>' : `<${kind} message="${xmlText(words)}"/>`;
      return `${open}>${inner}</testcase>`;
    });
    const sums = `tests="${tests.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
    return [`  <testsuite name="${xmlText(name)}" ${sums}>`, ...body, '  </testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

const junitKinds: Readonly<Record<CheckCellView['state'], '' | 'failure' | 'error' | 'skipped'>> = {
  passed: '',
  flaky: 'failure',
  failed: 'failure',
  undecided: 'error',
  running: 'skipped',
  none: 'skipped',
  unlisted: '',
};

/** A case with what is sent for it. */
interface SentCase extends SentCheck {
  readonly check: CheckCase;
  /** The models that it's sent to, and how often to each. */
  readonly models: readonly ModelRef[];
  readonly repeat: number;
}

/**
 * A configuration that runs the same cases with promptfoo, for example in CI. promptfoo sends all of them to all models,
 * equally often: a comment says for how many cases that's more than before. A model of several services is one there.
 * @param leftOut cases that can't be run
 */
export function promptfooConfig(cases: readonly SentCase[], models: readonly ModelRef[], leftOut = 0): string {
  const repeat = Math.max(1, ...cases.map((each) => each.repeat));
  const names = namesOf(models);
  const tests = cases.map(({ check, messages, options }) => ({
    description: check.name,
    vars: { messages: literalValue(JSON.stringify(messages)) },
    ...optionsOf(options),
    assert: check.expectations.map((expectation) => ({
      type: expectationName(expectation),
      ...('value' in expectation && { value: literalValue(expectation.value) }),
      ...(expectation.threshold !== undefined && { threshold: expectation.threshold }),
      ...(expectation.weight !== 1 && { weight: expectation.weight }),
      ...(expectation.judge !== undefined && {
        provider: providerOf(refParts(modelFromText(expectation.judge)).model),
      }),
    })),
    ...(check.threshold !== undefined && { threshold: check.threshold }),
  }));
  const config = {
    prompts: ['{{messages}}'],
    providers: names.map(providerOf),
    ...(repeat > 1 && { evaluateOptions: { repeat } }),
    tests,
  };
  const comments = [
    'OPENAI_BASE_URL and OPENAI_API_KEY say which service promptfoo asks.',
    ...differences(cases, models, repeat),
    ...(leftOut === 0
      ? []
      : [leftOut === 1 ? '1 case with errors was left out.' : `${leftOut} cases with errors were left out.`]),
  ];
  const comment = comments.map((line) => `# ${line}\n`).join('');
  return comment + stringify(config, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** How this differs from what Parlance sends. */
function differences(cases: readonly SentCase[], models: readonly ModelRef[], repeat: number): readonly string[] {
  const names = namesOf(models);
  const fewer = cases.filter((each) => names.some((name) => !namesOf(each.models).includes(name))).length;
  const rarer = cases.filter((each) => each.repeat < repeat).length;
  const services = new Set(models.map((model) => refParts(model).service)).size;
  const some = (count: number) =>
    count === cases.length ? 'each is' : `${count} of ${cases.length} ${count === 1 ? 'is' : 'are'}`;
  return [
    ...(fewer === 0
      ? []
      : [`Every case is sent to each of the ${names.length} models. In Parlance, ${some(fewer)} sent to fewer.`]),
    ...(rarer === 0 ? [] : [`Every case is sent ${repeat} times. In Parlance, ${some(rarer)} sent less often.`]),
    ...(services < 2 ? [] : [`In Parlance, these models belong to ${services} services. promptfoo asks only one.`]),
  ];
}

/** Cases of different prompts can have different parameters, so each test has its own. */
function optionsOf(options: SentCheck['options']) {
  const fields = chatNumberFields(options);
  return Object.keys(fields).length === 0 ? {} : { options: fields };
}

/**
 * Values that were filled in are no longer templates, so what would open a tag becomes text, and so does what promptfoo
 * would load from a file. A raw block wouldn't do: promptfoo leaves a value with `{{name}}` in it as it is if it doesn't
 * know the variable.
 */
function literalValue(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/\{(?=[{%#])|^(?:file:(?=\/\/)|package:)/g, (sign) => `{{ "${sign}" }}`);
  return Array.isArray(value) ? value.map(literalValue) : value;
}

/** promptfoo uses a single service: the one in its environment. */
function providerOf(name: string) {
  return { id: `openai:chat:${name}`, config: exportedConfig };
}

/** Without their services. */
function namesOf(models: readonly ModelRef[]): readonly string[] {
  return [...new Set(models.map((model) => refParts(model).model))];
}

const cannotRun = "can't run";

/** Whether a case has no result because it can't be run. */
function isFaulty({ notRun }: CheckRowView, state: CheckCellView['state']): boolean {
  return notRun !== undefined && state === 'none';
}

function cellWords({ state, passed, counted }: CheckCellView, row: CheckRowView): string {
  if (isFaulty(row, state)) return cannotRun;
  if (state === 'running' || counted === 0) return shown[state];
  return `${passed}/${counted} ${state === 'undecided' ? 'unfinished' : shown[state]}`;
}

function rounded(value: number | undefined, decimals = 6): number | null {
  return value === undefined ? null : Number(value.toFixed(decimals));
}

function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\n\r\t]/g, ' ');
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function markdownCell(text: string): string {
  return text.replace(/[\\|<>`*_[\]]/g, String.raw`\$&`).replace(/\s+/g, ' ');
}
