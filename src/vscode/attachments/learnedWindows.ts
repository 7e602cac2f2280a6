import type { ModelRef } from '../../shared/modelRef.ts';
import * as v from 'valibot';
import { JsonFile } from '../disk/jsonFile.ts';

const schema = v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(1)));

/** Context windows that aren't in any model list, learned from a model's first refusal: tokens, by model. */
export class LearnedWindows {
  readonly #file: JsonFile<Readonly<Record<string, number>>>;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  /** Undefined for one that was forgotten, which might still be in the file. */
  #known: Readonly<Record<string, number | undefined>> = {};
  #loaded: Promise<void> | undefined;

  constructor(path: string, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#file = new JsonFile<Readonly<Record<string, number>>>({
      path,
      version: 1,
      schema,
      empty: {},
      onTrouble: (trouble) => onError('error' in trouble ? trouble.error : new Error(trouble.kind)),
    });
  }

  /** @returns a function that ends the subscription. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads them from disk, once. */
  load(): Promise<void> {
    this.#loaded ??= this.#file.read().then((known) => this.#add(known));
    return this.#loaded;
  }

  of(model: ModelRef): number | undefined {
    return Object.hasOwn(this.#known, model) ? this.#known[model] : undefined;
  }

  learn(model: ModelRef, tokens: number): void {
    if (this.of(model) === tokens) return;
    this.#known = { ...this.#known, [model]: tokens };
    this.#tell();
    this.#file.update((known) => ({ ...known, [model]: tokens })).catch(this.#onError);
  }

  forget(model: ModelRef): void {
    if (this.of(model) === undefined) return;
    this.#known = { ...this.#known, [model]: undefined };
    this.#tell();
    this.#file
      .update((known) => Object.fromEntries(Object.entries(known).filter(([id]) => id !== model)))
      .catch(this.#onError);
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  #add(known: Readonly<Record<string, number>>): void {
    // Sizes that this window has learned since are newer.
    this.#known = { ...known, ...this.#known };
    if (Object.keys(known).length > 0) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
