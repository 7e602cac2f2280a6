import * as l10n from '@vscode/l10n';
import { speedOf } from './measuredModel.ts';
import { abilityText, imagesText } from './kindText.ts';
import { modelFigures, otherKind } from './modelFacts.ts';
import { isOneRanking } from './modelGroups.ts';
import type { IndexedModel } from './modelIndex.ts';
import {
  type ModelFigure,
  modelFigureNames,
  type ModelQuestion,
  type ModelRow,
  type ModelRowsView,
  type UnlistedService,
} from '../../shared/modelRow.ts';
import { mainServiceId, type ModelRef, modelRef } from '../../shared/modelRef.ts';
import { inline } from '../../words/inline.ts';
import { hasSeveralServices, modelLabel, serviceName, serviceNames } from '../../words/modelLabel.ts';
import type { Problem } from '../../shared/problem.ts';
import { groupLabel } from './groupLabel.ts';
import { hasInOrder } from './hasInOrder.ts';
import { type ChoiceSources, modelChoices } from './modelChoices.ts';
import type { ModelCatalogs } from './modelCatalogs.ts';
import type { AllMarks } from './allMarks.ts';

/** Maximum number of rows sent to a page with each keystroke. From a longer list, the first ones. */
const maxRows = 300;

export interface RowSources extends ChoiceSources {
  readonly catalog: Pick<ModelCatalogs, 'index' | 'error' | 'fetchedAt' | 'isRefreshing' | 'byService'>;
  readonly marks: Pick<AllMarks, 'view' | 'isFavorite'>;
  /** IDs of the services that are known not to support this. */
  readonly lacking: (ability: 'chat' | 'multimodal') => ReadonlySet<string>;
}

interface Found {
  readonly entry: IndexedModel;
  readonly group: string;
}

/** The rows of a page's model picker: chat models, in the user's order. */
export class ModelRows {
  readonly #models: RowSources;
  readonly #problemOf: (error: unknown, service?: string) => Problem;
  readonly #ids = new Map<ModelRef, string>();
  /** IDs of the services whose models can't be sent images. */
  #blind: ReadonlySet<string> = new Set();

  /** @param problemOf describes why a list couldn't be fetched: that of a service, if there are several */
  constructor(models: RowSources, problemOf: (error: unknown, service?: string) => Problem) {
    this.#models = models;
    this.#problemOf = problemOf;
  }

