import temml from 'temml';
import { copyFormulaSources } from './copyFormulaSources.ts';

/** Maximum number of macro expansions: a formula that needs more might grow forever. */
const MAX_EXPANSIONS = 200;
/** The longest space or rule that a formula can request, in em and in points. */
const MAX_SIZE: [number, number] = [20, 200];

document.addEventListener('copy', copyFormulaSources);

/** MathML for LaTeX; undefined if the LaTeX can't be typeset. */
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
