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
