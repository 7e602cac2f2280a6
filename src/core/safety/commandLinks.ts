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

/** Only letters and the colon: an encoded bracket or quotation mark doesn't start a link. */
function decodedLetter(reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined && decimal === undefined ? 58 : parseInt(hex ?? decimal ?? '', hex ? 16 : 10);
  const letter = code < 128 ? String.fromCharCode(code) : '';
  return /[a-z:]/i.test(letter) ? letter : reference;
}
