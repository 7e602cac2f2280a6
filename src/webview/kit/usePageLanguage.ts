import * as l10n from '@vscode/l10n';
import { writeNumbersIn } from '../../words/numberText.ts';

/** Makes the page's texts and numbers those of its language. To be called before anything is built: a control reads its text once. */
export function usePageLanguage(): void {
  const translations = document.body.dataset['l10n'];
  if (translations !== undefined && translations !== '') l10n.config({ contents: translations });
  const language = document.documentElement.lang;
  if (language !== '') writeNumbersIn(language);
}
