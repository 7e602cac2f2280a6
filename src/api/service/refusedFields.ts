/** The fields of chat requests that some models refuse, though their service has them. */
export const refusableFields = ['max_tokens', 'temperature'] as const;
export type RefusedField = (typeof refusableFields)[number];

export interface LearnedRefusals {
  readonly refused: readonly RefusedField[];
  /** Of the latest one. Unix time in milliseconds. */
  readonly at: number;
}

export type RefusalsByModel = Readonly<Record<string, LearnedRefusals>>;

/** The number of models remembered per service, most recent ones. */
const maxModels = 100;
/** A newer version of a server might accept the field. */
const refusalMs = 7 * 24 * 60 * 60 * 1000;

export function refusedFields(known: RefusalsByModel, model: string, nowMs: number): readonly RefusedField[] {
  const learned = Object.hasOwn(known, model) ? known[model] : undefined;
  return learned !== undefined && nowMs - learned.at < refusalMs ? learned.refused : [];
}

export function withRefusal(known: RefusalsByModel, model: string, field: RefusedField, at: number): RefusalsByModel {
  const refused = [...new Set([...refusedFields(known, model, at), field])];
  const all = Object.entries({ ...known, [model]: { refused, at } });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => a.at - b.at).slice(-maxModels));
}
