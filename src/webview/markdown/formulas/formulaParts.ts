import { openFormulaIn } from './formula.ts';
import { FormulaBlock } from './formulaBlock.ts';
import { formulaExtensions, FormulaTokenizer } from './formulaTokenizer.ts';
import { FormulaView } from './formulaView.ts';

/** What reading and drawing Markdown need to know about formulas. */
export interface FormulaParts {
  readonly FormulaBlock: typeof FormulaBlock;
  readonly FormulaView: typeof FormulaView;
  readonly FormulaTokenizer: typeof FormulaTokenizer;
  readonly openFormulaIn: typeof openFormulaIn;
  readonly extensions: typeof formulaExtensions;
}

export const formulaParts: FormulaParts = {
  FormulaBlock,
  FormulaView,
  FormulaTokenizer,
  openFormulaIn,
  extensions: formulaExtensions,
};
