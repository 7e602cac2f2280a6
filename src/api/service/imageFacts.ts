/**
 * The models that accepted an image, and when that was learned: Unix time in milliseconds. By model, because the others
 * of its service might not accept any.
 */
export type ImagesByModel = Readonly<Record<string, number>>;

/** The number of models remembered per service, those learned last. */
const maxModels = 100;

/** @param at undefined if the model refused one */
export function withImages(known: ImagesByModel, model: string, at: number | undefined): ImagesByModel {
  const { [model]: _, ...others } = known;
  if (at === undefined) return others;
  const all = Object.entries({ ...others, [model]: at });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => a - b).slice(-maxModels));
}

export function hasAcceptedImages(known: ImagesByModel | undefined, model: string): boolean {
  return known !== undefined && Object.hasOwn(known, model);
}
