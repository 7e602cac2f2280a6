/**
 * Highlights code in a worker. A grammar has hundreds of regular expressions, and translating and compiling just one of
 * them can take longer than a frame, which would be noticeable on the page.
 */
import { createShikiPrimitive } from '@shikijs/core';
import { type IGrammar as Grammar, INITIAL, type StateStack } from '@shikijs/core/textmate';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import type { LanguageRegistration } from '@shikijs/types';
import type { FromHighlightWorker, StyledLine, StyledPiece, ToHighlightWorker } from './highlightProtocol.ts';
import { styleClass, tokenTheme } from './tokenTheme.ts';

/** A line that takes longer than this keeps the colors that it has so far. */
const LINE_LIMIT_MS = 250;
/** On the first lines, most of that time goes into compiling patterns, which are ready at the next attempt. */
const LINE_ATTEMPTS = 4;
/** Bits of a token's metadata that contain its color (vscode-textmate, `EncodedTokenMetadata`). */
const COLOR_SHIFT = 15;
const COLOR_MASK = 0x1ff;

const shiki = createShikiPrimitive({
  // A pattern that can't be translated never matches.
  engine: createJavaScriptRegexEngine({ forgiving: true, target: 'ES2025' }),
  themes: [tokenTheme],
  langs: [],
  warnings: false,
});
const { colorMap } = shiki.setTheme(tokenTheme);
const grammars = new Map<string, Grammar>();
/** The grammar state at the end of each piece of code so far. */
const states = new Map<number, StateStack>();

addEventListener('message', ({ data }: MessageEvent<ToHighlightWorker>) => {
  if (data.type === 'grammar') load(data.name, data.languages);
  else if (data.type === 'drop') states.delete(data.code);
  else answer({ type: 'styled', lines: styledLines(data.code, data.grammar, data.lines) });
});

/** Code in a language whose grammar can't be loaded stays plain. */
function load(name: string, languages: readonly LanguageRegistration[]): void {
  // Not all of its embedded languages are included.
  const loaded = new Set(languages.map((language) => language.name));
  const ready = languages.map(({ embeddedLangs = [], ...language }) => ({
    ...language,
    embeddedLangs: embeddedLangs.filter((embedded) => loaded.has(embedded)),
  }));
  try {
    shiki.loadLanguageSync(ready);
    grammars.set(name, shiki.getLanguage(name));
  } catch (error) {
    console.error(error);
  }
  answer({ type: 'alive' });
}

function answer(message: FromHighlightWorker): void {
  postMessage(message);
}

function styledLines(code: number, grammarName: string, lines: readonly string[]): StyledLine[] {
  const grammar = grammars.get(grammarName);
  if (grammar === undefined) return lines.map(() => []);
  return lines.map((line) => {
    try {
      const state = states.get(code) ?? INITIAL;
      let result = grammar.tokenizeLine2(line, state, LINE_LIMIT_MS);
      for (let attempt = 1; result.stoppedEarly && attempt < LINE_ATTEMPTS; attempt += 1) {
        answer({ type: 'alive' });
        result = grammar.tokenizeLine2(line, state, LINE_LIMIT_MS);
      }
      states.set(code, result.ruleStack);
      return piecesOf(line, result.tokens);
    } catch {
      return [];
    }
  });
}

function piecesOf(line: string, tokens: Uint32Array): StyledPiece[] {
  const pieces: StyledPiece[] = [];
  let start = 0;
  let className = '';
  for (let i = 0; i < tokens.length; i += 2) {
    const next = styleClass(colorMap[((tokens[i + 1] ?? 0) >>> COLOR_SHIFT) & COLOR_MASK]);
    const at = tokens[i] ?? 0;
    if (next === className) continue;
    if (at > start) pieces.push({ text: line.slice(start, at), className });
    start = at;
    className = next;
  }
  if (start < line.length) pieces.push({ text: line.slice(start), className });
  return pieces;
}
