import type { MeasuredModels } from '../../core/models/measuredModel.ts';
import type { ModelCatalog } from '../../core/models/modelCatalog.ts';
import type { ModelMarks } from '../../core/models/modelMarks.ts';
import type { Setting } from '../settings/setting.ts';

/** All that is known of models, for those that show them. */
export interface ModelSources {
  readonly catalog: ModelCatalog;
  readonly marks: ModelMarks;
  readonly measured: MeasuredModels;
  readonly refreshAfterMinutes: Setting<number>;
}

/** Reads what is kept, and asks the service where that is missing or older than the person wants. Never rejects. */
export async function bringUpToDate({
  catalog,
  marks,
  refreshAfterMinutes,
}: Omit<ModelSources, 'measured'>): Promise<void> {
  const minutes = refreshAfterMinutes.value;
  // Without a limit of age, only a list that is missing is asked for.
  await Promise.all([marks.load(), catalog.ensure(minutes === 0 ? Infinity : minutes * 60_000)]);
}
