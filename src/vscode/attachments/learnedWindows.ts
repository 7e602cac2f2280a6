import { ChangeEvent } from '../../core/changeEvent.ts';
import * as v from 'valibot';
import type { WindowLesson } from '../../core/models/modelCatalogs.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { JsonFile } from '../disk/jsonFile.ts';

const tokens = v.pipe(v.number(), v.integer(), v.minValue(1));
/** A plain number is the length of a refused request. */
const schema = v.record(v.string(), v.union([tokens, v.object({ stated: tokens })]));

type Known = v.InferOutput<typeof schema>;

/** Context windows learned from refusals of models, stored for all windows of VS Code. */
export class LearnedWindows {
  readonly #file: JsonFile<Known>;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();
  #known: Known = {};
  #loaded: Promise<void> | undefined;

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
    this.#loaded ??= this.#file.read().then((known) => this.#add(known));
    return this.#loaded;
  }

  of(model: ModelRef): WindowLesson | undefined {
    return lessonIn(this.#known, model);
  }

  /** The smallest refused length counts, until a size is stated. */
  learn(model: ModelRef, lesson: WindowLesson): void {
    const known = withLesson(this.#known, model, lesson);
    if (known === this.#known) return;
    this.#known = known;
    this.#changed.fire();
    this.#file.update((stored) => withLesson(stored, model, lesson)).catch(this.#onError);
  }

  forget(model: ModelRef): void {
    if (this.of(model) === undefined) return;
    this.#known = without(this.#known, model);
    this.#changed.fire();
    this.#file.update((known) => without(known, model)).catch(this.#onError);
  }

  settled(): Promise<void> {
    return this.#file.settled();
  }

  #add(known: Known): void {
    // With what this window has learned and forgotten, even if the file was read later.
    this.#known = known;
    if (Object.keys(known).length > 0) this.#changed.fire();
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

function without(known: Known, model: ModelRef): Known {
  return Object.fromEntries(Object.entries(known).filter(([id]) => id !== model));
}
