import * as l10n from '@vscode/l10n';
import { costText } from '../../../words/amount.ts';
import { numberText } from '../../../words/numberText.ts';
import { measuredMsText } from '../../../words/runFigures.ts';
import type { CheckedReply, Expectation, Verdict } from '../expectation.ts';
import { expectationText, listOf, quotedValue } from '../expectationText.ts';
import { type KnownPattern, knownPattern, patternSteps } from './patternSteps.ts';

export type Finding =
  /** @see Verdict.isUndecided */
  | { readonly undecided: string }
  /** What was found instead is only worked out if it's shown. */
  | { readonly holds: boolean; readonly detail?: () => string };

/** Length of the reply in UTF-16 units, times the number of texts to look for: takes about 10 ms. */
const QUICK = 10_000_000;
/** Steps of a pattern: takes about 10 ms. */
const QUICK_STEPS = 500_000;
/** Length of JSON in UTF-16 units: takes about 10 ms. */
const QUICK_JSON = 500_000;

/**
 * Judges a reply by an expectation that takes no time to speak of. Undefined for the others: most patterns, schemas, and
 * JSON somewhere in a text can take forever.
 */
export function quickVerdict(expectation: Expectation, reply: CheckedReply): Verdict | undefined {
  const found = quickFinding(expectation, reply);
  return found && verdictFrom(expectation, found);
}

export function verdictFrom(expectation: Expectation, found: Finding): Verdict {
  const { isInverse, weight } = expectation;
  if ('undecided' in found) return { pass: false, score: 0, reason: found.undecided, isUndecided: true };
  const pass = found.holds !== isInverse;
  const expected = pass ? '' : expectationText(expectation);
  const detail = isInverse || pass ? undefined : found.detail?.();
  const reason = pass ? '' : detail === undefined ? expected : `${expected} · ${detail}`;
  // The score is kept. Weight 0 only means that it can't fail.
  return { pass: pass || weight === 0, score: pass ? 1 : 0, reason };
}

function quickFinding({ kind, value, threshold = 0 }: Expectation, reply: CheckedReply): Finding | undefined {
  const { text } = reply;
  switch (kind) {
    case 'equals':
      return { holds: isEqual(value, text) };
    case 'contains':
      return { holds: text.includes(String(value)) };
    case 'icontains':
      return { holds: text.toLowerCase().includes(String(value).toLowerCase()) };
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return text.length * listOf(value).length > QUICK ? undefined : listFinding(kind, value, text);
    case 'starts-with':
      return { holds: text.startsWith(String(value)) };
    case 'word-count':
      return wordCount(value, text);
    case 'latency':
      return { holds: reply.latencyMs <= threshold, detail: () => measuredMsText(reply.latencyMs) };
    case 'cost':
      if (reply.cost !== undefined) return costFinding(reply.cost, reply.isEstimate === true, threshold);
      return reply.isUncounted === true
        ? { undecided: l10n.t("The service didn't report how many tokens this took.") }
        : { undecided: l10n.t('The model has no known price.') };
    case 'finish-reason': {
      const given = reply.finishReason ?? '';
      const detail = () => (given === '' ? l10n.t('The service returned no reason.') : quotedValue(given));
      return { holds: given !== '' && given.toLowerCase() === String(value).toLowerCase(), detail };
    }
    case 'llm-rubric':
      return { undecided: l10n.t("The judge hasn't replied.") };
    case 'regex':
      return quickPattern(value, text);
    case 'is-json':
      return value || text.length > QUICK_JSON ? undefined : jsonFinding(text);
    case 'contains-json':
      return undefined;
  }
}

function costFinding(cost: number, isEstimate: boolean, threshold: number): Finding {
  return { holds: cost <= threshold, detail: () => costText(cost, { isEstimate }) };
}

/** By their texts: the same ones are used for each reply of each model. */
const patterns = new Map<string, KnownPattern>();
const MOST_PATTERNS = 1000;

function quickPattern(value: unknown, text: string): Finding | undefined {
  const pattern = String(value);
  if (!patterns.has(pattern)) {
    if (patterns.size >= MOST_PATTERNS) patterns.clear();
    patterns.set(pattern, knownPattern(pattern));
  }
  if (patternSteps(patterns.get(pattern), text.length) > QUICK_STEPS) return undefined;
  try {
    return { holds: new RegExp(pattern).test(text) };
  } catch {
    // Some patterns only turn out to be too large when they're used.
    return undefined;
  }
}

/** Whether a reply is JSON. */
function jsonFinding(text: string): Finding {
  const json = parsedJson(text);
  return 'fault' in json ? { holds: false, detail: () => json.fault } : { holds: true };
}

export function parsedJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : '' };
  }
}

/** Whether all or any of the texts are in a reply. The time is proportional to their number. */
export function listFinding(kind: `${'' | 'i'}contains-${'all' | 'any'}`, value: unknown, text: string): Finding {
  const lower = text.toLowerCase();
  const has = kind.startsWith('i')
    ? (part: unknown) => lower.includes(String(part).toLowerCase())
    : (part: unknown) => text.includes(String(part));
  if (kind.endsWith('any')) return { holds: listOf(value).some(has) };
  const missing = listOf(value).filter((part) => !has(part));
  return { holds: missing.length === 0, detail: () => l10n.t('Missing: {0}', missing.map(quotedValue).join(', ')) };
}

function isEqual(value: unknown, text: string): boolean {
  if (typeof value !== 'object') return plainText(value) === text;
  try {
    return isSame(value, JSON.parse(text));
  } catch {
    return false;
  }
}

/** Everything except lists and objects, as text. */
function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether two pieces of plain data are equal, ignoring the order of their fields. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  );
}

function wordCount(value: unknown, text: string): Finding {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const detail = () => numberText(words);
  if (typeof value !== 'object' || value === null) return { holds: words === Number(value), detail };
  const min = 'min' in value && typeof value.min === 'number' ? value.min : 0;
  const max = 'max' in value && typeof value.max === 'number' ? value.max : Infinity;
  return { holds: words >= min && words <= max, detail };
}
