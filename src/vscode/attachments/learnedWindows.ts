import type { ModelRef } from '../../shared/modelRef.ts';
import * as v from 'valibot';
import type { WindowLesson } from '../../core/models/modelCatalogs.ts';
import { JsonFile } from '../disk/jsonFile.ts';

const schema = v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(1)));

/** Context windows that aren't in any model list, learned from a model's first refusal: tokens, by model. */
export class LearnedWindows {
  readonly #file: JsonFile<Readonly<Record<string, number>>>;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #known: Readonly<Record<string, number>> = {};
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
    return knownOf(this.#known, model);
  }

  learn(model: ModelRef, lesson: WindowLesson): void {
    const tokens = after(this.of(model), lesson);
    if (this.of(model) === tokens) return;
    this.#known = { ...this.#known, [model]: tokens };
    this.#tell();
    this.#file.update((known) => ({ ...known, [model]: after(knownOf(known, model), lesson) })).catch(this.#onError);
  }

  forget(model: ModelRef): void {
    if (this.of(model) === undefined) return;
    this.#known = without(this.#known, model);
    this.#tell();
    this.#file.update((known) => without(known, model)).catch(this.#onError);
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  #add(known: Readonly<Record<string, number>>): void {
    // With what this window has learned and forgotten, even if the file was read later.
    this.#known = known;
    if (Object.keys(known).length > 0) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function knownOf(known: Readonly<Record<string, number>>, model: ModelRef): number | undefined {
  return Object.hasOwn(known, model) ? known[model] : undefined;
}

function without(known: Readonly<Record<string, number>>, model: ModelRef): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(known).filter(([id]) => id !== model));
}

/** What is known after a lesson: a longer request that was refused too shows nothing new. */
function after(known: number | undefined, { tokens, isStated }: WindowLesson): number {
  return isStated || known === undefined ? tokens : Math.min(known, tokens);
}
