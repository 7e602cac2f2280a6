import { ChangeEvent } from '../changeEvent.ts';
import type { ModelMarksView } from './modelGroups.ts';

/** What a user set for the models of one service. */
export interface KeptMarks {
  /** Newest last. */
  readonly favorites: readonly string[];
  readonly hidden: readonly string[];
  /** Newest first. */
  readonly recent: readonly string[];
}

/** Stores marks, one set per service. Shared with other windows. */
export interface MarksStore {
  /** Never rejects. Without marks, all lists are empty. */
  read(service: string): Promise<KeptMarks>;
  /** Calls back when any window changed something. Settles once changes are being watched. Never rejects. */
  follow(onChange: () => void, onError: (error: unknown) => void): Promise<void>;
  /**
   * Changes the stored marks, which might be newer than what this window has.
   * @returns the stored marks after the change
   */
  change(service: string, change: (marks: KeptMarks) => KeptMarks): Promise<KeptMarks>;
}

export const noMarks: KeptMarks = { favorites: [], hidden: [], recent: [] };

export const recentCount = 5;

/** Favorite, hidden, and recently used models of one service. */
export class ModelMarks {
  readonly #store: MarksStore;
  readonly #service: () => string | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();
  /** The base URL whose marks were read last. */
  #readFrom: string | undefined;
  #marks: KeptMarks = noMarks;
  #hidden: ReadonlySet<string> = new Set();

  constructor(deps: {
    readonly store: MarksStore;
    readonly service: () => string | undefined;
    readonly onError: (error: unknown) => void;
  }) {
    this.#store = deps.store;
    this.#service = deps.service;
    this.#onError = deps.onError;
    this.#readFrom = deps.service();
  }

  // The same object after each read, so that only real changes are reported.
  readonly #followed = (): void => void this.#read().catch(this.#onError);

  get view(): ModelMarksView {
    return { favorites: this.#marks.favorites, hidden: this.#hidden, recent: this.#marks.recent };
  }

  /** @returns a function that ends the subscription. */
  readonly onDidChange = this.#changed.listen;

  /** Reads the stored marks, at startup and after a change of the base URL. Then follows other windows. */
  async load(): Promise<void> {
    // Started before reading, so that no change by another window is missed in between.
    await this.#store.follow(this.#followed, this.#onError);
    await this.#read();
  }

  async #read(): Promise<void> {
    const service = this.#service();
    const before = this.#readFrom;
    this.#readFrom = service;
    const marks = service === undefined ? noMarks : await this.#marksOf(service, before);
    if (service === this.#service()) this.#show(marks);
  }

  /** The marks of a service. If it got another base URL, they're copied, because the old one might be used again. */
  async #marksOf(service: string, before: string | undefined): Promise<KeptMarks> {
    const old = before === undefined || before === service ? noMarks : await this.#store.read(before);
    if (!isMarked(old)) return this.#store.read(service);
    return this.#store.change(service, (marks) => {
      const recent = [...new Set([...marks.recent, ...old.recent])].slice(0, recentCount);
      return isMarked({ ...marks, recent: [] }) ? marks : { ...old, recent };
    });
  }

  setFavorite(id: string, isFavorite: boolean): Promise<void> {
    return this.#change((marks) => ({
      ...marks,
      favorites: isFavorite ? [...without(marks.favorites, id), id] : without(marks.favorites, id),
    }));
  }

  setHidden(id: string, isHidden: boolean): Promise<void> {
    return this.#change((marks) => ({
      ...marks,
      hidden: isHidden ? [...without(marks.hidden, id), id] : without(marks.hidden, id),
    }));
  }

  used(id: string): Promise<void> {
    if (this.#marks.recent[0] === id) return Promise.resolve();
    return this.#change((marks) => ({ ...marks, recent: [id, ...without(marks.recent, id)].slice(0, recentCount) }));
  }

  async #change(change: (marks: KeptMarks) => KeptMarks): Promise<void> {
    const service = this.#service();
    if (service === undefined) return;
    const marks = await this.#store.change(service, change);
    if (service === this.#service()) this.#show(marks);
  }

  #show(marks: KeptMarks): void {
    if (JSON.stringify(marks) === JSON.stringify(this.#marks)) return;
    this.#marks = marks;
    this.#hidden = new Set(marks.hidden);
    this.#changed.fire();
  }
}

function isMarked({ favorites, hidden, recent }: KeptMarks): boolean {
  return favorites.length + hidden.length + recent.length > 0;
}

function without(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}
