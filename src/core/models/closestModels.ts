import { abilitiesOf, type ModelAbility } from './modelAbilities.ts';
import type { ModelIndex } from './modelIndex.ts';

const leastLikeness = 0.45;

/** IDs in the model list that look most like a missing one, closest first. Only models with this ability. */
export function closestModels(
  index: ModelIndex,
  wanted: string,
  count: number,
  ability: ModelAbility = 'chat',
): readonly string[] {
  const target = shapeOf(wanted);
  return index.models
    .filter(({ model }) => model.id !== wanted && abilitiesOf(model).has(ability))
    .map(({ model }) => ({ id: model.id, likeness: likeness(target, shapeOf(model.id)) }))
    .filter((each) => each.likeness >= leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness)
    .slice(0, count)
    .map(({ id }) => id);
}

interface Shape {
  /** The part before the last slash. */
  readonly provider: Pairs;
  /** The part after it. */
  readonly name: Pairs;
}

interface Pairs {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

function shapeOf(id: string): Shape {
  // How a name is punctuated is what people remember least.
  const plain = id.toLowerCase().replace(/[\s._:-]+/g, '-');
  const slash = plain.lastIndexOf('/');
  return { provider: pairsOf(plain.slice(0, Math.max(0, slash))), name: pairsOf(plain.slice(slash + 1)) };
}

/** Mostly by name: users forget or mix up providers, and all models of a provider share its name. */
function likeness(one: Shape, other: Shape): number {
  return 0.8 * share(one.name, other.name) + 0.2 * share(one.provider, other.provider);
}

function pairsOf(text: string): Pairs {
  if (text === '') return { counts: new Map(), total: 0 };
  const padded = `^${text.slice(0, 256)}$`;
  const counts = new Map<string, number>();
  for (let at = 0; at < padded.length - 1; at += 1) {
    const pair = padded.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return { counts, total: padded.length - 1 };
}

/** Character pairs that two texts have in common, as a share of both (Dice coefficient). */
function share(one: Pairs, other: Pairs): number {
  let common = 0;
  for (const [pair, count] of one.counts) common += Math.min(count, other.counts.get(pair) ?? 0);
  return common === 0 ? 0 : (2 * common) / (one.total + other.total);
}
