import type { ApiFailure } from '../../shared/apiFailure.ts';

/**
 * What the service says about a request that was refused for what is in it: mostly before anything was done, but a model
 * that ran into its limit has already thought.
 */
export function refusalWords(failure: ApiFailure): string | undefined {
  if (!('status' in failure) || (failure.status !== 400 && failure.status !== 422)) return undefined;
  if (!('message' in failure)) return undefined;
  // Some services only name the field there.
  return [failure.param, failure.code, failure.message].filter((words) => words !== undefined).join(' ');
}

/** Words in a refusal for a field that a service doesn't know or want. */
const unwanted =
  '(?:extra_forbidden|extra (?:input|field)|unknown|unrecognized|unexpected|unsupported|cannot find field|remove the' +
  '|additional propert|not (?:supported|permitted|allowed|recognized|accepted))';

/** Whether a refusal is about the presence of a field, and not about its value. */
export function isUnwanted(field: string, words: string): boolean {
  return new RegExp(`\\b${field}\\b.{0,120}${unwanted}|${unwanted}.{0,120}\\b${field}\\b`, 'is').test(words);
}
