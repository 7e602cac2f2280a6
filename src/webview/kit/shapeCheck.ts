import { problemActionKinds } from '../../shared/problem.ts';

/** Checks of what came from outside: whether a value has a shape. Small, since every page loads them. */
export type Check = (value: unknown) => boolean;
export type Fields = Readonly<Record<string, Check>>;

export const text: Check = (value) => typeof value === 'string';
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
export const flag: Check = (value) => typeof value === 'boolean';
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
export const listOf =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const object =
  (fields: Fields): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

export const problem = object({
  severity: oneOf('error', 'warning'),
  title: text,
  detail: text,
  actions: listOf(object({ kind: oneOf(...problemActionKinds), label: text, model: maybe(text) })),
  technical: text,
  requestId: maybe(text),
  retryAt: maybe(number),
});

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
