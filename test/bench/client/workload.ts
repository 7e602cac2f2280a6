import { createHash } from 'node:crypto';
import { seededRandom } from '../../service/seededRandom.ts';

/** How the events of a reply reach the client. */
export type Mode = 'flood' | 'single' | 'cuts' | 'first' | 'paced';

/** Returns the replies by the service's own clock since the last time, by request ID. */
export const clockPath = '/clock';

/** The same reply every time. */
export interface Workload {
  /** Server-sent events of about 260 bytes, the last one `[DONE]`. */
  readonly events: readonly string[];
  readonly bytes: number;
  readonly textDigest: string;
}

const syllables = ['ra', 'to', 'mi', 'lun', 'ge', 'den', 'so', 'ki', 'ver', 'pa', 'é', 'ü', '\n', '`', '"'];

export function workloadOf(eventCount: number): Workload {
  const random = seededRandom(`stream ${eventCount}`);
  const pick = (): string => syllables[Math.floor(random() * syllables.length)] ?? '';
  const hash = createHash('sha256');
  const events: string[] = [];
  for (let index = 0; index < eventCount; index += 1) {
    const text = ` ${pick()}${pick()}`;
    hash.update(text);
    events.push(eventOf(text));
  }
  events.push('data: [DONE]\n\n');
  const bytes = events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
  return { events, bytes, textDigest: hash.digest('hex') };
}

export function eventOf(content: string): string {
  const data = {
    id: 'chatcmpl-7c1f0a5b3f0e4d2c9a8b7c6d5e4f3a2b',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: 'meta-llama/llama-4-maverick-17b-128e-instruct',
    system_fingerprint: 'fp_0f1e2d3c4b',
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  };
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** The bytes of the reply, cut at arbitrary places, even inside a character. */
export function cutsOf({ events }: Workload): Buffer[] {
  const all = Buffer.from(events.join(''));
  const random = seededRandom('cuts');
  const pieces: Buffer[] = [];
  for (let start = 0; start < all.length;) {
    const end = Math.min(all.length, start + 1 + Math.floor(random() * 2000));
    pieces.push(all.subarray(start, end));
    start = end;
  }
  return pieces;
}
