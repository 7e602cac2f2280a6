import { mainServiceId } from '../../shared/modelRef.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ModelAbility } from './modelAbilities.ts';
import type { ModelSpeed } from '../../shared/usage.ts';
import { hasSeveralServices, serviceNames } from '../../words/modelLabel.ts';
import { compareNames, type IndexedModel, type ModelIndex } from './modelIndex.ts';
import { statedPrices } from './priceWords.ts';

export type ModelSort = 'name' | 'context' | 'price' | 'firstToken' | 'speed';

export const modelSorts: readonly ModelSort[] = ['name', 'context', 'price', 'firstToken', 'speed'];

/** How a user wants to see the model list. */
export interface ModelListView {
  /** Words that must all occur in a model's ID, name, owner, or kind, or in the name of its service if there are several. */
  readonly text: string;
  /** A model must have one of these. If empty, any model matches. */
  readonly abilities: readonly ModelAbility[];
  readonly sort: ModelSort;
  /** False for one list of all providers. A list sorted by a figure is always one list. */
  readonly isGrouped: boolean;
  readonly showsHidden: boolean;
}

export const plainView: ModelListView = {
  text: '',
  abilities: [],
  sort: 'name',
  isGrouped: true,
  showsHidden: false,
};

/** What a user set for models, by ID. */
export interface ModelMarksView {
  /** Newest last. */
  readonly favorites: readonly string[];
  readonly hidden: ReadonlySet<string>;
  /** Newest first. */
  readonly recent: readonly string[];
}

export interface ModelGroup {
  readonly kind: 'favorites' | 'recent' | 'provider' | 'all';
  /** For a group of kind `provider`; empty if unknown. */
  readonly provider: string;
  /** ID of the service whose provider it is; absent for the main one. */
  readonly service?: string;
  /** True for a group of kind `all` that has the models of one service only. */
  readonly isOfService?: boolean;
  readonly models: readonly IndexedModel[];
}

export interface ModelGroups {
  /** No group is empty. */
  readonly groups: readonly ModelGroup[];
  /** Models in the list that match, each counted once. */
  readonly shown: number;
  /** Models in the list that match, but are hidden by the user. */
  readonly hidden: number;
  readonly total: number;
}

export function isFiltered(view: ModelListView): boolean {
  return view.text.trim() !== '' || view.abilities.length > 0;
}

/** Only for a ranking of all models: among favorites or below a provider, nobody would see it. */
export function isOneRanking({ sort }: Pick<ModelListView, 'sort'>): boolean {
  return sort !== 'name';
}

/**
 * The model list in groups: favorites, recently used, then the providers, or all in one. Sorted by a figure, it's a
 * single ranking.
 */
export function groupModels(
  index: ModelIndex,
  marks: ModelMarksView,
  view: ModelListView,
  speedOf: (id: string) => ModelSpeed | undefined,
): ModelGroups {
  const fits = filterOf(view);
  const isShown = isShownIn(marks, view);
  const fitting = index.models.filter(fits);
  const shown = fitting.filter(isShown);
  const marked = (ids: readonly string[]) =>
    ids.map((id) => index.findOrName(id)).filter((entry) => fits(entry) && isShown(entry));
  const sorted = sortedBy(view.sort, speedOf);

  const favorites = marked(marks.favorites).toSorted((a, b) => compareNames(a.model.id, b.model.id));
  const recent = marked(marks.recent);
  const groups: readonly ModelGroup[] = isOneRanking(view)
    ? [{ kind: 'all', provider: '', models: sorted([...shown, ...unlisted([...favorites, ...recent])]) }]
    : [
        { kind: 'favorites', provider: '', models: favorites },
        // Always newest first, which is the purpose of the group.
        { kind: 'recent', provider: '', models: recent },
        ...(view.isGrouped ? byProvider(shown) : byService(shown)),
      ];
  return {
    groups: groups.filter(({ models }) => models.length > 0),
    shown: shown.length,
    hidden: fitting.length - shown.length,
    total: index.models.length,
  };
}

