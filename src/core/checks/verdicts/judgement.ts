import { embeddedJson, type EmbeddedObject } from './embeddedJson.ts';
import { isRecord } from '../../../shared/isRecord.ts';

/** What a judge says about a reply. */
export interface Judgement {
  readonly pass?: boolean;
  /** From 0 to 1. */
  readonly score?: number;
  readonly reason: string;
}

/**
 * Reads a judge's reply, which might quote anything from the reply that it judges. Undefined if there's no verdict, or if
 * it's not certain which one is the judge's own.
 */
export function judgementIn(reply: string): Judgement | undefined {
  const whole = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/.exec(reply.trim())?.[1] ?? reply.trim();
  const json = strictObject(whole);
  if (json !== undefined) return isRepeated(whole) ? undefined : judgementOf(json);
  // A quote can contain braces, so objects that are strictly JSON, with their strings, come before promptfoo's rules.
  const strict = strictObjects(reply).filter(isVerdict);
  const found = strict.length > 0 ? strict : embeddedJson(reply).filter(isVerdict);
  const [first, ...others] = found.map(({ object }) => judgementOf(object));
  const isOne = others.every((each) => each?.pass === first?.pass && each?.score === first?.score);
  return isOne && !hasOther(reply, found) ? first : undefined;
}

function isVerdict({ object }: EmbeddedObject): boolean {
  return 'pass' in object || 'score' in object;
}

/** Undefined for values that aren't what a judge is asked for. promptfoo counts those as a yes, or as a no. */
function judgementOf(object: object): Judgement | undefined {
  const [pass, score] = [passOf(ownField(object, 'pass')), scoreOf(ownField(object, 'score'))];
  if (pass === 'odd' || score === 'odd' || (pass === undefined && score === undefined)) return undefined;
  const reason = ownField(object, 'reason');
  return {
    ...(pass !== undefined && { pass }),
    ...(score !== undefined && { score }),
    reason: typeof reason === 'string' ? reason : '',
  };
}

function ownField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined;
}

function passOf(value: unknown): boolean | undefined | 'odd' {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return 'odd';
  return /^(?:true|yes|pass|y)$/i.test(value) ? true : /^(?:false|no|fail|n)$/i.test(value) ? false : 'odd';
}

function scoreOf(value: unknown): number | undefined | 'odd' {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : 'odd';
}

function strictObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The outermost objects that are JSON as they're written. */
function strictObjects(text: string): readonly EmbeddedObject[] {
  const found: EmbeddedObject[] = [];
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from)) {
    const to = endOfObject(text, from);
    const object = to === undefined ? undefined : strictObject(text.slice(from, to));
    if (to === undefined || object === undefined) from += 1;
    else {
      found.push({ object, from, to });
      from = to;
    }
  }
  return found;
}

/** The position after the brace that closes the one at `from`; those in strings don't count. */
function endOfObject(text: string, from: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}]/gs;
  token.lastIndex = from;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}

/** Whether JSON has a `pass` or a `score` twice, of which only the last one would count. */
function isRepeated(json: string): boolean {
  return ['pass', 'score'].some((name) => json.split(new RegExp(`(?<!\\\\)"${name}"\\s*:`)).length > 2);
}

/** Whether a verdict is written anywhere but in these objects, or twice in one of them. */
function hasOther(reply: string, objects: readonly EmbeddedObject[]): boolean {
  let [rest, after] = ['', 0];
  for (const { from, to } of objects) {
    rest += `${reply.slice(after, from)}\n`;
    after = to;
  }
  rest += reply.slice(after);
  return /\b(?:pass|score)\b["']?\s*:/.test(rest) || objects.some(({ from, to }) => isRepeated(reply.slice(from, to)));
}
