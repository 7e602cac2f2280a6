import { ServiceError } from './serviceError.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A 400 that names the field. */
export function invalid(param: string, problem: string): ServiceError {
  return new ServiceError(400, `${param} ${problem}`, { param });
}

/** @throws {ServiceError} 400 for a body that isn't an object */
export function readBodyObject(body: unknown): JsonObject {
  if (!isObject(body)) throw new ServiceError(400, 'The body must be a JSON object.');
  return body;
}

/** The required name of a model. @throws {ServiceError} 400 */
export function readModelName(value: unknown): string {
  return readRequiredText('model', value);
}

/** @throws {ServiceError} 400 if it's missing, empty, or not a string */
export function readRequiredText(param: string, value: unknown): string {
  if (value === undefined) throw invalid(param, 'is required.');
  if (typeof value !== 'string' || value === '') throw invalid(param, 'must be a string that is not empty.');
  return value;
}

/** @throws {ServiceError} 400 if it's present and not a string */
export function readText<T>(param: string, value: unknown, otherwise: T): string | T {
  if (value === undefined) return otherwise;
  if (typeof value !== 'string') throw invalid(param, 'must be a string.');
  return value;
}

/** @throws {ServiceError} 400 if it's present and not an integer from `least` to `most` */
export function readInteger<T>(
  param: string,
  value: unknown,
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: T },
): number | T {
  if (value === undefined) return otherwise;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
    throw invalid(param, `must be an integer from ${least} to ${most}.`);
  }
  return value;
}

/** @throws {ServiceError} 400 if it's present and not a boolean */
export function readBoolean(param: string, value: unknown, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value !== 'boolean') throw invalid(param, 'must be true or false.');
  return value;
}

/** @throws {ServiceError} 400 if it's present and not in `known` */
export function readChoice<T extends string>(param: string, value: unknown, known: readonly T[], otherwise: T): T {
  if (value === undefined) return otherwise;
  const choice = known.find((each) => each === value);
  if (choice === undefined) throw invalid(param, `must be one of ${known.join(', ')}.`);
  return choice;
}
