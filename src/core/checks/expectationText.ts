import { amountText } from '../../words/amount.ts';
import { durationText } from '../../words/duration.ts';
import { commaList } from './commaList.ts';
import { type Expectation, expectationName } from './expectation.ts';

const LONGEST_QUOTE = 200;

/** An expectation on one line, as in its file: `contains "done"`, `latency ≤ 2000 ms`. The same in every language. */
export function expectationText(expectation: Expectation): string {
  const { kind, isInverse, value, threshold = 0 } = expectation;
  const name = expectationName(expectation);
  const limit = isInverse ? '>' : '≤';
  switch (kind) {
    case 'latency':
      return `${kind} ${limit} ${durationText(threshold / 1000)}`;
    case 'cost':
      return `${kind} ${limit} ${amountText(threshold)}`;
    case 'is-json':
    case 'contains-json':
      return value ? `${name} {…}` : name;
    case 'word-count':
      return `${name} ${wordsWanted(value)}`;
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return `${name} ${listOf(value).map(quotedValue).join(', ')}`;
    default:
      return `${name} ${quotedValue(value)}`;
  }
}

/** The items of a value that is a list, or text with commas. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return commaList(String(value)) ?? [];
}

export function quotedValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}"`;
}

function wordsWanted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const min = 'min' in value ? `≥ ${String(value.min)}` : '';
  const max = 'max' in value ? `≤ ${String(value.max)}` : '';
  return [min, max].filter((part) => part !== '').join(', ');
}
