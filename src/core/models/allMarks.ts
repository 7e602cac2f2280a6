import { ChangeEvent } from '../changeEvent.ts';
import { type ModelRef, modelRef, refParts } from '../../shared/modelRef.ts';
import type { ModelMarksView } from './modelGroups.ts';
import type { ModelMarks } from './modelMarks.ts';
import { recentCount } from './modelMarks.ts';

/** Favorite, hidden, and recently used models of all services. */
export class AllMarks {
  readonly #changed = new ChangeEvent();
  #marks: ReadonlyMap<string, ModelMarks> = new Map();
  #stops: readonly (() => void)[] = [];
  /** Models used in this window, newest first, because each service's own list doesn't know about the others. */
  #used: readonly ModelRef[] = [];

  /** @param marks by the ID of their service, in the user's order */
  set(marks: ReadonlyMap<string, ModelMarks>): void {
    for (const stop of this.#stops) stop();
    this.#marks = marks;
    this.#stops = [...marks.values()].map((each) => each.onDidChange(() => this.#changed.fire()));
    this.#changed.fire();
  }

  get view(): ModelMarksView {
    const views = [...this.#marks].map(([service, { view }]) => {
      const refs = (models: Iterable<string>) => [...models].map((model) => modelRef(service, model));
      return { favorites: refs(view.favorites), hidden: refs(view.hidden), recent: refs(view.recent) };
    });
    const recent = views.flatMap((view) => view.recent);
    const latest = this.#used.filter((model) => recent.includes(model));
    return {
      favorites: views.flatMap(({ favorites }) => favorites),
      hidden: new Set(views.flatMap(({ hidden }) => hidden)),
      recent: views.length === 1 ? recent : [...new Set([...latest, ...recent])].slice(0, recentCount),
    };
  }

  isFavorite(model: ModelRef): boolean {
    const { service, model: own } = refParts(model);
    return this.#marks.get(service)?.view.favorites.includes(own) ?? false;
  }

  isHidden(model: ModelRef): boolean {
    const { service, model: own } = refParts(model);
    return this.#marks.get(service)?.view.hidden.has(own) ?? false;
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Reads the stored marks, and follows other windows. */
  async load(): Promise<void> {
    await Promise.all([...this.#marks.values()].map((marks) => marks.load()));
  }

  async setFavorite(model: ModelRef, isFavorite: boolean): Promise<void> {
    const { service, model: own } = refParts(model);
    await this.#marks.get(service)?.setFavorite(own, isFavorite);
  }

  async setHidden(model: ModelRef, isHidden: boolean): Promise<void> {
    const { service, model: own } = refParts(model);
    await this.#marks.get(service)?.setHidden(own, isHidden);
  }

  async used(model: ModelRef): Promise<void> {
    this.#used = [model, ...this.#used.filter((other) => other !== model)].slice(0, recentCount);
    const { service, model: own } = refParts(model);
    await this.#marks.get(service)?.used(own);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#changed.clear();
  }
}
