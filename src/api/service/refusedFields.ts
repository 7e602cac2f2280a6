/** What belongs to the tool calls in a chat's messages. */
export const contextFields = ['extra_content', 'reasoning_content', 'reasoning_details'] as const;
export type ContextField = (typeof contextFields)[number];

/**
 * What Mistral's models expect of a chat with tools, and other services don't: calls with IDs of its own form, which
 * those of another model aren't, and a reply between a tool's result and the user's next message.
 */
export const messageRules = ['tool_call_id', 'user_after_tool'] as const;
export type MessageRule = (typeof messageRules)[number];

/** What some models refuse in a chat's request, though their service accepts it. */
export const refusableFields = ['max_tokens', 'temperature', ...contextFields, ...messageRules] as const;
export type RefusedField = (typeof refusableFields)[number];

/** When each was refused the last time. Unix time in milliseconds. */
type LearnedRefusals = { readonly [F in RefusedField]?: number };

export type RefusalsByModel = Readonly<Record<string, LearnedRefusals>>;

/** The number of models remembered per service, most recent ones. */
const maxModels = 100;
/** A newer version of a server might accept the field. */
const refusalMs = 7 * 24 * 60 * 60 * 1000;

export function refusedFields(known: RefusalsByModel, model: string, nowMs: number): readonly RefusedField[] {
  const learned = refusalsOf(known, model);
  return refusableFields.filter((field) => nowMs - (learned[field] ?? Number.NEGATIVE_INFINITY) < refusalMs);
}

export function withRefusal(known: RefusalsByModel, model: string, field: RefusedField, at: number): RefusalsByModel {
  const all = Object.entries({ ...known, [model]: { ...refusalsOf(known, model), [field]: at } });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => latestOf(a) - latestOf(b)).slice(-maxModels));
}

export function withoutRefusal(known: RefusalsByModel, model: string, field: RefusedField): RefusalsByModel {
  const { [field]: _refused, ...others } = refusalsOf(known, model);
  const { [model]: _model, ...models } = known;
  return Object.keys(others).length === 0 ? models : { ...models, [model]: others };
}

function refusalsOf(known: RefusalsByModel, model: string): LearnedRefusals {
  return (Object.hasOwn(known, model) ? known[model] : undefined) ?? {};
}

function latestOf(learned: LearnedRefusals): number {
  return Math.max(...Object.values(learned));
}
