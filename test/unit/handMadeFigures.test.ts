import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Expression, parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Texts outside words/ that may contain a figure. */
const right: Readonly<Record<string, readonly string[]>> = {
  // The log is in English.
  'vscode/platform/exchangeLine.ts': [' s', ' tokens'],
  'api/transport/wireTrace.ts': [' ms', ' bytes'],
  'vscode/disk/linesFile.ts': [' bytes were written'],
  // The small line on a card is for support, to be read beside the log.
  'core/problems/connectionProblems.ts': [' ms'],
  // Only names the time zone.
  'vscode/requests/log/logSums.ts': ['new Intl.DateTimeFormat()'],
  // Separates the mark from a figure to draw it.
  'webview/kit/metricsRow.ts': ['°'],
};

/**
 * Calls that put a time or an amount into words without a mark, because it's no figure of a reply: a limit, a price, or a
 * length of time that isn't compared with the service's. All others say where the figure is from: `timeText`,
 * `measuredMsText`, or `costText` with a certainty. `tokensText` always asks for it.
 */
const unmarked: Readonly<Record<string, readonly string[]>> = {
  // These add the marks.
  'words/amount.ts': ['amountText(cost)'],
  'words/replySpeed.ts': ['durationText(value)', 'durationText(total.value)'],
  // Sentences for screen readers, which would read a mark as "degree".
  'words/race.ts': ['durationText(waitingSeconds)', 'durationText(writing)', 'durationText(totalSeconds)'],
  // On the page that measures, every time is measured here, as docs/measuring.md says.
  'words/measuredWords.ts': ['durationText(value / 1000)'],
  'webview/measure/measurePage.ts': ['durationText(tookMs / 1000)'],
  // Only the page knows it.
  'words/thought.ts': ['durationText(seconds)'],
  // Limits.
  'core/checks/expectationText.ts': ['durationText(threshold / 1000)', 'amountText(threshold)'],
  'core/compare/compareEstimate.ts': ["costText(sum('maxCost'))"],
  'vscode/checks/mayRunChecks.ts': ['costText(maxCost)'],
  'vscode/checks/verdictThread.ts': ['durationText(this.#longestMs / 1000)'],
  'vscode/requests/dailyBudget.ts': ['amountText(budget)'],
  'webview/usage/usagePage.ts': ['amountText(budget)'],
  // Prices.
  'core/models/modelFacts.ts': ['amountText(input ?? 0)', 'amountText(input)', 'amountText(output)'],
  'core/models/modelFields.ts': ['amountText(input)', 'amountText(output)'],
  'core/models/priceWords.ts': ['amountText(input)', 'amountText(output)'],
  'vscode/models/setModelDetails.ts': ['amountText(value)'],
  // What the service charged.
  'core/media/mediaFacts.ts': ['costText(cost)'],
};

const unit = String.raw`(?:ms|s|min|h|[kKMG]i?B|bytes?|tokens?|tok\/s|first token)(?!\p{L})`;
/** A mark, a speed, or a placeholder for a number followed by its unit. */
const figure = new RegExp(String.raw`[≈°]|tok\/s|\{\d\}°?\s${unit}`, 'u');
/** What follows a value in a template. */
const unitBehindValue = new RegExp(String.raw`^°?\s?${unit}`, 'u');

/** Most files contain none of these and don't need parsing. */
const perhaps = new RegExp(String.raw`${figure.source}|\}°?\s?${unit}|Intl\.|toLocale\w*String|=== 1`, 'u');

/** Texts and calls in a source that put a figure or a time into words. Comments may contain one. */
function handMadeFigures(name: string, source: string): readonly string[] {
  const found: string[] = [];
  if (!perhaps.test(source)) return found;
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string' && figure.test(value)) found.push(value);
    },
    TemplateLiteral: ({ quasis }) => {
      for (const [index, { value }] of quasis.entries()) {
        if (figure.test(value.raw) || (index > 0 && unitBehindValue.test(value.raw))) found.push(value.raw);
      }
    },
    NewExpression: ({ callee, start, end }) => {
      if (/^Intl\.\w+Format$/.test(source.slice(callee.start, callee.end))) found.push(source.slice(start, end));
    },
    CallExpression: ({ callee, start, end }) => {
      if (/\.toLocale(?:|Date|Time)String$/.test(source.slice(callee.start, callee.end))) {
        found.push(source.slice(start, end));
      }
    },
    ConditionalExpression: ({ test, alternate }) => {
      const counted = /^(?<count>.+) === 1$/s.exec(source.slice(test.start, test.end))?.groups?.['count'];
      if (counted !== undefined) found.push(...bareCounts(counted, alternate, source));
    },
  }).visit(parseSync(name, source).program);
  return found;
}

