import { parse } from 'yaml';

/**
 * The objects in a text, with promptfoo's rules: whatever is between a brace and the one that closes it, or the end of
 * the text, and can be parsed as JSON. It can be loosely written: single quotes or none, trailing commas, `//`
 * comments. The inside of an object isn't searched again.
 */
export function embeddedJson(text: string): readonly object[] {
  const found: object[] = [];
  const ends = closingBraces(text);
  let after = 0;
  for (const [start, end] of ends) {
    if (start < after) continue;
    const object = end === undefined ? cutObject(text, start) : looseObject(text.slice(start, end));
    if (object === undefined) continue;
    found.push(object);
    after = end ?? text.length;
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

/** An object at the end of the text, for example because the reply was cut off. */
function cutObject(text: string, start: number): object | undefined {
  const rest = text.slice(start);
  const missing = rest.split('{').length - rest.split('}').length;
  return looseObject(rest + '}'.repeat(Math.max(0, missing)));
}

function looseObject(text: string): object | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    // Loosely written JSON is a flow mapping in YAML.
  }
  try {
    return objectOf(
      parse(withoutComments(text), { uniqueKeys: false, stringKeys: true, maxAliasCount: 10, logLevel: 'error' }),
    );
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): object | undefined {
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Without `//` comments outside of quotes. After a colon, `//` belongs to a URL. */
function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<!:)\/\/[^\n]*/g,
    (_all, quoted: string | undefined) => quoted ?? '',
  );
}
