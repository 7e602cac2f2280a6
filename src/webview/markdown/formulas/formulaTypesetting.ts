type Typeset = (text: string, isDisplayed: boolean) => Node | undefined;

/** What typesets formulas, fetched when the first one is drawn. */
class FormulaTypesetting {
  #typeset: Typeset | 'loading' | 'none' | undefined;

  /** 'none' when it couldn't be loaded, and formulas stay LaTeX. */
  get(): Typeset | 'loading' | 'none' {
    if (this.#typeset === undefined) {
      this.#typeset = 'loading';
      void this.#load();
    }
    return this.#typeset;
  }

  async #load(): Promise<void> {
    try {
      // A chunk of its own: few replies hold formulas.
      const { typesetFormula } = await import('./typesetFormula.ts');
      this.#typeset = typesetFormula;
    } catch {
      this.#typeset = 'none';
    }
  }
}

/** One for all views of the page. */
export const formulaTypesetting = new FormulaTypesetting();
