import temml from 'temml';
import { copyFormulaSources } from './copyFormulaSources.ts';

/** Replacements of macros: a formula that needs more would grow without end. */
const MAX_EXPANSIONS = 200;
/** The longest space or rule that a formula may ask for, in em and in points. */
const MAX_SIZE: [number, number] = [20, 200];

document.addEventListener('copy', copyFormulaSources);

/** MathML of LaTeX; undefined when it isn't LaTeX that can be typeset. */
export function typesetFormula(text: string, isDisplayed: boolean): Node | undefined {
  const box = document.createElement('span');
  try {
    temml.render(text, box, {
      displayMode: isDisplayed,
      throwOnError: true,
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      maxSize: MAX_SIZE,
    });
  } catch {
    return undefined;
  }
  return box.firstChild ?? undefined;
}
