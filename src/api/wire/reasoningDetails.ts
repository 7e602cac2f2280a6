import { isRecord } from '../../shared/isRecord.ts';
import type { JsonObject } from './decode.ts';

/** What a stream sends in pieces. The rest, for example a signature, arrives whole. */
const grown = ['text', 'summary', 'data'] as const;

/** Joins the pieces of `reasoning_details` in the order of their first ones: OpenRouter expects them back like that. */
export class ReasoningDetails {
  readonly #details: JsonObject[] = [];

  /** All of them so far; undefined if the service has sent none. */
  get all(): readonly JsonObject[] | undefined {
    return this.#details.length === 0 ? undefined : this.#details;
  }

  /**
   * @param list `reasoning_details` of a delta or a message, of unknown form.
   * @returns the number of UTF-8 bytes it added, apart from the reasoning itself.
   */
  add(list: unknown): number {
    if (!Array.isArray(list)) return 0;
    const earlier = this.#details.length;
    let bytes = 0;
    for (const piece of list) {
      if (!isRecord(piece)) continue;
      const at = this.#details.findLastIndex((known, index) => continues(piece, known, index < earlier));
      const known = this.#details[at];
      if (known === undefined) this.#details.push(piece);
      else this.#details[at] = joined(known, piece);
      bytes += Buffer.byteLength(JSON.stringify({ ...piece, text: '', summary: '' }));
    }
    return bytes;
  }
}

/** @param isEarlier the known one came in an earlier piece of the stream. */
function continues(piece: JsonObject, known: JsonObject, isEarlier: boolean): boolean {
  const { type, id, index } = piece;
  if (type !== known['type'] || index !== known['index']) return false;
  if (typeof id === 'string' && typeof known['id'] === 'string' && id !== known['id']) return false;
  // Without a number, only text goes on in the next piece.
  return typeof index === 'number' || (isEarlier && type !== 'reasoning.encrypted');
}

function joined(known: JsonObject, piece: JsonObject): JsonObject {
  const given = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
  const texts = grown.flatMap((field) => {
    const [before, after] = [known[field], piece[field]];
    return typeof before === 'string' && typeof after === 'string' ? [[field, before + after] as const] : [];
  });
  return { ...known, ...Object.fromEntries([...given, ...texts]) };
}
