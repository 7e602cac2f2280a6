import * as v from 'valibot';

type Stamp = 'writer' | 'at';
/** A record before its writer and its time are known. */
export type Unstamped<T> = T extends unknown ? Omit<T, Stamp> : never;

/** The record in a line, or undefined if the line is incomplete, damaged, or from an unknown version. */
export function recordIn<T>(line: string, schema: v.GenericSchema<unknown, T>): T | undefined {
  const parsed = v.safeParse(schema, jsonIn(line));
  return parsed.success ? parsed.output : undefined;
}

/** Returns undefined instead of throwing: no JSON text has that value. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
