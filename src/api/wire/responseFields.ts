import { nonEmptyString, type JsonObject } from './decode.ts';
import { sampleOf } from './sample.ts';

/** Maximum length of a field, as JSON. Longer ones aren't facts about the reply. */
const fieldChars = 16 * 1024;
const mostFields = 64;

/** What a service sends besides the text of a reply: the last value of each field over all its chunks. */
export class ResponseFields {
  readonly #fields = new Map<string, unknown>();

  /** Must be cheap, because it runs for every chunk. */
  take(json: JsonObject): void {
    for (const name of Object.keys(json)) {
      if (name === 'choices' || json[name] === null) continue;
      if (this.#fields.size < mostFields || this.#fields.has(name)) this.#fields.set(name, json[name]);
    }
  }

  /** The model that replied, according to the service. */
  get model(): string | undefined {
    const model = nonEmptyString(this.#fields.get('model'));
    return model === undefined ? undefined : nonEmptyString(sampleOf(model));
  }

  all(): JsonObject {
    return Object.fromEntries([...this.#fields].filter(([, value]) => JSON.stringify(value).length <= fieldChars));
  }
}
