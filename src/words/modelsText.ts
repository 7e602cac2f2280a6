import * as l10n from '@vscode/l10n';
import { numberText } from './numberText.ts';

/** `1 model`, `1,234 models`. */
export function modelsText(count: number): string {
  return count === 1 ? l10n.t('1 model') : l10n.t('{0} models', numberText(count));
}
