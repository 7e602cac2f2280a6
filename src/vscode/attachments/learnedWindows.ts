import * as v from 'valibot';
import { ChangeEvent } from '../../core/changeEvent.ts';
import type { WindowLesson } from '../../core/models/modelCatalogs.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { JsonFile } from '../disk/jsonFile.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
/** A plain number is the length of a refused request. */
const schema = v.record(v.string(), v.union([count, v.object({ stated: count })]));

type Known = v.InferOutput<typeof schema>;

/** Context windows learned from refusals of models, stored for all windows of VS Code. */
export class LearnedWindows {
  readonly #file: JsonFile<Known>;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();
  #loaded: Promise<void> | undefined;
  #isLoaded = false;

  constructor(path: string, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#file = new JsonFile<Known>({
      path,
      version: 1,
      schema,
      empty: {},
      onTrouble: (trouble) => onError('error' in trouble ? trouble.error : new Error(trouble.kind)),
    });
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Reads them from disk, once. */
  load(): Promise<void> {
    this.#loaded ??= this.#read();
    return this.#loaded;
  }

  of(model: ModelRef): WindowLesson | undefined {
    return lessonIn(this.#file.value, model);
  }

  learn(model: ModelRef, lesson: WindowLesson): void {
    this.#change((known) => withLesson(known, model, lesson));
  }

  accepted(model: ModelRef, tokens: number): void {
    this.#change((known) => withoutSmaller(known, model, tokens));
    // A smaller one might still be on disk only.
    if (!this.#isLoaded) void this.load().then(() => this.accepted(model, tokens));
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  async #read(): Promise<void> {
    const known = await this.#file.read();
    this.#isLoaded = true;
    if (Object.keys(known).length > 0) this.#changed.fire();
  }

  #change(change: (known: Known) => Known): void {
    const { value } = this.#file;
    if (change(value) === value) return;
    this.#file.update(change).catch(this.#onError);
    this.#changed.fire();
  }
}

function lessonIn(known: Known, model: ModelRef): WindowLesson | undefined {
  const found = Object.hasOwn(known, model) ? known[model] : undefined;
  if (found === undefined) return undefined;
  return typeof found === 'number' ? { tokens: found, isStated: false } : { tokens: found.stated, isStated: true };
}

/** The same object if the lesson shows nothing new. */
function withLesson(known: Known, model: ModelRef, lesson: WindowLesson): Known {
  const before = lessonIn(known, model);
  const isNew =
    before === undefined ||
    (lesson.isStated
      ? !before.isStated || before.tokens !== lesson.tokens
      : !before.isStated && lesson.tokens < before.tokens);
  return isNew ? { ...known, [model]: lesson.isStated ? { stated: lesson.tokens } : lesson.tokens } : known;
}

/** The same object if it has no smaller window. */
function withoutSmaller(known: Known, model: ModelRef, tokens: number): Known {
  if ((lessonIn(known, model)?.tokens ?? Infinity) >= tokens) return known;
  return Object.fromEntries(Object.entries(known).filter(([id]) => id !== model));
}
