import { ChangeEvent } from '../../core/changeEvent.ts';
import * as v from 'valibot';
import {
  type Capability,
  type FactStore,
  type PathFact,
  type ServiceFacts,
  withPath,
} from '../../api/service/serviceFacts.ts';
import type { ApiForm } from '../../api/types.ts';
import { withImages } from '../../api/service/imageFacts.ts';
import { refusableFields, type RefusedField, withoutRefusal, withRefusal } from '../../api/service/refusedFields.ts';
import { type LearnedUsage, withUsage } from '../../api/service/usageFacts.ts';
import { removeFile } from '../disk/removeFile.ts';
import { JsonFiles } from '../disk/jsonFile.ts';
import { serviceFile } from './serviceFile.ts';

const fact = v.object({
  isThere: v.boolean(),
  why: v.picklist(['answered', 'rejected', 'noSuchPath']),
  by: v.exactOptional(v.literal('probe')),
  where: v.exactOptional(v.string()),
  at: v.number(),
});
const forms = v.object({ native: v.exactOptional(fact), compatible: v.exactOptional(fact) });
const each = v.exactOptional(forms);
const paths = v.object({
  chat: each,
  models: each,
  imageInput: each,
  imageGeneration: each,
  audio: each,
  video: each,
}) satisfies v.GenericSchema<unknown, ServiceFacts['paths']>;
const schema = v.object({
  paths,
  usageByModel: v.exactOptional(
    v.record(v.string(), v.object({ is: v.picklist(['sent', 'onRequest', 'given', 'never']), at: v.number() })),
  ),
  fieldsByModel: v.exactOptional(v.record(v.string(), v.record(v.picklist(refusableFields), v.number()))),
  imagesByModel: v.exactOptional(v.record(v.string(), v.number())),
});
const ending = '.support.json';
const nothing: ServiceFacts = { paths: {} };

/** What is known about each service, one file each. All of it can be found out again. */
export class ServiceFactsFiles implements FactStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #files: JsonFiles<ServiceFacts>;
  readonly #known = new Map<string, ServiceFacts>();
  readonly #changed = new ChangeEvent();

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
    this.#files = new JsonFiles<ServiceFacts>({
      pathOf: (service) => serviceFile(folder, service, ending),
      version: 1,
      schema,
      empty: nothing,
      onTrouble: (trouble) => onError('error' in trouble ? trouble.error : new Error(trouble.kind)),
    });
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Reads what other and earlier windows found out. Never rejects. */
  async load(service: string): Promise<ServiceFacts> {
    const facts = await this.#files.of(service).read();
    this.#known.set(service, facts);
    return facts;
  }

  of(service: string): ServiceFacts {
    const known = this.#known.get(service);
    // The service was changed in the meantime: the next request finds out.
    if (known === undefined) void this.load(service);
    return known ?? nothing;
  }

  learnedPath(service: string, capability: Capability, api: ApiForm, path: PathFact): void {
    this.#change(service, (facts) => withPath(facts, capability, api, path));
  }

  learnedUsage(service: string, model: string, usage: LearnedUsage): void {
    this.#change(service, (facts) => ({
      ...facts,
      usageByModel: withUsage(facts.usageByModel ?? {}, model, usage),
    }));
  }

  learnedRefusal(service: string, model: string, field: RefusedField, at: number): void {
    this.#change(service, (facts) => ({
      ...facts,
      fieldsByModel: withRefusal(facts.fieldsByModel ?? {}, model, field, at),
    }));
  }

  forgotRefusal(service: string, model: string, field: RefusedField): void {
    this.#change(service, (facts) => ({
      ...facts,
      fieldsByModel: withoutRefusal(facts.fieldsByModel ?? {}, model, field),
    }));
  }

  learnedImages(service: string, model: string, at: number | undefined): void {
    this.#change(service, (facts) => ({ ...facts, imagesByModel: withImages(facts.imagesByModel ?? {}, model, at) }));
  }

  /** Deletes the facts about a service that was removed. */
  async remove(service: string): Promise<void> {
    this.#known.delete(service);
    await this.#files.of(service).settled();
    this.#files.forget(service);
    await removeFile(serviceFile(this.#folder, service, ending));
  }

  /** Settles when everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#files.settled();
  }

  #change(service: string, change: (facts: ServiceFacts) => ServiceFacts): void {
    this.#known.set(service, change(this.of(service)));
    this.#files
      .of(service)
      .update(change)
      .then(() => this.#changed.fire())
      .catch(this.#onError);
  }
}
