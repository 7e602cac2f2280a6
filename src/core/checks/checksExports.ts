import * as l10n from '@vscode/l10n';
import { stringify } from 'yaml';
import { amountText } from '../../words/amount.ts';
import { chatNumberFields, chatNumbers } from '../../shared/chatParameters.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { modelFromText } from '../models/modelText.ts';
import { durationText } from '../../words/duration.ts';
import type { CheckCellView, ChecksView } from '../../shared/checks.ts';
import type { CheckCase, CheckMessage } from './checksFile.ts';
import type { PromptOptions } from '../prompts/promptDefinition.ts';
import { expectationName } from './expectation.ts';
import { exportedConfig } from './promptfoo/promptfooModels.ts';

const shown: Readonly<Record<CheckCellView['state'], string>> = {
  passed: 'passed',
  flaky: 'flaky',
  failed: 'failed',
  undecided: "couldn't run",
  running: 'running',
  none: '',
};

/** A table for a pull request. */
export function checksMarkdown({ files, columns }: ChecksView): string {
  const figures = (name: string, value: (column: ChecksView['columns'][number]) => string) =>
    markdownRow([name, ...columns.map(value)]);
  const lines = [
    markdownRow(['', ...columns.map(({ model }) => markdownCell(modelLabel(model)))]),
    markdownRow(['---', ...columns.map(() => '---')]),
    figures(l10n.t('Passed'), ({ passed, counted }) => l10n.t('{0} of {1}', passed, counted)),
    figures(l10n.t('Price per 1,000'), ({ costPerThousand }) =>
      costPerThousand === undefined ? '–' : amountText(costPerThousand),
    ),
    figures(l10n.t('Median total'), ({ totalMs }) => (totalMs === undefined ? '–' : durationText(totalMs / 1000))),
    ...files.flatMap(({ name, rows }) => [
      markdownRow([`**${markdownCell(name)}**`, ...columns.map(() => '')]),
      ...rows.map((each) => markdownRow([markdownCell(each.name), ...each.cells.map((cell) => cellWords(cell))])),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line per case and model. */
export function checksCsv({ files, columns }: ChecksView): string {
  const head = ['file', 'case', 'model', 'state', 'passed', 'counted', 'cost_per_1000', 'median_total_ms'];
  const lines = files.flatMap(({ name, rows }) =>
    rows.flatMap((each) =>
      columns.map(({ model, costPerThousand, totalMs }, at) => {
        const { state = 'none', passed = 0, counted = 0 } = each.cells[at] ?? {};
        return [
          name,
          each.name,
          modelLabel(model),
          shown[state],
          passed,
          counted,
          fixed(costPerThousand),
          fixed(totalMs, 0),
        ];
      }),
    ),
  );
  return [head, ...lines].map((line) => `${line.map((value) => csvField(String(value))).join(',')}\r\n`).join('');
}

/** One test suite per file, for CI systems. A flaky case is a failure. */
export function checksJunit({ files, columns }: ChecksView): string {
  const suites = files.map(({ name, rows }) => {
    const tests = rows.flatMap((each) =>
      columns.map(
        ({ model }, at) =>
          ({ name: each.name, model, cell: each.cells[at] ?? { state: 'none', passed: 0, counted: 0 } }) as const,
      ),
    );
    const count = (...states: readonly string[]) => tests.filter(({ cell }) => states.includes(cell.state)).length;
    const body = tests.map(({ name: test, model, cell }) => {
      const open = `    <testcase classname="${xmlText(modelLabel(model))}" name="${xmlText(test)}"`;
      if (cell.state === 'passed') return `${open}/>`;
      const words = xmlText(cellWords(cell));
      const inner =
        cell.state === 'failed' || cell.state === 'flaky'
          ? `<failure message="${words}"/>`
          : cell.state === 'undecided'
            ? `<error message="${words}"/>`
            : '<skipped/>';
      return `${open}>${inner}</testcase>`;
    });
    const sums = `tests="${tests.length}" failures="${count('failed', 'flaky')}" errors="${count('undecided')}" skipped="${count('none', 'running')}"`;
    return [`  <testsuite name="${xmlText(name)}" ${sums}>`, ...body, '  </testsuite>'].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

/** A case with what is sent for it. */
interface SentCase {
  readonly check: CheckCase;
  readonly messages: readonly CheckMessage[];
  readonly options: PromptOptions;
}

/**
 * A configuration that runs the same cases with promptfoo, for example in CI.
 * @param repeat how often each case is sent to each model
 */
export function promptfooConfig(cases: readonly SentCase[], models: readonly ModelRef[], repeat: number): string {
  const tests = cases.map(({ check, messages, options }) => ({
    description: check.name,
    vars: { messages: literalValue(JSON.stringify(messages)) },
    ...optionsOf(options),
    assert: check.expectations.map((expectation) => ({
      type: expectationName(expectation),
      ...('value' in expectation && { value: literalValue(expectation.value) }),
      ...(expectation.threshold !== undefined && { threshold: expectation.threshold }),
      ...(expectation.weight !== 1 && { weight: expectation.weight }),
      ...(expectation.judge !== undefined && { provider: providerOf(modelFromText(expectation.judge)) }),
    })),
    ...(check.threshold !== undefined && { threshold: check.threshold }),
  }));
  const config = {
    prompts: ['{{messages}}'],
    providers: models.map(providerOf),
    ...(repeat > 1 && { evaluateOptions: { repeat } }),
    tests,
  };
  const comment = '# OPENAI_BASE_URL and OPENAI_API_KEY say which service promptfoo asks.\n';
  return comment + stringify(config, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** Cases of different prompts can have different parameters, so each test has its own. */
function optionsOf(options: PromptOptions) {
  const fields = chatNumberFields(chatNumbers((name) => options[name]));
  return Object.keys(fields).length === 0 ? {} : { options: fields };
}

/**
 * Values that were filled in are no longer templates, so what would open a tag becomes text. A raw block wouldn't do:
 * promptfoo leaves a value with `{{name}}` in it as it is if it knows no such variable.
 */
function literalValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\{(?=[{%#])/g, '{{ "{" }}');
  return Array.isArray(value) ? value.map(literalValue) : value;
}

/** promptfoo uses a single service: the one in its environment. */
function providerOf(model: ModelRef) {
  return { id: `openai:chat:${refParts(model).model}`, config: exportedConfig };
}

function cellWords({ state, passed, counted }: CheckCellView): string {
  if (state === 'none' || state === 'running') return '';
  return counted === 0 ? shown[state] : `${passed}/${counted} ${shown[state]}`;
}

function fixed(value: number | undefined, decimals = 6): string {
  return value === undefined ? '' : String(Number(value.toFixed(decimals)));
}

/** Spreadsheets treat text that starts with one of these characters as a formula. */
function csvField(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
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
