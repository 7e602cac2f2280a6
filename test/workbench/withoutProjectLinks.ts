const projectPart = /<!-- project only\b[^>]*-->[\s\S]*?<!-- \/project only -->\n?/g;
const relativeTarget = String.raw`\((?!https:|#)[^)\s]*\)`;
const picture = new RegExp(String.raw`^!\[[^\]]*\]${relativeTarget}$\n{0,2}`, 'gm');
const furtherReading = new RegExp(String.raw`\s*\[[^\]]+\s→\]${relativeTarget}`, 'g');
const aside = new RegExp(String.raw`\s*\(\[[^\]]+\]${relativeTarget}\)`, 'g');
const anyLink = new RegExp(String.raw`!?\[[^\]]*\]${relativeTarget}`);

/**
 * The README for a place from which nothing leads into the project. It leaves out images on their own line, links that
 * end in an arrow (`[Prompts →](docs/prompts.md)`), links in parentheses, and text between `<!-- project only -->` and
 * `<!-- /project only -->`: the page reads well without them.
 * @throws {Error} if a link is left, because its text would promise a page that can't be opened.
 */
export function withoutProjectLinks(markdown: string): string {
  const text = markdown
    .replaceAll(projectPart, '')
    .replaceAll(picture, '')
    .replaceAll(furtherReading, '')
    .replaceAll(aside, '');
  const left = anyLink.exec(text)?.[0];
  if (left !== undefined) {
    throw new Error(
      `The README has a link that leads into the project: ${left}. End its text with an arrow (→), or put it between <!-- project only --> and <!-- /project only -->.`,
    );
  }
  return `${text.trimEnd()}\n`;
}
