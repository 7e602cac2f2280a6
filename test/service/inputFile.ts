import { invalid } from './requestFields.ts';

/** A file that a request refers to. */
export interface InputFile {
  readonly bytes: Buffer;
  /** How it was sent. */
  readonly source: 'data' | 'network';
}

const largestBytes = 32 * 1024 * 1024;
const limitMs = 10_000;

/**
 * Reads what a `data:`, `https:`, or `http:` URL refers to, up to 32 MiB.
 * @throws {ServiceError} 400 with `param` if it can't be read
 * @throws the signal's AbortError
 */
export async function readInputFile(url: string, param: string, signal: AbortSignal): Promise<InputFile> {
  if (!URL.canParse(url)) throw invalid(param, 'must be a URL.');
  const { protocol } = new URL(url);
  if (!['data:', 'https:', 'http:'].includes(protocol)) throw invalid(param, 'must be a data:, https: or http: URL.');
  try {
    // Nothing of the request is passed on: no key, no cookies.
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]) });
    if (!response.ok) throw new Error(`its address answered ${response.status}`);
    const bytes = await readUpTo(response, largestBytes);
    return {
      bytes,
      source: protocol === 'data:' ? 'data' : 'network',
    };
  } catch (error) {
    signal.throwIfAborted();
    throw invalid(param, `could not be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function readUpTo(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > most) throw new Error(`it has more than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
