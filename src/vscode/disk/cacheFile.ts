import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { isMissing } from './diskError.ts';
import { removeFile } from './removeFile.ts';
import { replaceFile } from './replaceFile.ts';

/**
 * A JSON file whose content can be rebuilt, for example by reading a thousand others. So a damaged one, or one from
 * another version, counts as missing and can be overwritten.
 */
export class CacheFile<T> {
  readonly path: string;
  readonly #schema: v.GenericSchema<unknown, T>;
  readonly #onError: (error: unknown) => void;

  constructor(deps: {
    readonly path: string;
    readonly schema: v.GenericSchema<unknown, T>;
    readonly onError: (error: unknown) => void;
  }) {
    this.path = deps.path;
    this.#schema = deps.schema;
    this.#onError = deps.onError;
  }

  /** Never rejects. */
  async read(): Promise<T | undefined> {
    try {
      const text = await readFile(this.path, 'utf8');
      const parsed = v.safeParse(this.#schema, JSON.parse(text));
      return parsed.success ? parsed.output : undefined;
    } catch (error) {
      if (!isMissing(error) && !(error instanceof SyntaxError)) this.#onError(error);
      return undefined;
    }
  }

  /** Never rejects. */
  async write(value: T): Promise<void> {
    try {
      await replaceFile(this.path, JSON.stringify(value), { isCache: true });
    } catch (error) {
      this.#onError(error);
    }
  }

  async remove(): Promise<void> {
    await removeFile(this.path);
  }
}
