import { nonEmptyString, type JsonObject } from './decode.ts';
import { parseJson } from './parseJson.ts';
import type { CallContext, ReasoningContext, ToolCall } from '../toolTypes.ts';
import { isRecord } from '../../shared/isRecord.ts';

interface Pieces {
  /** The service's index; absent if it sends none. */
  readonly index: number | undefined;
  id: string | undefined;
  /** An earlier call has the same ID, so it identifies neither. */
  readonly isIdTaken: boolean;
  name: string;
  input: string;
  extra: JsonObject | undefined;
}

/** Assembles tool calls: a stream sends their input in pieces, and a whole reply sends each one at once. */
export class ToolCallPieces {
  readonly #calls: Pieces[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /**
   * @param list `tool_calls` of a delta or a message, of unknown form.
   * @returns the number of UTF-8 bytes it added.
   */
  add(list: unknown): number {
    if (!Array.isArray(list)) return 0;
    return list.reduce((sum: number, piece: unknown) => sum + (isRecord(piece) ? this.#addPiece(piece) : 0), 0);
  }

  /**
   * Returns the complete calls, and forgets them. Where a service sends no ID, or the same one twice, IDs are created
   * that are valid in this conversation.
   * @param reasoning what the service expects back of the reply's reasoning.
   * @param cut called with the JSON of each incomplete call.
   */
  take(reasoning: ReasoningContext, cut: (text: string) => void): readonly ToolCall[] {
    const taken = this.#calls.splice(0);
    return taken.flatMap(({ id: given, isIdTaken, name, input, extra }) => {
      const id = given === undefined || isIdTaken ? `call_${crypto.randomUUID().slice(-12)}` : given;
      // The input of a function without parameters can be empty.
      const parsed = input.trim() === '' ? {} : parseJson(input);
      if (name !== '' && isRecord(parsed)) return [{ id, name, input: parsed, ...contextOf(extra, reasoning) }];
      cut(`${name}(${input})`);
      return [];
    });
  }

  #addPiece(piece: JsonObject): number {
    const named = isRecord(piece['function']) ? piece['function'] : {};
    const name = nonEmptyString(named['name']) ?? '';
    const given = named['arguments'];
    // The standard is JSON in a string. Some services send the object itself.
    const input = typeof given === 'string' ? given : isRecord(given) ? JSON.stringify(given) : '';
    const call = this.#callOf(piece, name, input);
    call.id ??= nonEmptyString(piece['id']);
    // Some services repeat the name in every piece.
    if (call.name === '') call.name = name;
    call.input += input;
    const { extra_content: extra } = piece;
    if (isRecord(extra)) call.extra = extra;
    const extraBytes = isRecord(extra) ? Buffer.byteLength(JSON.stringify(extra)) : 0;
    return Buffer.byteLength(name) + Buffer.byteLength(input) + extraBytes;
  }

  #callOf(piece: JsonObject, name: string, input: string): Pieces {
    const index = typeof piece['index'] === 'number' ? piece['index'] : undefined;
    const id = nonEmptyString(piece['id']);
    const begun = index === undefined ? this.#unnumbered(id) : this.#numbered(index, id, name !== '');
    // Nothing can follow a complete input but the next call.
    const isNext = begun !== undefined && name !== '' && input.trimStart().startsWith('{') && hasAllInput(begun);
    if (begun !== undefined && !isNext) return begun;
    const isIdTaken = id !== undefined && this.#calls.some((call) => call.id === id);
    const call: Pieces = { index, id, isIdTaken, name: '', input: '', extra: undefined };
    this.#calls.push(call);
    return call;
  }

  #unnumbered(id: string | undefined): Pieces | undefined {
    const last = this.#calls.at(-1);
    return id === undefined || id === last?.id ? last : undefined;
  }

  /** Some services give all calls the number 0. Others give every piece an ID of its own, but only the first a name. */
  #numbered(index: number, id: string | undefined, hasName: boolean): Pieces | undefined {
    const ofIndex = this.#calls.filter((call) => call.index === index);
    const last = ofIndex.at(-1);
    if (id === undefined || last?.id === undefined) return last;
    return ofIndex.findLast((call) => call.id === id) ?? (hasName ? undefined : last);
  }
}

function hasAllInput({ input }: Pieces): boolean {
  return isRecord(parseJson(input));
}

function contextOf(extra: JsonObject | undefined, reasoning: ReasoningContext): Pick<ToolCall, 'context'> {
  const context: CallContext = { ...(extra !== undefined && { extraContent: extra }), ...reasoning };
  return Object.keys(context).length === 0 ? {} : { context };
}
