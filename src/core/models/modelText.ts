import { mainServiceId, type ModelRef, modelRef, refParts } from '../../shared/modelRef.ts';
import { serviceNames } from '../../words/modelLabel.ts';

/**
 * The model that a user wrote down, in a setting or a prompt: `provider/model` of the first service, or
 * `service/provider/model` of the one with that name or ID.
 */
export function modelFromText(text: string): ModelRef {
  const names = Object.entries(serviceNames());
  const first = names[0]?.[0] ?? mainServiceId;
  const slash = text.indexOf('/');
  const start = text.slice(0, Math.max(0, slash)).toLowerCase();
  const named = names.length < 2 ? undefined : names.find(([id, name]) => id === start || name.toLowerCase() === start);
  return named === undefined ? modelRef(first, text) : modelRef(named[0], text.slice(slash + 1));
}

/** The same the other way around, for a setting: with the ID, because names change. */
export function modelText(ref: ModelRef): string {
  const { service, model } = refParts(ref);
  return modelFromText(model) === ref ? model : `${service}/${model}`;
}
