import * as l10n from '@vscode/l10n';

/**
 * Makes the page's texts those of its language. To be called before anything is built: each text is read when its
 * control is made.
 *
 * @returns the language, where the host named one
 */
export function pageLanguage(): string | undefined {
  const translations = document.body.dataset['l10n'];
  if (translations !== undefined && translations !== '') l10n.config({ contents: translations });
  const language = document.documentElement.lang;
  return language === '' ? undefined : language;
}
