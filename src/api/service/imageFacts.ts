/**
 * The models that accepted an image, and when that was learned: Unix time in milliseconds. By model, because the others
 * of its service might not accept any.
 */
export type ImagesByModel = Readonly<Record<string, number>>;

/** The number of models remembered per service, those learned last. */
const maxModels = 100;

/** Another model might have the same name by then. */
const acceptedMs = 30 * 24 * 60 * 60 * 1000;

/** @param at undefined if the model refused one */
export function withImages(known: ImagesByModel, model: string, at: number | undefined): ImagesByModel {
  const { [model]: _, ...others } = known;
  if (at === undefined) return others;
  const all = Object.entries({ ...others, [model]: at });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => a - b).slice(-maxModels));
}

/** @param nowMs Unix time in milliseconds */
export function hasAcceptedImages(known: ImagesByModel | undefined, model: string, nowMs: number): boolean {
  const at = known !== undefined && Object.hasOwn(known, model) ? known[model] : undefined;
  return at !== undefined && nowMs - at < acceptedMs;
}
