/** A part of what a user sent: the text as typed, or the content of a code fence. */
export interface SentPart {
  readonly kind: 'words' | 'code';
  /** Without the line breaks next to a fence, and without the fence. */
  readonly text: string;
}

// As in Markdown: a fence ends with at least as many of its characters, and a line with backticks in its info string
// isn't a fence.
const opening = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;

/** Only fences count, because typed text isn't Markdown. A fence without an end is text, no matter how long it is. */
export function sentParts(text: string): readonly SentPart[] {
  const lines = text.split('\n');
  const parts: SentPart[] = [];
  const add = (kind: SentPart['kind'], from: number, to: number): void => {
    const joined = lines.slice(from, to).join('\n');
    const piece = kind === 'code' ? joined.replace(/\r$/, '') : withoutOuterLines(joined);
    if (kind === 'code' || piece.trim() !== '') parts.push({ kind, text: piece });
  };
  let words = 0;
  // Each kind of fence is only searched for until one search fails, so that a text full of them takes linear time.
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

/** A code block has its own margins. */
function withoutOuterLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}
