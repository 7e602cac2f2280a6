import { maskedCode } from './maskedCode.ts';

/**
 * A line that declares something, judging by its indentation and words. For languages that VS Code has no symbols for.
 */
const declaring =
  /^\s*(?:(?:export|default|declare|public|private|protected|internal|abstract|final|sealed|static|async|pub(?:\([^)]*\))?|unsafe|override|const|open|data)\s+)*(?:class|interface|enum|struct|trait|union|record|protocol|object|type|def|fn|func|fun|function|impl|namespace|module|mod|macro_rules!)\b/;

/**
 * The first lines of the declarations around a line, outermost first: each declares something and is indented less than
 * its content.
 */
export function enclosingLines(text: string, line: number, language: string): readonly number[] {
  const code = maskedCode(text, language).split('\n');
  const found: number[] = [];
  let indent = indentAt(code, line);
  let brace = '';
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const above = code[at] ?? '';
    const own = widthOf(above);
    if (above.trim() === '' || own >= indent || /^\s*[)}\]]/.test(above)) continue;
    if (continuing.test(above)) {
      // What it belongs to is above it, indented like it.
      indent = own + 1;
      if (above.trim() === '{') brace = ' {';
      continue;
    }
    indent = own;
    if (declaring.test(above) || isMethodHead(above + brace)) found.unshift(at);
    brace = '';
  }
  return found;
}

/** A line of its own that a head ends with: its brace, or a Rust `where`. */
const continuing = /^\s*(?:\{|where\b.*)\s*$/;

/** In UTF-16 units. Longer lines are generated. */
const longestHead = 300;

/** For example `add(task: Task): void {`, but not `if (x) {`. */
function isMethodHead(line: string): boolean {
  // The expression takes cubic time, for example for a long line of calls.
  if (line.length > longestHead || !line.trimEnd().endsWith('{')) return false;
  return /^\s*[^;=]*[\w$]\s*\([^;]*\)[^;=]*\{\s*$/.test(line) && !controlling.test(line);
}

const controlling =
  /^\s*\}?\s*(?:if|for|while|switch|catch|else|do|try|with|match|loop|foreach|return|when|unless|using|lock|synchronized|await|select)\b/;

/** The line that declares this name in a text; undefined if there's none. */
export function declarationLine(code: readonly string[], name: string): number | undefined {
  const escaped = name.replaceAll('$', String.raw`\$`);
  const declares = new RegExp(
    String.raw`^\s*(?:[\w()@]+\s+)*(?:class|interface|enum|struct|trait|union|record|protocol|object|type|def|fn|func|fun|function|const|static|mod|macro_rules!)\s+(?:\([^)]*\)\s*)?${escaped}(?![\w$])`,
  );
  const found = code.findIndex((line) => line.includes(name) && declares.test(line));
  return found < 0 ? undefined : found;
}

function indentAt(code: readonly string[], line: number): number {
  const first = code.slice(line).find((each) => each.trim() !== '');
  return widthOf(first ?? '');
}

/** A tab counts as four columns. */
function widthOf(line: string): number {
  const space = line.slice(0, line.length - line.trimStart().length);
  return space.replaceAll('\t', '    ').length;
}
