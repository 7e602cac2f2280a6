/** The part of a reply that is inserted into a document. */
export interface AnswerCode {
  readonly text: string;
  /** What was removed: nothing, the fence around everything, or the text around the code. */
  readonly without: 'nothing' | 'fence' | 'words';
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Behind an opening fence: mostly a language. */
  readonly info: string;
}

interface Block {
  readonly first: number;
  /** After the last line of the inside. */
  readonly end: number;
  readonly isClosed: boolean;
}

/**
 * Removes the fence from a reply that is one block of code. A reply that is still being written is read as far as it
 * goes: the result then only grows, until something after the block makes all of it text.
 * @param options.isComplete false while the reply is being written
 * @param options.dropWords true if text around a single block is useless, as in a code file
 * @param options.joinBlocks true if text between several blocks is useless too: the blocks are joined
 * @param options.replaced the code that the reply replaces, which helps to distinguish code from text
 */
export function answerCode(
  answer: string,
  options: {
    readonly isComplete: boolean;
    readonly dropWords: boolean;
    readonly joinBlocks?: boolean;
    readonly replaced?: string;
  },
): AnswerCode {
  const { isComplete, dropWords, joinBlocks = false, replaced = '' } = options;
  const lines = answer.replaceAll('\r\n', '\n').split('\n');
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start < 0) return { text: '', without: 'nothing' };
  const markdown = dropWords ? undefined : withoutOuterFence(answer, isComplete);
  if (markdown !== undefined) return { text: markdown, without: 'fence' };
  const blocks = fencedBlocks(lines, isComplete);
  const [first] = blocks;
  const inside = (block: Block) => lines.slice(block.first, block.end).join('\n');
  if (first !== undefined && first.first === start + 1 && blocks.length === 1) {
    const after = first.isClosed ? lines.slice(first.end + 1) : [];
    if (after.every((line) => line.trim() === '')) return { text: inside(first), without: 'fence' };
  }
  if (dropWords && first !== undefined && blocks.length === 1) return { text: inside(first), without: 'words' };
  if (joinBlocks && first !== undefined) {
    // A block that has just begun and has no content yet would add a blank line.
    const written = blocks.filter((block) => block.end > block.first);
    return { text: written.map(inside).join('\n\n'), without: 'words' };
  }
  const shown = lines.slice(start);
  if (!isComplete && first === undefined) {
    if (dropWords && !beginsAsCode(shown.slice(0, -1), replaced)) return { text: '', without: 'nothing' };
    if (isFenceBegun(shown.at(-1) ?? '')) shown.pop();
  }
  return { text: shown.join('\n').replace(/\n+$/, ''), without: 'nothing' };
}

/**
 * A reply as it's inserted into prose: all of it, because fences are content there too, but without one of Markdown
 * around everything.
 * @param isComplete false while the reply is being written, and if it was cut off
 */
export function answerInProse(answer: string, isComplete: boolean): string {
  const whole = answer.replaceAll(/\r\n?/g, '\n').trimStart();
  const [first = '', ...rest] = whole.split('\n');
  if (!isComplete && rest.length === 0 && isFenceBegun(first)) return '';
  const { text, without } = answerCode(whole, { isComplete, dropWords: false });
  return without === 'fence' && isMarkdown(opening(first)) ? text.replace(/^\s*\n/, '').trimEnd() : whole.trimEnd();
}

/**
 * The inside of a reply that is Markdown with blocks of its own, all in one fence. That fence is often no longer than
 * those inside, so the first of them seems to close it.
 * @returns undefined if the reply isn't, or it might be several blocks
 */