/** Which models a list shows. */
export function visibleModels(
  marks: ModelMarksView,
  view: ModelListView,
): { readonly fits: (entry: IndexedModel) => boolean } {
  const [fits, isShown] = [filterOf(view), isShownIn(marks, view)];
  return { fits: (entry) => fits(entry) && isShown(entry) };
}

function isShownIn({ hidden }: ModelMarksView, { showsHidden }: ModelListView): (entry: IndexedModel) => boolean {
  return ({ model }) => showsHidden || !hidden.has(model.id);
}

function filterOf({ text, abilities }: ModelListView): (entry: IndexedModel) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const names = hasSeveralServices() ? Object.entries(serviceNames()) : [];
  const services = new Map(names.map(([id, name]) => [id, name.toLowerCase()]));
  return (entry) =>
    words.every((word) => entry.searched.includes(word) || services.get(entry.service)?.includes(word) === true) &&
    (abilities.length === 0 || abilities.some((ability) => entry.abilities.has(ability)));
}

/** Each once, by name. They might have been measured although no list has them. */
function unlisted(marked: readonly IndexedModel[]): readonly IndexedModel[] {
  const missing = marked.filter(({ isListed }) => !isListed);
  return [...new Map(missing.map((entry) => [entry.model.id, entry])).values()].toSorted((a, b) =>
    compareNames(a.model.id, b.model.id),
  );
}

function byProvider(models: readonly IndexedModel[]): readonly ModelGroup[] {
  // Service by service, in the order of the models.
  return [...Map.groupBy(models, ({ service }) => service)].flatMap(([service, offered]) =>
    [...Map.groupBy(offered, ({ provider }) => provider)]
      .map(([provider, own]) => ({
        kind: 'provider' as const,
        provider,
        ...serviceField(service),
        models: own,
      }))
      .toSorted((one, other) => compareNames(one.provider, other.provider)),
  );
}

/** All models of each service. */
function byService(models: readonly IndexedModel[]): readonly ModelGroup[] {
  const services = [...Map.groupBy(models, ({ service }) => service)];
  return services.map(([service, own]) => ({
    kind: 'all',
    provider: '',
    isOfService: true,
    ...serviceField(service),
    models: own,
  }));
}

function serviceField(service: string | undefined): { readonly service?: string } {
  return service === undefined || service === mainServiceId ? {} : { service };
}

/** Models without the figure come last. Equal ones stay in their order. */
function sortedBy(
  sort: ModelSort,
  speedOf: (id: string) => ModelSpeed | undefined,
): (models: readonly IndexedModel[]) => readonly IndexedModel[] {
  if (sort === 'name') return (models) => models;
  const figure = figureOf(sort, speedOf);
  return (models) =>
    models
      .map((entry) => ({ entry, value: figure(entry) ?? Infinity }))
      .toSorted((one, other) => (one.value === other.value ? 0 : one.value - other.value))
      .map(({ entry }) => entry);
}

/** Smaller is better. */
function figureOf(
  sort: Exclude<ModelSort, 'name'>,
  speedOf: (id: string) => ModelSpeed | undefined,
): (entry: IndexedModel) => number | undefined {
  switch (sort) {
    case 'context':
      return ({ model }) => negative(model.contextWindow);
    case 'price':
      return ({ model }) => tokenPrice(model);
    case 'firstToken':
      return ({ model }) => speedOf(model.id)?.timeToFirstTokenSeconds?.value;
    case 'speed':
      return ({ model }) => negative(speedOf(model.id)?.tokensPerSecond?.value);
  }
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value;
}

/**
 * Of a million tokens: a chat reads about three times as many as it writes. Undefined if it's unknown, or if the model is
 * paid for in another way, for example per request.
 */
export function tokenPrice(model: ModelInfo): number | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output } = model;
  const price = input === undefined || output === undefined ? (input ?? output) : (3 * input + output) / 4;
  return price === 0 && statedPrices(model) !== undefined ? undefined : price;
}
