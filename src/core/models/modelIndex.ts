import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { abilitiesOf, kindOf, type ModelAbility, type ModelKind } from './modelAbilities.ts';

/** A model with all that lists ask of it, worked out once. */
export interface IndexedModel {
  readonly model: ModelInfo;
  /** The id up to its first slash, or who the catalog says owns the model; empty when neither is known. */
  readonly provider: string;
  readonly kind: ModelKind;
  readonly abilities: ReadonlySet<ModelAbility>;
  /** What a search looks through, in small letters. */
  readonly searched: string;
  /** False for a favorite or a recently used model that the catalog lacks. */
  readonly isListed: boolean;
}

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** As a person sorts names: `m-2` before `m-10`. */
export function compareNames(one: string, other: string): number {
  return order.compare(one, other);
}

/** A catalog made ready for lists: sorted by name, each id once, although some catalogs repeat themselves. */
export class ModelIndex {
  readonly models: readonly IndexedModel[];
  readonly #byId: ReadonlyMap<string, IndexedModel>;

  constructor(models: readonly ModelInfo[]) {
    const byId = new Map<string, IndexedModel>();
    for (const model of models) if (!byId.has(model.id)) byId.set(model.id, indexed(model, true));
    this.#byId = byId;
    this.models = [...byId.values()].toSorted((one, other) => compareNames(one.model.id, other.model.id));
  }

  find(id: string): IndexedModel | undefined {
    return this.#byId.get(id);
  }

  /** True where the service said the same of the same models. */
  equals(other: ModelIndex): boolean {
    if (this.models.length !== other.models.length) return false;
    return this.models.every(({ model }, at) => JSON.stringify(model) === JSON.stringify(other.models[at]?.model));
  }

  /** The model, or a row that knows only its name. */
  findOrName(id: string): IndexedModel {
    return this.#byId.get(id) ?? indexed({ id, raw: {} }, false);
  }
}

function indexed(model: ModelInfo, isListed: boolean): IndexedModel {
  const name = model.raw['name'];
  const words = [model.id, model.ownedBy ?? '', typeof name === 'string' ? name : '', model.kind ?? ''];
  return {
    model,
    provider: providerOf(model),
    kind: kindOf(model),
    abilities: abilitiesOf(model),
    searched: words.join('\n').toLowerCase(),
    isListed,
  };
}

function providerOf(model: ModelInfo): string {
  const slash = model.id.indexOf('/');
  return slash > 0 ? model.id.slice(0, slash) : (model.ownedBy ?? '');
}
