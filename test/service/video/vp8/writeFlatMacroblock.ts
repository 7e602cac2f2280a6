import type { BoolEncoder } from './boolEncoder.ts';
import type { MacroblockChances } from './frameHeader.ts';
import type { Mosaic } from './mosaic.ts';
import { writeEnd, writeFirstCoefficient } from './writeCoefficient.ts';

interface FrameWriters {
  readonly modes: BoolEncoder;
  readonly coefficients: BoolEncoder;
  readonly isKey: boolean;
  readonly chances: MacroblockChances;
}

/** The mean of a neighbour-less macroblock. */
const middle = 128;

/**
 * Writes a macroblock that is one colour: predicted as the mean of the neighbours above and to the left,
 * which are flat too, and corrected by a DC. With the frame header's quantiser, 4 in Y2 (and 1 in chroma)
 * is one step of colour.
 */
export function writeFlatMacroblock(frame: FrameWriters, mosaic: Mosaic, at: number): void {
  const { modes, coefficients, isKey, chances } = frame;
  const y = correction(mosaic.y, at, mosaic.columns);
  const u = correction(mosaic.u, at, mosaic.columns);
  const v = correction(mosaic.v, at, mosaic.columns);
  const isCoded = y !== 0 || u !== 0 || v !== 0;
  modes.write(!isCoded, chances.coded);
  writeMeanPrediction(modes, isKey, chances);
  if (!isCoded) return;
  writeFirstCoefficient(coefficients, 4 * y);
  for (let block = 0; block < 16; block += 1) writeEnd(coefficients);
  for (let block = 0; block < 4; block += 1) writeFirstCoefficient(coefficients, u);
  for (let block = 0; block < 4; block += 1) writeFirstCoefficient(coefficients, v);
}

function correction(plane: Uint8Array, at: number, columns: number): number {
  const left = at % columns > 0 ? plane[at - 1] : undefined;
  const above = plane[at - columns];
  const predicted = left === undefined || above === undefined ? (left ?? above ?? middle) : (left + above + 1) >> 1;
  return (plane[at] ?? middle) - predicted;
}

/** DC_PRED for luma and chroma, in the trees of key frames (RFC 6386, section 11.2) and of others (16.1). */
function writeMeanPrediction(modes: BoolEncoder, isKey: boolean, { intra }: MacroblockChances): void {
  if (isKey) {
    modes.write(true, 145);
    modes.write(false, 156);
    modes.write(false, 163);
    modes.write(false, 142);
  } else {
    modes.write(false, intra);
    modes.write(false, 112);
    modes.write(false, 162);
  }
}
