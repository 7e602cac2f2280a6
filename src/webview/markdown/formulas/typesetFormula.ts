import temml from 'temml';
import { copyFormulaSources } from './copyFormulaSources.ts';

/** Maximum number of macro expansions: a formula that needs more might grow forever. */
const MAX_EXPANSIONS = 200;
/** The longest space or rule that a formula can request, in em and in points. */
const MAX_SIZE: [number, number] = [20, 200];
/** The same limit for lengths that Temml doesn't limit, by unit. */
const LONGEST: Readonly<Record<string, number>> = {
  em: 20,
  ex: 46,
  pt: 200,
  px: 267,
  pc: 17,
  mm: 71,
  cm: 7.1,
  in: 2.8,
};
const LENGTH = /([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(em|ex|pt|px|pc|mm|cm|in)\b/g;

document.addEventListener('copy', copyFormulaSources);

/** MathML for LaTeX; undefined if the LaTeX can't be typeset, or contains what doesn't belong on the page. */
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
  return leadsNowhere(box) && staysInPlace(box) ? (box.firstChild ?? undefined) : undefined;
}

/** Temml doesn't ask for trust before it makes a link of a reference to another formula, and there's nothing to refer to. */
function leadsNowhere(box: Element): boolean {
  return box.querySelector('a, [href]') === null;
}

/** Temml doesn't limit negative lengths, which move parts of a formula over the text around it, or far away. */
function staysInPlace(box: Element): boolean {
  let back = 0;
  for (const element of box.querySelectorAll('*')) {
    for (const { value } of element.attributes) {
      for (const [, digits = '', unit = ''] of value.matchAll(LENGTH)) {
        const share = Number(digits) / (LONGEST[unit] ?? 1);
        if (share > 1) return false;
        back += Math.min(0, share);
      }
    }
  }
  return back >= -1;
}
