import { createShikiPrimitive } from '@shikijs/core';
import { type IGrammar as TextMateGrammar, INITIAL, type StateStack } from '@shikijs/core/textmate';
import { grammarModules } from './grammarModules.ts';
import { PatternCompiler, PatternsMissing } from './patternCompiler.ts';
import { styleClass, tokenTheme } from './tokenTheme.ts';

/** A piece of a line with the class that colours it; no class for plain text. */
export interface StyledPiece {
  readonly text: string;
  readonly className: string;
}

/** Colours the lines of one piece of code in order, each once. */
export interface LineStyler {
  /** Undefined while patterns the line needs are still being compiled: ask again in a later frame. */
  next(line: string): readonly StyledPiece[] | undefined;
}

export interface Grammar {
  start(): LineStyler;
}

/** A line that takes longer than this keeps the colours it got so far. */
const LINE_LIMIT_MS = 20;
/** Bits of a token's metadata that hold its colour (vscode-textmate, `EncodedTokenMetadata`). */
const COLOR_SHIFT = 15;
const COLOR_MASK = 0x1ff;

/** Loads grammars and compiles them; lives in a chunk of its own. */
export class GrammarLoader {
  readonly #compiler = new PatternCompiler();
  readonly #shiki = createShikiPrimitive({
    engine: this.#compiler.engine,
    themes: [tokenTheme],
    langs: [],
    warnings: false,
  });

  /** `name` is one of the grammars in {@link grammarModules}. */
  async load(name: string): Promise<Grammar | undefined> {
    const module = await grammarModules[name]?.();
    if (module === undefined) return undefined;
    this.#shiki.loadLanguageSync([...module.default]);
    const { colorMap } = this.#shiki.setTheme('styles');
    const grammar = this.#shiki.getLanguage(name);
    return { start: () => new GrammarStyler(grammar, colorMap, this.#compiler) };
  }
}

class GrammarStyler implements LineStyler {
  readonly #grammar: TextMateGrammar;
  readonly #colors: readonly string[];
  readonly #compiler: PatternCompiler;
  #state: StateStack = INITIAL;

  constructor(grammar: TextMateGrammar, colors: readonly string[], compiler: PatternCompiler) {
    this.#grammar = grammar;
    this.#colors = colors;
    this.#compiler = compiler;
  }

  next(line: string): readonly StyledPiece[] | undefined {
    if (this.#compiler.isBusy) return undefined;
    try {
      const { tokens, ruleStack } = this.#grammar.tokenizeLine2(line, this.#state, LINE_LIMIT_MS);
      this.#state = ruleStack;
      return this.#pieces(line, tokens);
    } catch (error) {
      if (!(error instanceof PatternsMissing)) return [{ text: line, className: '' }];
      this.#compiler.compile(error.patterns);
      return undefined;
    }
  }

  #pieces(line: string, tokens: Uint32Array): StyledPiece[] {
    const pieces: StyledPiece[] = [];
    let start = 0;
    let className = '';
    for (let i = 0; i < tokens.length; i += 2) {
      const color = this.#colors[((tokens[i + 1] ?? 0) >>> COLOR_SHIFT) & COLOR_MASK];
      const next = styleClass(color);
      const at = tokens[i] ?? 0;
      if (next === className) continue;
      if (at > start) pieces.push({ text: line.slice(start, at), className });
      start = at;
      className = next;
    }
    if (start < line.length) pieces.push({ text: line.slice(start), className });
    return pieces;
  }
}
