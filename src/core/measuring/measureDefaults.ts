import type { MeasureField, MeasureForm, ModelChoice } from '../../shared/measuring.ts';

const fields: Readonly<Record<MeasureField, string>> = {
  repeats: '20',
  warmUp: '1',
  concurrency: '1, 4, 16',
  maxTokens: '256',
  goodFirstSeconds: '',
  goodPerTokenMs: '',
  goodTotalSeconds: '',
  limitRequests: '',
  limitTokens: '',
  limitCost: '',
  limitMinutes: '',
};

/** What a form begins with. */
export const measureDefaults: MeasureForm = {
  models: [],
  workload: 'shortQuestion',
  ownText: '',
  usesUniquePrefix: true,
  order: 'oneAfterAnother',
  fields,
};

/** Takes one model under a minute, whatever its speed: the limit sees to that. */
export function quickPreset(models: readonly ModelChoice[]): MeasureForm {
  const minutes = Math.max(1, models.length);
  return {
    ...measureDefaults,
    models,
    fields: {
      ...fields,
      repeats: '8',
      concurrency: '1, 4',
      maxTokens: '64',
      // A little less, because requests that have begun are stopped then.
      limitMinutes: String(Math.round(minutes * 0.9 * 10) / 10),
    },
  };
}
