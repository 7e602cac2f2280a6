import type { MeasuredModels } from '../../core/models/measuredModel.ts';
import type { AllMarks } from '../../core/models/allMarks.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import type { ModelVotes } from './modelVotes.ts';
import type { Setting } from '../settings/setting.ts';

/** Everything known about models, for views. */
export interface ModelSources {
  readonly catalog: ModelCatalogs;
  readonly marks: AllMarks;
  readonly measured: MeasuredModels;
  readonly votes: ModelVotes;
  readonly refreshAfterMinutes: Setting<number>;
}

/** Reads what is stored, and fetches each list that's missing or older than the user wants. Never rejects. */
export async function bringUpToDate({
  catalog,
  marks,
  refreshAfterMinutes,
}: Omit<ModelSources, 'measured' | 'votes'>): Promise<void> {
  const minutes = refreshAfterMinutes.value;
  // Without a maximum age, the list is only fetched if it's missing.
  await Promise.all([marks.load(), catalog.ensure(minutes === 0 ? Infinity : minutes * 60_000)]);
}
