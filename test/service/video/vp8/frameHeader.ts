import type { BoolEncoder } from './boolEncoder.ts';
import { coefficientUpdateProbabilities, motionVectorUpdateProbabilities } from './updateProbabilities.ts';
import { tokenProbabilities } from './tokenProbabilities.ts';

/** Step 4 of the quantiser table: a DC of 8 for Y and chroma, of 16 for Y2. With these, flat blocks come out exact. */
const quantizerIndex = 4;

/** Chances in 256ths that a frame's header declares for its macroblocks. */
export interface MacroblockChances {
  /** That a macroblock carries coefficients. */
  readonly coded: number;
  /** That it is predicted from the frame itself; for other than key frames. */
  readonly intra: number;
}

/** Writes the header that begins the first partition (RFC 6386, section 9.2 to 9.11). */
export function writeFrameHeader(out: BoolEncoder, isKey: boolean, chances: MacroblockChances): void {
  if (isKey) {
    out.flag(false); // Colour space: BT.601.
    out.flag(false); // Decoders clamp.
  }
  out.flag(false); // No segments.
  out.flag(false); // Loop filter: the normal one,
  out.literal(0, 6); // at level 0, so none: edges of flat blocks are meant.
  out.literal(0, 3);
  out.flag(false); // No adjustments to it.
  out.literal(0, 2); // One partition of coefficients.
  out.literal(quantizerIndex, 7);
  for (let delta = 0; delta < 5; delta += 1) out.flag(false);
  if (!isKey) {
    out.flag(false); // The golden frame stays,
    out.flag(false); // and so does the other one.
    out.literal(0, 2);
    out.literal(0, 2);
    out.flag(false); // Signs of motion are not turned.
    out.flag(false);
  }
  out.flag(true); // Probabilities hold for the frames that follow.
  if (!isKey) out.flag(true); // This frame is the next one's reference.
  writeTokenProbabilities(out, isKey);
  out.flag(true); // Macroblocks say whether they carry coefficients.
  out.literal(chances.coded, 8);
  if (isKey) return;
  out.literal(chances.intra, 8);
  out.literal(255, 8); // Always the last frame,
  out.literal(128, 8); // never the golden one.
  out.flag(false); // Mode probabilities stay as they begin.
  out.flag(false);
  for (const probability of motionVectorUpdateProbabilities) out.write(false, probability);
}

/** A key frame sets all coefficient probabilities back, and so has to bring its own. */
function writeTokenProbabilities(out: BoolEncoder, isKey: boolean): void {
  coefficientUpdateProbabilities.forEach((bands, plane) =>
    bands.forEach((contexts, band) =>
      contexts.forEach((updates, context) => {
        const own = isKey ? tokenProbabilities(plane, band, context) : undefined;
        for (let node = 0; node < 11; node += 1) {
          out.write(own !== undefined, updates[node] ?? 255);
          if (own) out.literal(own[node] ?? 128, 8);
        }
      }),
    ),
  );
}
