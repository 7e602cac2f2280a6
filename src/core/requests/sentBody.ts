import type { SentRequest } from '../../api/callObserver.ts';
import type { KeptBody } from '../../api/operations/operation.ts';
import type { SentBody } from './requestBody.ts';

/** Longer texts are embedded files: images that were sent with a message. */
const maxDataAddress = 4096;

/** @param form replaces a body that isn't JSON. */
export function sentBody(
  { method, url, text, isKeyless }: SentRequest,
  isKept: boolean,
  form: KeptBody | undefined,
): SentBody {
  const address = { method, url: url.href, ...(isKeyless === true && { isKeyless }) };
  if (!isKept) return address;
  if (form !== undefined) return { ...address, body: form };
  if (text === undefined) return address;
  const { body, isWhole } = withoutFiles(JSON.parse(text));
  return { ...address, body, ...(!isWhole && { isPartial: true }) };
}

/** A body without the files inside its texts, and whether something was left out. */
function withoutFiles(body: unknown): { readonly body: unknown; readonly isWhole: boolean } {
  let isWhole = true;
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length <= maxDataAddress || !value.startsWith('data:')) return value;
      isWhole = false;
      const comma = value.indexOf(',');
      return `${value.slice(0, Math.min(comma + 1, 100))}[${value.length - comma - 1} characters, not kept]`;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, walk(field)]));
  };
  return { body: walk(body), isWhole };
}
