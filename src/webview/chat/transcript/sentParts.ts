/** A piece of what a person sent: words as they typed them, or what stood in a code fence. */
export interface SentPart {
  readonly kind: 'words' | 'code';
  /** Without the line ends next to a fence, and without the fence. */
  readonly text: string;
}

// As Markdown has it: a fence ends with at least as many of its characters, and one of backticks has none beside it.
const opening = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** Only fences count: what a person types is not Markdown. One without an end is words, as long as it is typed. */
export function sentParts(text: string): readonly SentPart[] {
  const lines = text.split('\n');
  const parts: SentPart[] = [];
  const add = (kind: SentPart['kind'], from: number, to: number): void => {
    const joined = lines.slice(from, to).join('\n');
    const piece = kind === 'code' ? joined.replace(/\r$/, '') : withoutOuterLines(joined);
    if (kind === 'code' || piece.trim() !== '') parts.push({ kind, text: piece });
  };
  let words = 0;
  // Each kind of fence that has been looked for in vain is not looked for again: a text full of them costs its length.
  const endless = new Set<string>();
  for (let line = 0; line < lines.length; line += 1) {
    const match = opening.exec(lines[line]?.trimEnd() ?? '');
    const fence = match?.[1] ?? match?.[2];
    if (fence === undefined || endless.has(fence)) continue;
    let end = line + 1;
    while (end < lines.length && !closes(lines[end] ?? '', fence)) end += 1;
    if (end === lines.length) {
      endless.add(fence);
      continue;
    }
    add('words', words, line);
    add('code', line + 1, end);
    words = end + 1;
    line = end;
  }
  if (words === 0) return [{ kind: 'words', text }];
  add('words', words, lines.length);
  return parts;
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === fence.charAt(0).repeat(mark.length) && /^ {0,3}\S/.test(line);
}

/** A code block has its own room above and below. */
function withoutOuterLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}
