import { BoolEncoder } from './boolEncoder.ts';
import { type MacroblockChances, writeFrameHeader } from './frameHeader.ts';
import type { Mosaic } from './mosaic.ts';
import { writeFlatMacroblock } from './writeFlatMacroblock.ts';

const keyChances: MacroblockChances = { coded: 200, intra: 255 };
const nextChances: MacroblockChances = { coded: 16, intra: 16 };

/** Chance that a macroblock stays as it is, by how many of its neighbours do (RFC 6386, section 16.3). */
const stayChances = [7, 14, 135, 60, 159, 234] as const;

/**
 * Encodes mosaics as VP8 (RFC 6386), each macroblock exactly in its colour: predicted from its
 * neighbours and corrected by one coefficient a block, or left as it was in the frame before.
 */
export class MosaicEncoder {
  readonly #width: number;
  readonly #height: number;
  #last: Mosaic | undefined;

  /** In pixels, up to 16383 each. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** The next frame. The first one has to be a key frame. The mosaic may be changed afterwards. */
  encode(mosaic: Mosaic, isKey: boolean): Uint8Array {
    const modes = new BoolEncoder();
    const coefficients = new BoolEncoder();
    const chances = isKey ? keyChances : nextChances;
    writeFrameHeader(modes, isKey, chances);
    const stays = this.#staying(mosaic, isKey);
    for (let at = 0; at < stays.length; at += 1) {
      if (stays[at] === 1) {
        modes.write(true, chances.coded); // No coefficients.
        modes.write(true, chances.intra); // Not from this frame,
        modes.write(false, 255); // but the last,
        modes.write(false, stayChances[stayingNeighbours(stays, at, mosaic.columns)] ?? 234); // without motion.
      } else {
        writeFlatMacroblock({ modes, coefficients, isKey, chances }, mosaic, at);
      }
    }
    this.#last = { ...mosaic, y: mosaic.y.slice(), u: mosaic.u.slice(), v: mosaic.v.slice() };
    const first = modes.finish();
    return Buffer.concat([this.#start(first.length, isKey), first, coefficients.finish()]);
  }

  /** 1 for each macroblock that is as in the frame before. */
  #staying({ y, u, v }: Mosaic, isKey: boolean): Uint8Array {
    if (isKey) return new Uint8Array(y.length);
    const last = this.#last;
    if (!last) throw new Error('A video begins with a key frame');
    return y.map((luma, at) => Number(luma === last.y[at] && u[at] === last.u[at] && v[at] === last.v[at]));
  }

  /** The bytes ahead of the first partition (RFC 6386, section 9.1). */
  #start(firstPartitionBytes: number, isKey: boolean): Uint8Array {
    const isShown = 1 << 4;
    const tag = Number(!isKey) | isShown | (firstPartitionBytes << 5);
    const bytes = [tag & 255, (tag >> 8) & 255, (tag >> 16) & 255];
    if (isKey) bytes.push(0x9d, 0x01, 0x2a, ...[this.#width, this.#height].flatMap((side) => [side & 255, side >> 8]));
    return Uint8Array.from(bytes);
  }
}

/** Above and to the left count twice, the corner between them once; outside of the frame nothing stays. */
function stayingNeighbours(stays: Uint8Array, at: number, columns: number): number {
  const hasLeft = at % columns > 0;
  const above = 2 * (stays[at - columns] ?? 0);
  return hasLeft ? above + 2 * (stays[at - 1] ?? 0) + (stays[at - columns - 1] ?? 0) : above;
}
