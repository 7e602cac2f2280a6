import type { FormulaParts } from '../formulas/formulaParts.ts';

/** Maximum length of an inline formula, including its delimiters. */
const LOOKED_BACK_CHARS = 1004;
const MARK = /[$([]/;
/**
 * Possibly the first formula: a closed inline one, or the opening of a display one. Prices, shell variables, and escaped
 * dollars don't match. A false match only costs loading the library. A search from each escaped dollar to the end, or
 * without a limit, would take minutes for some texts.
 */
const FIRST_FORMULA =
  /\$\$|\\[([]|(?<=(?:^|[^\\])(?:\\\\)*)\$(?![\s$])(?:[^$\\]|\\[^]){1,1000}(?<!\s)\$(?:(?![A-Za-z\d{_$])|(?:st|nd|rd|th|s)\b)/;

/** What finds formulas in Markdown and draws them. Loaded when a text might contain the first one, because few do. */
export class FormulaReading {
  #parts: FormulaParts | undefined;
  #loading: Promise<void> | undefined;
  #isOver = false;

  /** Undefined until they're loaded, and permanently if they couldn't be: formulas are text then. */
  get parts(): FormulaParts | undefined {
    return this.#parts;
  }

  /** New text must wait. */
  get isLoading(): boolean {
    return this.#loading !== undefined && !this.#isOver;
  }

  /** Starts to load for a text that might contain a formula. False if there's nothing to wait for. */
  isWaitingFor(text: string, before: string): boolean {
    if (this.#isOver || !MARK.test(text)) return false;
    if (!FIRST_FORMULA.test(before.slice(-LOOKED_BACK_CHARS) + text)) return false;
    void this.load();
    return true;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      const { formulaParts } = await import('../formulas/formulaParts.ts');
      this.#parts = formulaParts;
    } catch {
      // Without them, all text is still drawn.
    }
    this.#isOver = true;
  }
}

/** One for all views of the page. */
export const formulaReading = new FormulaReading();
