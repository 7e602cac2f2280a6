import type { FormulaToken } from '../stream/formulaToken.ts';
import { formulaTypesetting } from './formulaTypesetting.ts';

/** One formula: LaTeX until it's typeset, and permanently if it can't be. */
export class FormulaView {
  readonly element: HTMLElement;
  readonly #token: FormulaToken;

  constructor(token: FormulaToken, name: 'div' | 'span') {
    this.#token = token;
    this.element = document.createElement(name);
    this.element.className = token.isDisplayed ? 'md-formula md-formula-displayed' : 'md-formula';
    this.element.textContent = token.raw.trim();
  }

  /** False while the library is being loaded. */
  typeset(): boolean {
    const typeset = formulaTypesetting.get();
    if (typeset === 'loading') return false;
    const math = typeset === 'none' ? undefined : typeset(this.#token.text, this.#token.isDisplayed);
    if (math === undefined) return true;
    // Many screen readers read MathML as a row of letters: x² as "x2".
    if (math instanceof Element) math.setAttribute('aria-label', this.#token.text.trim());
    // The text that is copied instead.
    const source = document.createElement('span');
    source.className = 'md-formula-source';
    source.textContent = this.#token.raw.trim();
    this.element.replaceChildren(math, source);
    return true;
  }
}
