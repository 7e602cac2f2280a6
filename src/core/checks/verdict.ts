import * as l10n from '@vscode/l10n';
import { amountText } from '../../words/amount.ts';
import { durationText } from '../../words/duration.ts';
import { numberText } from '../../words/numberText.ts';
import { embeddedJson } from './embeddedJson.ts';
import type { CheckedReply, Expectation, Verdict } from './expectation.ts';
import { expectationText, listOf, quotedValue } from './expectationText.ts';
import { jsonSchemaCheck } from './jsonSchema.ts';

/**
 * Judges a reply by an expectation, with promptfoo's semantics. Patterns can take forever, so call this on a worker
 * thread. An llm-rubric isn't judged here, because that takes a request.
 */
export function verdictOf(expectation: Expectation, reply: CheckedReply): Verdict {
  const { isInverse, weight } = expectation;
  const found = findingOf(expectation, reply);
  if ('undecided' in found) return { pass: false, score: 0, reason: found.undecided, isUndecided: true };
  const pass = found.holds !== isInverse;
  const expected = expectationText(expectation);
  const detail = isInverse ? undefined : found.detail;
  const reason = pass ? '' : detail === undefined ? expected : `${expected} · ${detail}`;
  // The score is kept. Weight 0 only means that it can't fail.
  return { pass: pass || weight === 0, score: pass ? 1 : 0, reason };
}

/** Whether a reply passes as a whole, and with which score. */
export function caseVerdict(
  expectations: readonly Pick<Expectation, 'weight'>[],
  verdicts: readonly Verdict[],
  threshold?: number,
): Pick<Verdict, 'pass' | 'score'> {
  const weights = expectations.reduce((sum, { weight }) => sum + weight, 0);
  const points = verdicts.reduce((sum, { score }, index) => sum + score * (expectations[index]?.weight ?? 1), 0);
  const score = expectations.length === 0 ? 1 : weights > 0 ? points / weights : 0;
  return { pass: threshold === undefined ? verdicts.every(({ pass }) => pass) : score >= threshold, score };
}

type Finding =
  /** @see Verdict.isUndecided */
  { readonly undecided: string } | { readonly holds: boolean; readonly detail?: string };

function findingOf({ kind, value, threshold = 0 }: Expectation, reply: CheckedReply): Finding {
  const { text } = reply;
  const has = (part: unknown) => text.includes(String(part));
  const ihas = (part: unknown) => text.toLowerCase().includes(String(part).toLowerCase());
  switch (kind) {
    case 'equals':
      return { holds: isEqual(value, text) };
    case 'contains':
      return { holds: has(value) };
    case 'icontains':
      return { holds: ihas(value) };
    case 'contains-all':
      return all(value, has);
    case 'icontains-all':
      return all(value, ihas);
    case 'contains-any':
      return { holds: listOf(value).some(has) };
    case 'icontains-any':
      return { holds: listOf(value).some(ihas) };
    case 'starts-with':
      return { holds: text.startsWith(String(value)) };
    case 'regex':
      return { holds: new RegExp(String(value)).test(text) };
    case 'is-json':
      return isJson(value, text);
    case 'contains-json':
      return containsJson(value, text);
    case 'word-count':
      return wordCount(value, text);
    case 'latency':
      return { holds: reply.latencyMs <= threshold, detail: durationText(reply.latencyMs / 1000) };
    case 'cost':
      if (reply.cost !== undefined) return { holds: reply.cost <= threshold, detail: amountText(reply.cost) };
      return reply.isUncounted === true
        ? { undecided: l10n.t("The service didn't report how many tokens this took.") }
        : { undecided: l10n.t('The model has no known price.') };
    case 'finish-reason': {
      const given = reply.finishReason ?? '';
      const detail = given === '' ? l10n.t('The service returned no reason.') : quotedValue(given);
      return { holds: given !== '' && given.toLowerCase() === String(value).toLowerCase(), detail };
    }
    case 'llm-rubric':
      return { undecided: l10n.t("The judge hasn't replied.") };
  }
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

function all(value: unknown, has: (part: unknown) => boolean): Finding {
  const missing = listOf(value).filter((part) => !has(part));
  return { holds: missing.length === 0, detail: l10n.t('Missing: {0}', missing.map(quotedValue).join(', ')) };
}

function isJson(schema: unknown, text: string): Finding {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { holds: false, detail: error instanceof Error ? error.message : '' };
  }
  return schema ? conforms(schema, [json]) : { holds: true };
}

function containsJson(schema: unknown, text: string): Finding {
  const objects = embeddedJson(text);
  return schema && objects.length > 0 ? conforms(schema, objects) : { holds: objects.length > 0 };
}

/** Whether one of the values matches. */
function conforms(schema: unknown, values: readonly unknown[]): Finding {
  const check = jsonSchemaCheck(schema);
  if ('fault' in check) return { undecided: check.fault };
  let detail = '';
  for (const value of values) {
    const faults = check.faultsOf(value);
    if (faults === undefined) return { holds: true };
    detail = faults;
  }
  return { holds: false, detail };
}

function wordCount(value: unknown, text: string): Finding {
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const detail = numberText(words);
  if (typeof value !== 'object' || value === null) return { holds: words === Number(value), detail };
  const min = 'min' in value && typeof value.min === 'number' ? value.min : 0;
  const max = 'max' in value && typeof value.max === 'number' ? value.max : Infinity;
  return { holds: words >= min && words <= max, detail };
}
