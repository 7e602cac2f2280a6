import { maskedCode } from './maskedCode.ts';
import type { OutlineLines } from './declarationOutline.ts';

const jsImports = /^(?:import\b|export\b.*\bfrom\b|(?:const|let|var)\b.*\brequire\()/;

/** How lines that import names from other files start, by language. */
const begins: Readonly<Record<string, RegExp>> = {
  typescript: jsImports,
  typescriptreact: jsImports,
  javascript: jsImports,
  javascriptreact: jsImports,
  vue: jsImports,
  svelte: jsImports,
  python: /^(?:import|from)\s/,
  rust: /^(?:pub(?:\([^)]*\))?\s+)?(?:use|extern crate|mod\s+\w+;)/,
  go: /^import\b/,
  java: /^(?:package|import)\s/,
  kotlin: /^(?:package|import)\s/,
  scala: /^(?:package|import)\s/,
  swift: /^(?:@testable\s+)?import\s/,
  dart: /^(?:import|export|part)\s/,
  csharp: /^(?:global\s+)?using\s+(?!\()/,
  fsharp: /^open\s/,
  php: /^(?:namespace|use)\s/,
  ruby: /^(?:require|require_relative|include)\b/,
  elixir: /^\s*(?:alias|import|require|use)\s/,
  haskell: /^import\s/,
  lua: /^local\b.*\brequire\b/,
  c: /^#\s*include\b/,
  cpp: /^(?:#\s*include|using|import)\b/,
  'objective-c': /^(?:#\s*(?:import|include)|@import)\b/,
};

/** Imports are near the top. After this many lines of other code, the search stops. */
const mostOtherLines = 80;
const mostImportLines = 40;

/**
 * The imports of a file, in order. If there are many, only those with a name that the code uses.
 * @param language VS Code's language ID
 * @param used whether the code uses a name
 * @returns undefined if there are none
 */
export function importLines(text: string, language: string, used: (name: string) => boolean): OutlineLines | undefined {
  const begin = begins[language];
  if (begin === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const code = maskedCode(lines.join('\n'), language).split('\n');
  const found: { readonly from: number; readonly to: number }[] = [];
  let others = 0;
  for (let at = 0; at < code.length && others < mostOtherLines; at += 1) {
    const line = code[at] ?? '';
    if (begin.test(line)) {
      const to = statementEnd(code, at);
      found.push({ from: at, to });
      at = to - 1;
    } else if (line.trim() !== '') others += 1;
  }
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const textOf = ({ from, to }: { readonly from: number; readonly to: number }) => lines.slice(from, to).join('\n');
  const isMany = found.reduce((sum, { from, to }) => sum + to - from, 0) > mostImportLines;
  const kept = isMany ? found.filter((each) => wordsIn(textOf(each)).some(used)) : found;
  if (kept.length === 0) return undefined;
  return { from: first.from, to: last.to, text: kept.map(textOf).join('\n') };
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

/** The line after the statement, where its brackets are closed. */
function statementEnd(code: readonly string[], from: number): number {
  let round = 0;
  for (let at = from; at < code.length; at += 1) {
    for (const character of code[at] ?? '') round += '([{'.includes(character) ? 1 : ')]}'.includes(character) ? -1 : 0;
    if (round <= 0 && !(code[at] ?? '').endsWith('\\')) return at + 1;
  }
  return code.length;
}
