import { nonEmptyString, type JsonObject } from '../wire/decode.ts';
import { parseJson } from '../wire/parseJson.ts';
import type { WholeAnswer } from '../wire/wholeAnswer.ts';
import { isRecord } from '../../shared/isRecord.ts';

/*
 * The results are paid for, so this looks in every place where services have been seen to put them. A link without a
 * host is on the service's own host.
 */

const listFields = ['data', 'images', 'videos', 'output', 'outputs', 'artifacts', 'results'];
const nestedFields = ['data', 'output', 'result', 'image', 'video', 'response'];
const linkFields = ['url', 'image_url', 'video_url', 'uri', 'link', 'download_url', 'output'];
const encodedFields = ['b64_json', 'base64', 'b64', 'image_base64', 'video_base64', 'image', 'video'];

/** The rows of a response, one for each result: objects, and plain strings. */
export function mediaRows(json: unknown, depth = 0): readonly unknown[] {
  if (typeof json === 'string') return [json];
  if (Array.isArray(json)) return json;
  if (!isRecord(json)) return [];
  const list = listFields.map((field) => json[field]).find((each) => Array.isArray(each) && each.length > 0);
  if (Array.isArray(list)) return list;
  const nested = depth > 1 ? undefined : nestedFields.map((field) => json[field]).find((each) => isRecord(each));
  return nested === undefined ? [json, ...bareTexts(json)] : [json, ...mediaRows(nested, depth + 1)];
}

function bareTexts(json: JsonObject): readonly unknown[] {
  return ['data', 'result'].map((field) => json[field]).filter((each) => typeof each === 'string');
}

/** A link in a row, as an absolute URL; undefined for anything but http and https. */
export function linkIn(row: unknown, answer: WholeAnswer): string | undefined {
  if (typeof row === 'string') return linkOf(row, answer);
  if (!isRecord(row)) return undefined;
  for (const field of linkFields) {
    const value = row[field];
    const link = linkOf(isRecord(value) ? value['url'] : Array.isArray(value) ? value[0] : value, answer);
    if (link !== undefined) return link;
  }
  return undefined;
}

function linkOf(value: unknown, { url }: WholeAnswer): string | undefined {
  const text = nonEmptyString(value)?.trim();
  if (text === undefined) return undefined;
  const whole = webLink(text);
  if (whole !== undefined) return whole;
  return /^\.{0,2}\/\S+$/.test(text) && text.length < 4096 ? webLink(URL.parse(text, url.href)?.href) : undefined;
}

/** The bytes in a row: base64 in its own field, in a `data:` URL, or as the row itself. */
export function bytesIn(row: unknown): Uint8Array | undefined {
  const fields = isRecord(row) ? row : {};
  const texts = typeof row === 'string' ? [row] : [...encodedFields, ...linkFields].map((field) => fields[field]);
  for (const text of texts) {
    const bytes = decoded(isRecord(text) ? (text['url'] ?? text['b64_json']) : text);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}

/** A row without the file in it: the facts are stored with the run, and the file separately. */
export function factsIn(row: unknown): JsonObject {
  if (!isRecord(row)) return {};
  const facts = Object.entries(row).filter(([name, value]) => {
    const isFile = encodedFields.includes(name) || (typeof value === 'string' && value.startsWith('data:'));
    return !isFile && JSON.stringify(value).length < 4096;
  });
  return Object.fromEntries(facts);
}

/** Shorter texts aren't files. */
const leastChars = 16;

function decoded(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length < leastChars) return undefined;
  const isData = /^data:[\w.+/-]*;base64,/i.test(value.slice(0, 100));
  const encoded = isData ? value.slice(value.indexOf(',') + 1) : value;
  return isData || /^[\w+/-]+[\w+/=\r\n-]*$/.test(value.slice(0, 256)) ? Buffer.from(encoded, 'base64') : undefined;
}

/** The JSON of a response whose body might be just a link. */
export function bareLink(answer: WholeAnswer): string | undefined {
  if (answer.body.length > 4096) return undefined;
  const text = new TextDecoder().decode(answer.body).trim();
  return parseJson(text) === undefined ? webLink(text) : undefined;
}

/** An http or https URL, unchanged; undefined for anything else, for example `file:` or `javascript:`. */
function webLink(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? value : undefined;
}