const bareNames = ['durationText', 'amountText', 'costText'];

/** Calls in a source that word a figure without saying where it's from, and functions that are passed on to do so. */
function unmarkedFigures(name: string, source: string): readonly string[] {
  const found: string[] = [];
  if (!bareNames.some((bare) => source.includes(bare))) return found;
  /** Where a name isn't a use: in imports, in the function itself, and in calls, which are looked at as a whole. */
  const seen = new Set<number>();
  new Visitor({
    ImportSpecifier: ({ imported, local }) => void seen.add(imported.start).add(local.start),
    FunctionDeclaration: ({ id }) => void (id !== null && seen.add(id.start)),
    CallExpression: ({ callee, arguments: given, start, end }) => {
      if (callee.type !== 'Identifier' || !bareNames.includes(callee.name)) return;
      seen.add(callee.start);
      if (callee.name !== 'costText' || given.length === 1) found.push(source.slice(start, end));
    },
    Identifier: ({ name: used, start }) => {
      if (bareNames.includes(used) && !seen.has(start)) found.push(used);
    },
  }).visit(parseSync(name, source).program);
  return found;
}

/** `count` in `count === 1 ? l10n.t('1 model') : l10n.t('{0} models', count)`: a thousand would have no separator. */
function bareCounts(counted: string, plural: Expression, source: string): readonly string[] {
  if (plural.type !== 'CallExpression' || !/\bl10n\.t$/.test(source.slice(plural.callee.start, plural.callee.end))) {
    return [];
  }
  const given = plural.arguments.slice(1).map(({ start, end }) => source.slice(start, end));
  return given.filter((argument) => argument === counted);
}

describe('Figures and times', () => {
  it('are worded only in src/words, so that all places agree', async () => {
    const wrong: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      if (name.startsWith('words/')) continue;
      for (const text of handMadeFigures(name, await readFile(path, 'utf8'))) {
        if (right[name]?.includes(text) !== true) wrong.push(`${name}: ${text}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('say where they are from, unless they are limits or prices', async () => {
    const [wrong, used]: [string[], string[]] = [[], []];
    for await (const path of glob(`${root}**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      for (const text of unmarkedFigures(name, await readFile(path, 'utf8')))
        (unmarked[name]?.includes(text) === true ? used : wrong).push(`${name}: ${text}`);
    }
    assert.deepEqual(wrong, []);
    const listed = Object.entries(unmarked).flatMap(([name, texts]) => texts.map((text) => `${name}: ${text}`));
    assert.deepEqual(
      listed.filter((each) => !used.includes(each)),
      [],
      'listed without need',
    );
  });

  it("are found if they don't say where they are from", () => {
    for (const [source, ...expected] of [
      ['durationText(totalMs / 1000)', 'durationText(totalMs / 1000)'],
      ['namedCost(amountText(cost))', 'amountText(cost)'],
      ['costText(cost)', 'costText(cost)'],
      ['[1, 2].map(durationText)', 'durationText'],
      ["import { amountText } from './amount.ts';"],
      ['export function durationText(seconds: number): string {}'],
      ['costText(cost, { isEstimate })'],
      ['timeText(figure)'],
    ] as const)
      assert.deepEqual(unmarkedFigures('a.ts', source), expected, source);
  });

  it("are found if they're worded elsewhere", () => {
    const sources = [
      "l10n.t('{0} tok/s', speed)",
      "l10n.t('{0} s', seconds)",
      "l10n.t('{0} min {1} s', minutes, seconds)",
      "l10n.t('{0} MB to {1}', size, model)",
      "l10n.t('Send ≈ {0} tokens?', count)",
      '`${seconds} s`',
      '`${text}°`',
      '`${value} KiB`',
      "new Intl.NumberFormat('en')",
      'new Intl.RelativeTimeFormat(language)',
      'new Date(at).toLocaleString()',
      'date.toLocaleTimeString(language)',
      "files.length === 1 ? l10n.t('1 file') : vscode.l10n.t('{0}, {1} files', name, files.length)",
    ];
    for (const source of sources) assert.equal(handMadeFigures('a.ts', source).length, 1, source);
    const others = [
      "l10n.t('{0} sent it', name)",
      '`${count} seeds`',
      '// 84 tok/s',
      "l10n.t('Max tokens')",
      'new Intl.Collator()',
      'name.toLocaleLowerCase()',
      "count === 1 ? l10n.t('1 file') : l10n.t('{0} files', numberText(count))",
    ];
    for (const source of others) assert.deepEqual(handMadeFigures('a.ts', source), [], source);
  });
});
