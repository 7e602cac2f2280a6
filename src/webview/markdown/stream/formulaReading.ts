import type { FormulaParts } from '../formulas/formulaParts.ts';

/** As many characters as a formula in a line may have, with its marks. */
const LOOKED_BACK_CHARS = 1004;
const MARK = /[$([]/;
/**
 * May be the first formula: a line's that is closed, or the opening of one that may have more lines. Prices and
 * variables of a shell aren't; what is taken for a formula in vain costs the loading.
 */
const FIRST_FORMULA =
  /\$\$|\\[([]|\$[^\s$](?:(?:[^$\\]|\\[^])*(?:[^\s$\\]|\\[^]))?\$(?:(?![A-Za-z\d{_$])|(?:st|nd|rd|th|s)\b)/;

/** What finds formulas in Markdown and draws them: fetched when a text may hold the first one, because few do. */
class FormulaReading {
  #parts: FormulaParts | undefined;
  #loading: Promise<void> | undefined;
  #isOver = false;

  /** Undefined until they are loaded, and for good when they couldn't be: formulas are text then. */
  get parts(): FormulaParts | undefined {
    return this.#parts;
  }

  /** Text that comes now must wait. */
  get isLoading(): boolean {
    return this.#loading !== undefined && !this.#isOver;
  }

  /** Starts to load for a text that may hold a formula. False when there's nothing to wait for. */
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
