import { ignoreHeldEnter } from './keys.ts';
import * as l10n from '@vscode/l10n';
import { useServiceNames } from '../../words/modelLabel.ts';
import { writeNumbersIn } from '../../words/numberText.ts';

/** What every page needs. Call it before anything is created, because controls read their text once. */
export function preparePage(): void {
  usePageLanguage();
  ignoreHeldEnter();
}

/** Sets the language of the page's texts and numbers, and the names of its services. */
function usePageLanguage(): void {
  const translations = document.body.dataset['l10n'];
  if (translations !== undefined && translations !== '') l10n.config({ contents: translations });
  const language = document.documentElement.lang;
  if (language !== '') writeNumbersIn(language);
  const services = document.body.dataset['services'];
  if (services !== undefined) {
    const [names, former] = JSON.parse(services);
    useServiceNames(names, former);
  }
}
