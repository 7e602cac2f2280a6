import { binaryTag, CORE_SCHEMA, load, mergeTag, omapTag, pairsTag, setTag, timestampTag } from 'js-yaml';

/** An object in a text, with its place in UTF-16 units. */
export interface EmbeddedObject {
  readonly object: object;
  readonly from: number;
  readonly to: number;
}

/** promptfoo looks no further for the end of an object, in UTF-16 units. */
const LONGEST = 100_000;
/** What promptfoo reads JSON with: it merges `<<`, and has dates. */
const schema = CORE_SCHEMA.withTags(mergeTag, binaryTag, timestampTag, omapTag, pairsTag, setTag);

/**
 * The objects in a text, with promptfoo's rules: whatever is between a brace and the one that closes it, or the end of
 * the text, and can be parsed as JSON. It can be loosely written: single quotes or none, trailing commas, `//`
 * comments. The inside of an object isn't searched again.
 */
export function embeddedJson(text: string): readonly EmbeddedObject[] {
  const found: EmbeddedObject[] = [];
  const ends = closingBraces(text);
  let after = 0;
  for (const [from, end] of ends) {
    if (from < after) continue;
    const most = Math.min(from + LONGEST, text.length);
    const isWhole = end !== undefined && end <= most;
    const to = isWhole ? end : most;
    const object = isWhole ? looseObject(text.slice(from, to)) : cutObject(text.slice(from, to));
    if (object === undefined) continue;
    found.push({ object, from, to });
    after = to;
  }
  return found;
}

/** Each opening brace, in order, and the position after its closing one. */
function closingBraces(text: string): ReadonlyMap<number, number | undefined> {
  const ends = new Map<number, number | undefined>();
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '{') {
      ends.set(at, undefined);
      open.push(at);
    } else if (text[at] === '}') {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at + 1);
    }
  }
  return ends;
}

/** An object without its end, for example because the reply was cut off. */
function cutObject(text: string): object | undefined {
  const missing = text.split('{').length - text.split('}').length;
  return looseObject(text + '}'.repeat(Math.max(0, missing)));
}

/** Loosely written JSON is a flow mapping in YAML. */
function looseObject(text: string): object | undefined {
  try {
    const value = load(withoutComments(text), { schema, json: true });
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Without `//` comments outside of quotes. After a colon, `//` belongs to a URL. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<!:)\/\/[^\n]*/g,
    (_all, quoted: string | undefined) => quoted ?? '',
  );
}
