import * as l10n from '@vscode/l10n';
import { useServiceNames } from '../../words/modelLabel.ts';
import { writeNumbersIn } from '../../words/numberText.ts';

/** Makes the page's texts and numbers those of its language, and its services' names those of its host. To be called before anything is built: a control reads its text once. */
export function usePageLanguage(): void {
  const translations = document.body.dataset['l10n'];
  if (translations !== undefined && translations !== '') l10n.config({ contents: translations });
  const language = document.documentElement.lang;
  if (language !== '') writeNumbersIn(language);
  const services = document.body.dataset['services'];
  if (services !== undefined) useServiceNames(JSON.parse(services));
}
