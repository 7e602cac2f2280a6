import { ignoreHeldEnter } from './keys.ts';
import { usePageLanguage } from './usePageLanguage.ts';

/** What every page needs. Call it before anything is created, because controls read their text once. */
export function preparePage(): void {
  usePageLanguage();
  ignoreHeldEnter();
}