  /** The model of a row that was sent to the page. */
  model(row: string): ModelRef | undefined {
    return [...this.#ids].find(([, id]) => id === row)?.[0];
  }

  /** @param current the model in use, which is marked */
  find({ typed, sort: wanted, allKinds }: ModelQuestion, current: ModelRef | undefined): ModelRowsView {
    const { catalog } = this.#models;
    const { error, fetchedAt, isRefreshing } = catalog;
    const { models } = catalog.index;
    const chats = models.filter(({ abilities }) => abilities.has('chat')).length;
    const { figure: named, rest } = this.#named(typed.trim().toLowerCase());
    const sortedBy = named ?? wanted;
    const lacking = this.#models.lacking('chat');
    this.#blind = new Set([...lacking, ...this.#models.lacking('multimodal')]);
    const searched = rest.split(/\s+/).filter(Boolean);
    const found = this.#found(searched, sortedBy, allKinds);
    const rows = found.slice(0, maxRows).map((one) => this.#row(one, current, lacking));
    const own = named === undefined ? this.#typedRows(typed.trim(), found) : [];
    // Enter selects the first row: the best match in the list, if any, unless a whole ID was typed that no model contains.
    const isOwnFirst = rest.includes('/') && !found.some((one) => this.#contains(one, searched));
    const isFailed = !hasSeveralServices() && fetchedAt === undefined && !isRefreshing && error !== undefined;
    return {
      rows: isOwnFirst ? [...own, ...rows] : [...rows, ...own],
      left: found.length - rows.length,
      ...(sortedBy !== undefined && { sortedBy }),
      isLoading: isRefreshing,
      ...(fetchedAt === undefined && { lacksList: true }),
      ...(isFailed && { problem: this.#problemOf(error.cause) }),
      unlisted: hasSeveralServices() ? this.#unlisted() : [],
      otherKinds: chats === 0 || chats === models.length ? 'none' : allKinds ? 'shown' : 'hidden',
    };
  }

  /** Services that are being asked again might still return a list. */
  #unlisted(): readonly UnlistedService[] {
    return [...this.#models.catalog.byService].flatMap(([service, { error, fetchedAt, isRefreshing }]) => {
      if (error === undefined || fetchedAt !== undefined || isRefreshing) return [];
      return [{ service, name: inline(serviceName(service), 60), problem: this.#problemOf(error.cause, service) }];
    });
  }

  /**
   * The figure that the user wants to rank by, and the rest of the typed text. Part of the figure's word is enough if
   * no model contains it.
   */
  #named(typed: string): { readonly figure?: ModelFigure; readonly rest: string } {
    const { models } = this.#models.catalog.index;
    for (const figure of modelFigureNames) {
      const best = bestWord(figure).toLowerCase();
      const rest = ` ${typed} `.replace(` ${best} `, ' ').trim();
      if (rest !== typed) return { figure, rest };
      const isPart = typed.length >= 4 && best.startsWith(typed);
      if (isPart && !models.some(({ searched }) => searched.includes(typed))) return { figure, rest: '' };
    }
    return { rest: typed };
  }

  #found(words: readonly string[], sortedBy: ModelFigure | undefined, allKinds: boolean): readonly Found[] {
    const sort = sortedBy ?? 'name';
    const all = modelChoices(this.#models, allKinds ? undefined : 'chat', sort).flatMap((group) =>
      group.models.map((entry) => ({ entry, group: isOneRanking({ sort }) ? '' : groupLabel(group) })),
    );
    if (words.length === 0) return all;
    const holding = all.filter((one) => this.#contains(one, words));
    if (holding.length > 0) return holding;
    return all.filter(({ entry }) => words.every((word) => hasInOrder(entry.name.toLowerCase(), word)));
  }

  #contains({ entry }: Found, words: readonly string[]): boolean {
    const text = this.#textOf(entry);
    const ofImages = imagesText(entry, this.#blind).toLowerCase();
    return words.every((word) => text.includes(word) || (ofImages.includes(word) && meansImages(word)));
  }

  /** With the name of its service, which is in its row if there are several. */
  #textOf({ model, searched, service }: IndexedModel): string {
    const ofService = hasSeveralServices() ? [serviceName(service)] : [];
    return [searched, ...ofService, ...Object.values(this.#figures(model))].join(' ').toLowerCase();
  }

  #figures(model: IndexedModel['model']): ModelRow['figures'] {
    return modelFigures(model, speedOf(this.#models.measured.figures(model.id)));
  }

  #row({ entry, group }: Found, current: ModelRef | undefined, lacking: ReadonlySet<string>): ModelRow {
    const { model, isListed, service } = entry;
    const withImages = imagesText(entry, this.#blind);
    const notes = [
      lacking.has(service) ? l10n.t('not supported by the service') : '',
      isListed ? '' : l10n.t('not in the list'),
      otherKind(model),
    ];
    return {
      id: this.#idOf(model.id),
      group,
      name: inline(modelLabel(model.id), 256),
      figures: this.#figures(model),
      notes: notes.filter((note) => note !== ''),
      ...(withImages !== '' && { withImages }),
      isFavorite: this.#models.marks.isFavorite(model.id),
      isCurrent: model.id === current,
      isTyped: false,
    };
  }

  /** For an ID that isn't in the service's list. */
  #typedRows(typed: string, found: readonly Found[]): readonly ModelRow[] {
    if (typed === '' || /\s/.test(typed) || typed.length > 256) return [];
    const ids = Object.keys(serviceNames());
    return (ids.length === 0 ? [mainServiceId] : ids)
      .map((service) => modelRef(service, typed))
      .filter((ref) => !found.some(({ entry }) => entry.model.id === ref))
      .map((ref) => ({
        id: this.#idOf(ref),
        group: l10n.t('By ID'),
        name: l10n.t('Use "{0}"', inline(modelLabel(ref), 256)),
        figures: { speed: '', firstToken: '', context: '', price: '' },
        notes: [],
        isFavorite: false,
        isCurrent: false,
        isTyped: true,
      }));
  }

  #idOf(model: ModelRef): string {
    const id = this.#ids.get(model) ?? String(this.#ids.size);
    this.#ids.set(model, id);
    return id;
  }
}

/** Whether a user means images by this word, in lower case. Other words of "chat with images" are part of many names. */
function meansImages(word: string): boolean {
  const images = abilityText('image').toLowerCase();
  return word.startsWith(images) || (word.length >= 4 && images.startsWith(word));
}

/** What a user types to see the best first. */
function bestWord(figure: ModelFigure): string {
  switch (figure) {
    case 'speed':
      return l10n.t('fastest');
    case 'firstToken':
      return l10n.t('quickest');
    case 'context':
      return l10n.t('largest');
    case 'price':
      return l10n.t('cheapest');
  }
}