export function withoutOuterFence(answer: string, isComplete: boolean): string | undefined {
  const lines = answer.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const start = lines.findIndex((line) => line.trim() !== '');
  const outer = opening(lines[start] ?? '');
  if (outer === undefined || !isMarkdown(outer)) return undefined;
  const inside = lines.slice(start + 1);
  const last = inside.at(-1) ?? '';
  const content = inside.slice(0, -1);
  const blocks = fencedBlocks(content, true);
  const first = opening(content[(blocks[0]?.first ?? 0) - 1] ?? '');
  // A bare fence could close the outer one, and the reply go on with another block.
  if (first === undefined || (first.info === '' && closes(first.mark.repeat(first.length), outer))) return undefined;
  if (closes(last, outer) && blocks.every(({ isClosed }) => isClosed)) return content.join('\n');
  if (isComplete) return undefined;
  return (/^ {0,3}(`+|~+)$/.test(last) ? content : inside).join('\n');
}

/** The text around and between the blocks of a complete reply: what is left out if only its code is inserted. */
export function leftOutWords(answer: string): string {
  const lines = answer.replaceAll('\r\n', '\n').split('\n');
  const blocks = fencedBlocks(lines, true);
  // The fences count as part of their content.
  const isWords = (line: string, at: number) =>
    line.trim() !== '' && !blocks.some(({ first, end }) => at >= first - 1 && at <= end);
  return lines.filter(isWords).join('\n');
}

/** The fenced blocks at the top level. One without a closing fence extends to the end. */
function fencedBlocks(lines: readonly string[], isComplete: boolean): readonly Block[] {
  const blocks: Block[] = [];
  let open: (Fence & { readonly first: number }) | undefined;
  // The last line of an unfinished reply can still become anything.
  const sure = isComplete ? lines.length : lines.length - 1;
  for (let index = 0; index < sure; index += 1) {
    const line = lines[index] ?? '';
    if (open === undefined) {
      const fence = opening(line);
      if (fence !== undefined) open = { ...fence, first: index + 1 };
    } else if (closes(line, open)) {
      blocks.push({ first: open.first, end: index, isClosed: true });
      open = undefined;
    }
  }
  if (open !== undefined) {
    const held = !isComplete && /^ {0,3}((`+|~+)\s*)?$/.test(lines.at(-1) ?? '');
    blocks.push({ first: open.first, end: held ? lines.length - 1 : lines.length, isClosed: false });
  }
  return blocks;
}

function opening(line: string): Fence | undefined {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  const [, run = '', rest = ''] = match ?? [];
  if (match === null || (run.startsWith('`') && rest.includes('`'))) return undefined;
  return { mark: run.charAt(0), length: run.length, info: rest.trim() };
}

function isMarkdown(fence: Fence | undefined): boolean {
  return /^(markdown|md)$/i.test(fence?.info ?? '');
}

function closes(line: string, open: Fence): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return run !== undefined && run.charAt(0) === open.mark && run.length >= open.length;
}

/** Whether an unfinished line could still become an opening fence. */
function isFenceBegun(line: string): boolean {
  return /^ {0,3}(`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}.*)$/.test(line);
}

/**
 * Whether a reply that hasn't opened a fence so far is code, judging by its finished lines. The first line that can
 * only be code or only be text decides; an ambiguous one leaves it to the next. Until then, it doesn't count as code,
 * because showing text as code is worse than showing code a little later.
 * @param replaced the code that the reply replaces: a line that occurs in it is code
 */
function beginsAsCode(lines: readonly string[], replaced: string): boolean {
  const known = new Set(replaced.split('\n').map((line) => line.trim()));
  for (const whole of lines) {
    const line = whole.trim();
    if (line === '') continue;
    if (known.has(line)) return true;
    // Names and calls that a sentence mentions.
    const text = line.replaceAll(/`[^`]*`/g, 'It');
    if (isCode(text)) return true;
    if (isSentence(text)) return false;
  }
  return false;
}

function isCode(line: string): boolean {
  // `<think>` starts the reasoning of some models.
  if (/^([{})\]@]|\/[/*]|#[!a-z[]|<(?!\/?think))/.test(line) || /[{}([;]$/.test(line)) return true;
  // No sentence starts with a lowercase letter, so a call or an assignment is code, unless it ends like a sentence.
  return /^[a-z_$].*?(\w[([]| [^\w\s]?=[=>]* )/.test(line) && !/[^)\]][.:!?\u2026]$/.test(line);
}

/** A capital, or a letter of a script without capitals, more than one word, and the end of a sentence. */
function isSentence(line: string): boolean {
  return (
    /^[*_]*[\p{Lu}\p{Lo}]/u.test(line) &&
    /[^!-~]/.test(line) &&
    /[.:!?\u2026\u3002\uFF1A\uFF01\uFF1F][*_)]*$/.test(line)
  );
}
