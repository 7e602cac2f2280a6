import { nonEmptyString, type JsonObject } from './decode.ts';
import { sampleOf } from './sample.ts';

/** A field that is longer, as JSON, is not a fact about the reply. */
const fieldChars = 16 * 1024;
const mostFields = 64;

/** What a service says beside the text of a reply, over all its chunks: of each field the last word. */
export class ResponseFields {
  readonly #fields = new Map<string, unknown>();

  /** Cheap: it runs for every chunk. */
  take(json: JsonObject): void {
    for (const name of Object.keys(json)) {
      if (name === 'choices' || json[name] === null) continue;
      if (this.#fields.size < mostFields || this.#fields.has(name)) this.#fields.set(name, json[name]);
    }
  }

  /** The model that replied, by the service's own word. */
  get model(): string | undefined {
    const model = nonEmptyString(this.#fields.get('model'));
    return model === undefined ? undefined : nonEmptyString(sampleOf(model));
  }

  all(): JsonObject {
    return Object.fromEntries([...this.#fields].filter(([, value]) => JSON.stringify(value).length <= fieldChars));
  }
}
