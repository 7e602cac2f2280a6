import type { MeasureField, MeasureForm } from '../../shared/measuring.ts';

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

/** The initial values of the form. */
export const measureDefaults: MeasureForm = {
  models: [],
  workload: 'shortQuestion',
  ownText: '',
  usesUniquePrefix: true,
  order: 'oneAfterAnother',
  fields,
};

/**
 * Takes less than a minute for one model at any speed, because of the limit. Everything that doesn't decide how long it
 * takes stays as it is, such as other limits.
 */
export function quickPreset(form: MeasureForm): MeasureForm {
  const minutes = Math.max(1, form.models.length);
  return {
    ...form,
    fields: {
      ...form.fields,
      repeats: '8',
      concurrency: '1, 4',
      maxTokens: '64',
      // Slightly less, because requests that have started are stopped then.
      limitMinutes: String(Math.round(minutes * 0.9 * 10) / 10),
    },
  };
}
