// What VS Code's Markdown support takes for the start of a link's target: `[words](`, `[name]: `, `<`, or an attribute.
// Raw text decides, as it does there: a target with an escape or a percent sign in its scheme is a path to VS Code.
const links = /(?:[(<"'=]|\]:)\s*(command:[^\s"'<>)]+)/gi;
const letters = /&(?:#(?:x([\da-f]{1,8})|(\d{1,8}))|colon);?/gi;

/**
 * The targets of links in a text that would run a command of VS Code. Linear time.
 *
 * Code blocks aren't left out, because only VS Code knows which parts of a text it treats as code. So text about VS
 * Code's extensions can contain some, but `command: npm start` isn't one, and neither is `"command": "npm"`.
 */
export function commandLinks(text: string): readonly string[] {
  const decoded = text.includes('&') ? text.replaceAll(letters, decodedLetter) : text;
  return Array.from(decoded.matchAll(links), ([, target = '']) => target);
}

/** The targets that a text has more often after a change than before. */
export function addedCommandLinks(before: string, after: string): readonly string[] {
  const left = new Map<string, number>();
  for (const link of commandLinks(before)) left.set(link, (left.get(link) ?? 0) + 1);
  return commandLinks(after).filter((link) => {
    const count = left.get(link) ?? 0;
    left.set(link, count - 1);
    return count <= 0;
  });
}

/**
 * How much of a text that is still being written can be shown: up to the first target of such a link, or what might
 * become one. In UTF-16 units.
 * @param before the text that it continues
 */
export function lengthBeforeCommandLink(text: string, before: string): number {
  const context = before.slice(-contextLength);
  const end = Math.max(0, text.length - openTarget(context + text));
  // If a link contains a character reference, only the decoded text has the target.
  const shown = context + text.slice(0, end);
  const hasReferences = shown.includes('&') && commandLinks(shown).length > 0;
  const firstReference = hasReferences ? Math.max(0, text.indexOf('&')) : end;
  for (const { index, 0: match, 1: target = '' } of shown.matchAll(links)) {
    const start = index + match.length - target.length - context.length;
    if (start + target.length > 0) return Math.max(0, Math.min(start, firstReference));
  }
  return Math.min(end, firstReference);
}

/** Enough for the start of a link and the space before its target. */
const contextLength = 200;
const ends: ReadonlySet<string> = new Set(' \t\r\n"\'<>()[]=');

/** The length of the end of a text that is the start of a target, or could be. */
function openTarget(text: string): number {
  let from = text.length;
  while (from > 0 && !ends.has(text[from - 1] ?? '')) from -= 1;
  const word = text.slice(from);
  const decoded = word
    .replaceAll(letters, decodedLetter)
    .replace(/^:/, '')
    .replace(/&[#\w]*$/, '')
    .toLowerCase();
  const isOpen = decoded.startsWith('command:') || (word !== '' && 'command:'.startsWith(decoded));
  return isOpen ? word.length : 0;
}

/** Only letters and the colon: an encoded bracket or quotation mark doesn't start a link. */
function decodedLetter(reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined && decimal === undefined ? 58 : parseInt(hex ?? decimal ?? '', hex ? 16 : 10);
  const letter = code < 128 ? String.fromCharCode(code) : '';
  return /[a-z:]/i.test(letter) ? letter : reference;
}
