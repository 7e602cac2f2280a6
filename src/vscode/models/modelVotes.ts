import { ChangeEvent } from '../../core/changeEvent.ts';
import { duelsOf } from '../../core/compare/compareVote.ts';
import type { RankedModel } from '../../core/experiments/modelRanking.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { VoteStore } from './voteStore.ts';

/** The results of models in blind votes. The votes are read on demand. */
export class ModelVotes {
  readonly store: VoteStore;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();
  #ranked: ReadonlyMap<string, RankedModel> | undefined;

  constructor(store: VoteStore, onError: (error: unknown) => void) {
    this.store = store;
    this.#onError = onError;
    store.onDidChange(() => {
      if (this.#ranked !== undefined) this.#rank().catch(onError);
    });
  }

  /** Undefined for a model without votes, and until they have been read, which `onDidChange` reports. */
  ranked(model: ModelRef): RankedModel | undefined {
    if (this.#ranked === undefined) {
      this.#ranked = new Map();
      this.#rank().catch(this.#onError);
    }
    return this.#ranked.get(model);
  }

  readonly onDidChange = this.#changed.event;

  async #rank(): Promise<void> {
    const duels = duelsOf(await this.store.all());
    if (duels.length === 0 && this.#ranked?.size === 0) return;
    const { modelRanking } = await import('../../core/experiments/modelRanking.ts');
    const [largest = [], ...others] = modelRanking(duels);
    // Ranks of models that no chain of votes connects can't be compared.
    const rows = [...largest, ...others.flat().map(({ rank: _rank, ...row }) => row)];
    this.#ranked = new Map(rows.map((row) => [row.model, row]));
    this.#changed.fire();
  }
}
