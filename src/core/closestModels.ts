import { mayChat } from './modelAbilities.ts';
import type { ModelIndex } from './modelIndex.ts';

const leastLikeness = 0.4;

/** Ids of the catalogue that look most like one it lacks, the closest first. Only of models that may chat. */
export function closestModels(index: ModelIndex, wanted: string, count: number): readonly string[] {
  const target = shapeOf(wanted);
  return index.models
    .filter(({ model }) => model.id !== wanted && mayChat(model))
    .map(({ model }) => ({ id: model.id, likeness: likeness(target, shapeOf(model.id)) }))
    .filter((each) => each.likeness >= leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, count)
    .map(({ id }) => id);
}

interface Shape {
  readonly whole: Pairs;
  /** What follows the last slash. */
  readonly tail: Pairs;
}

interface Pairs {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function shapeOf(id: string): Shape {
  // How a name is parted is what people remember least.
  const name = id.toLowerCase().replace(/[\s._:-]+/g, '-');
  return { whole: pairsOf(name), tail: pairsOf(name.slice(name.lastIndexOf('/') + 1)) };
}

/** A forgotten or wrong provider leaves the rest of the name alike. */
function likeness(one: Shape, other: Shape): number {
  return Math.max(share(one.whole, other.whole), 0.95 * share(one.tail, other.tail));
}

function pairsOf(text: string): Pairs {
  const padded = `^${text.slice(0, 256)}$`;
  const counts = new Map<string, number>();
  for (let at = 0; at < padded.length - 1; at += 1) {
    const pair = padded.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, total: padded.length - 1 };
}

/** The pairs of characters that two texts have in common, as a share of both (Dice's coefficient). */
function share(one: Pairs, other: Pairs): number {
  let common = 0;
  for (const [pair, count] of one.counts) common += Math.min(count, other.counts.get(pair) ?? 0);
  return (2 * common) / (one.total + other.total);
}
