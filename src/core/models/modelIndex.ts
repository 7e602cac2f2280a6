import { type ModelRef, refParts, type WireModel } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { abilitiesOf, kindOf, type ModelAbility, type ModelKind } from './modelAbilities.ts';

/** A model of a service's list. */
export interface ListedModel extends Omit<ModelInfo, 'id'> {
  readonly id: ModelRef;
}

/** A model with everything that lists need, calculated once. */
export interface IndexedModel {
  readonly model: ListedModel;
  /** ID of the service that has it. */
  readonly service: string;
  /** Its ID there. */
  readonly name: WireModel;
  /** The ID up to its first slash, or the owner in the model list; empty if neither is known. */
  readonly provider: string;
  readonly kind: ModelKind;
  readonly abilities: ReadonlySet<ModelAbility>;
  /** The searchable text, in lower case. */
  readonly searched: string;
  /** False for a favorite or recently used model that isn't in the list. */
  readonly isListed: boolean;
}

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Natural sort order: `m-2` before `m-10`. */
export function compareNames(one: string, other: string): number {
  return order.compare(one, other);
}

/** A model list prepared for views: sorted by name, with each ID once, although some services repeat themselves. */
export class ModelIndex {
  #models: readonly IndexedModel[];
  #find: (id: ModelRef) => IndexedModel | undefined;

  /** @param unlisted what is known about models that the service doesn't list */
  constructor(models: readonly ListedModel[], unlisted: readonly ListedModel[] = []) {
    const byId = new Map<string, IndexedModel>();
    for (const model of models) if (!byId.has(model.id)) byId.set(model.id, indexed(model, true));
    for (const model of unlisted) if (!byId.has(model.id)) byId.set(model.id, indexed(model, false));
    this.#find = (id) => byId.get(id);
    this.#models = [...byId.values()].toSorted((one, other) => compareNames(one.model.id, other.model.id));
  }

  /**
   * The lists of several services, one after the other. Each is already sorted, and sorting thousands of names takes a
   * long time.
   */
  static joined(indices: readonly ModelIndex[]): ModelIndex {
    const joined = new ModelIndex([]);
    joined.#models = indices.flatMap(({ models }) => models);
    // Copying tens of thousands of keys takes longer than looking in the one list that has the model.
    const byService = new Map(
      indices.flatMap((index) => index.#models.slice(0, 1).map(({ service }) => [service, index])),
    );
    joined.#find = (id) => byService.get(refParts(id).service)?.find(id);
    return joined;
  }

  get models(): readonly IndexedModel[] {
    return this.#models;
  }

  /** In the same order. */
  withAbility(ability: ModelAbility): readonly ListedModel[] {
    return this.models.filter(({ abilities }) => abilities.has(ability)).map(({ model }) => model);
  }

  find(id: ModelRef): IndexedModel | undefined {
    return this.#find(id);
  }

  /** True if the service returned the same data for the same models. */
  equals(other: ModelIndex): boolean {
    if (this.models.length !== other.models.length) return false;
    return this.models.every(({ model }, at) => JSON.stringify(model) === JSON.stringify(other.models[at]?.model));
  }

  /** The model, or a row with only its name. */
  findOrName(id: ModelRef): IndexedModel {
    return this.#find(id) ?? indexed({ id, raw: {} }, false);
  }
}

function indexed(model: ListedModel, isListed: boolean): IndexedModel {
  const { service, model: ownId } = refParts(model.id);
  const name = model.raw['name'];
  const words = [ownId, model.ownedBy ?? '', typeof name === 'string' ? name : '', model.kind ?? ''];
  return {
    model,
    service,
    name: ownId,
    provider: providerOf(ownId, model),
    kind: kindOf(model),
    abilities: abilitiesOf(model),
    searched: words.join('\n').toLowerCase(),
    isListed,
  };
}

function providerOf(name: string, { ownedBy }: ListedModel): string {
  const slash = name.indexOf('/');
  return slash > 0 ? name.slice(0, slash) : (ownedBy ?? '');
}
