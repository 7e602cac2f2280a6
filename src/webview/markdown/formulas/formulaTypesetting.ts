type Typeset = (text: string, isDisplayed: boolean) => Node | undefined;

/** Typesets formulas. Its library is loaded with the first one. */
class FormulaTypesetting {
  #typeset: Typeset | 'loading' | 'none' | undefined;

  /** 'none' if it couldn't be loaded, so that formulas stay LaTeX. */
  get(): Typeset | 'loading' | 'none' {
    if (this.#typeset === undefined) {
      this.#typeset = 'loading';
      void this.#load();
    }
    return this.#typeset;
  }

  async #load(): Promise<void> {
    try {
      // A separate chunk, because few replies contain formulas.
      const { typesetFormula } = await import('./typesetFormula.ts');
      this.#typeset = typesetFormula;
    } catch {
      this.#typeset = 'none';
    }
  }
}

/** One for all views of the page. */
export const formulaTypesetting = new FormulaTypesetting();
