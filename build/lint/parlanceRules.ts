import { comparedKinds } from './comparedKinds.ts';
import { featureOrder } from './featureOrder.ts';
import { settledSelections } from './settledSelections.ts';

/** The rules that oxlint doesn't have. It loads this file by itself. */
// oxlint-disable-next-line import/no-default-export -- the form of a plugin
export default {
  meta: { name: 'parlance' },
  rules: { 'compared-kinds': comparedKinds, 'feature-order': featureOrder, 'settled-selections': settledSelections },
};
