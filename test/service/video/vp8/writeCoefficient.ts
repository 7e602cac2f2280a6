import type { BoolEncoder } from './boolEncoder.ts';
import { endProbabilities, firstProbabilities } from './tokenProbabilities.ts';

/** A class of sizes: the lowest of them, the way to it in the token tree, and the chances of its extra bits. */
interface SizeClass {
  readonly from: number;
  /** Pairs of a node of the tree and the bit to take there. */
  readonly path: readonly (readonly [node: number, bit: boolean])[];
  readonly extraBits: readonly number[];
}

/** RFC 6386, section 13.2; the largest first. */
const sizeClasses: readonly SizeClass[] = [
  sizeClass(67, '3+6+8+10+', [254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129]),
  sizeClass(35, '3+6+8+10-', [180, 157, 141, 134, 130]),
  sizeClass(19, '3+6+8-9+', [176, 155, 140, 135]),
  sizeClass(11, '3+6+8-9-', [173, 148, 140]),
  sizeClass(7, '3+6-7+', [165, 145]),
  sizeClass(5, '3+6-7-', [159]),
  sizeClass(4, '3-4+5+', []),
  sizeClass(3, '3-4+5-', []),
  sizeClass(2, '3-4-', []),
];

function sizeClass(from: number, path: string, extraBits: readonly number[]): SizeClass {
  const steps = [...path.matchAll(/(\d+)([+-])/g)].map(([, node, bit]) => [Number(node), bit === '+'] as const);
  return { from, path: steps, extraBits };
}

/**
 * Writes a block that has at most its first coefficient, DC.
 * @returns true when it has one, which is the context of its neighbours
 */
export function writeFirstCoefficient(out: BoolEncoder, value: number): boolean {
  const at = (node: number): number => firstProbabilities[node] ?? 128;
  out.write(value !== 0, at(0));
  if (value === 0) return false;
  out.write(true, at(1));
  const size = Math.abs(value);
  out.write(size > 1, at(2));
  if (size > 1) writeSize(out, size, at);
  out.write(value < 0, 128);
  writeEnd(out);
  return true;
}

/** Writes that no coefficient follows. */
export function writeEnd(out: BoolEncoder): void {
  out.write(false, endProbabilities[0]);
}

function writeSize(out: BoolEncoder, size: number, at: (node: number) => number): void {
  const found = sizeClasses.find(({ from }) => size >= from);
  if (!found) throw new RangeError('A size of 1 has no class');
  for (const [node, bit] of found.path) out.write(bit, at(node));
  const rest = size - found.from;
  found.extraBits.forEach((probability, index) => {
    out.write(((rest >> (found.extraBits.length - 1 - index)) & 1) === 1, probability);
  });
}
