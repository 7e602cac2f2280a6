import { nonEmptyString, type JsonObject } from './decode.ts';
import { sampleOf } from './sample.ts';

/** Maximum length of a field, as JSON. Longer ones aren't facts about the reply. */
const fieldChars = 16 * 1024;
const mostFields = 64;

/** What a service sends besides the text of a reply: the last value of each field over all its chunks. */
export class ResponseFields {
  readonly #names: string[] = [];
  readonly #values: unknown[] = [];

  /** Runs for every chunk, so it relies on each chunk having the same fields in the same order as the last one. */
  take(json: JsonObject): void {
    let next = 0;
    for (const name in json) {
      const value = json[name];
      if (name === 'choices' || value === null) continue;
      const at = this.#names[next] === name ? next : this.#indexOf(name);
      if (at === -1) continue;
      this.#values[at] = value;
      next = at + 1;
    }
  }

  /** -1 if there are too many fields already. */
  #indexOf(name: string): number {
    const at = this.#names.indexOf(name);
    if (at !== -1 || this.#names.length >= mostFields) return at;
    return this.#names.push(name) - 1;
  }

  /** The model that replied, according to the service. */
  get model(): string | undefined {
    const model = nonEmptyString(this.#values[this.#names.indexOf('model')]);
    return model === undefined ? undefined : nonEmptyString(sampleOf(model));
  }

  all(): JsonObject {
    const fields = this.#names.map((name, at) => [name, this.#values[at]] as const);
    return Object.fromEntries(fields.filter(([, value]) => JSON.stringify(value).length <= fieldChars));
  }
}
