import assert from 'node:assert/strict';
import { marked } from 'marked';
import { safeMarkdown } from '../../../../src/core/safety/safeMarkdown.ts';
import { hostileWords } from '../../../hostile/hostileWords.ts';
import { placesOf, urlSchemes, waysToWrite } from '../../../hostile/urlSchemes.ts';

/** The targets of the links and images that a Markdown renderer finds. */
function targetsIn(markdown: string): readonly string[] {
  const found: string[] = [];
  void marked.walkTokens(marked.lexer(markdown, { gfm: true }), (token) => {
    if (token.type === 'image') found.push(`image ${String(token['href'])}`);
    if (token.type === 'link') found.push(String(token['href']));
  });
  return found;
}

describe("A model's Markdown in VS Code", () => {
  it('has no image, and links only to http, https, and mailto', () => {
    const addresses = urlSchemes.flatMap((scheme) => waysToWrite(scheme, '//canary.invalid/a'));
    const more = ['#top', 'a.md', '/etc/passwd', '//canary.invalid', '\\\\canary\\share', ' \n vscode:x', ''];
    const texts = [...addresses, ...more].flatMap((address) => placesOf(address));
    for (const text of [...texts, ...Object.values(hostileWords)]) {
      for (const target of targetsIn(safeMarkdown(text))) assert.match(target, /^(?:https?:\/\/|mailto:)/i, text);
    }
  });

  it('keeps its links to the web, its code, and all other text as they are', () => {
    const text = [
      '# Title\n\n**Bold** [site](https://example.test/a) <https://example.test> [ref][r] a@b.test',
      '\n\n[r]: https://example.test/b\n\n`vec![1]`\n\n```rust\nlet [a] = x[0](b);\n```\n',
    ].join('');
    const safe = safeMarkdown(text);
    assert.equal(safe.replaceAll('\u200B', ''), text);
    assert.deepEqual(targetsIn(safe), targetsIn(text));
    assert.equal(targetsIn(safe).length, 4);
  });

  it('shows the characters that would change its direction', () => {
    assert.equal(safeMarkdown('a \u202Etxt.exe'), 'a \\u{202e}txt.exe');
  });
});
