import assert from 'node:assert/strict';
import { marked } from 'marked';
import { describe, it } from 'mocha';
import { markdownText } from '../../../../src/core/safety/markdownText.ts';

describe('Untrusted text in Markdown', () => {
  const hostile = [
    '[click](command:workbench.action.quit)',
    '![x](https://evil.test/a.png)',
    '<img src=x onerror=alert(1)>',
    'https://evil.test and www.evil.test and me@evil.test',
    '**bold** _it_ `code` ~~gone~~',
    '# head',
    '- item',
    '1. item',
    '| a | b |\n|---|---|',
    '$(trash) &amp; &#60;b&#62;',
    '[a]: https://evil.test',
    '> quote',
    '\\[x](y)',
  ];
  for (const text of hostile) {
    it(`is plain: ${JSON.stringify(text)}`, () => {
      const [block, ...more] = marked.lexer(`x ${markdownText(text)}`, { gfm: true });
      assert.equal(more.length, 0);
      assert.ok(block?.type === 'paragraph');
      const kinds = new Set(block.tokens?.map(({ type }) => type));
      assert.deepEqual(
        [...kinds].filter((type) => type !== 'text' && type !== 'escape'),
        [],
      );
    });
  }

  it('reads the same, on one line, with invisible characters shown', () => {
    const html = marked.parseInline(markdownText('a <b> & "c"\n(d) $(x) \u202Eevil'), { async: false });
    assert.equal(html, 'a &lt;b&gt; &amp; &quot;c&quot; (d) $(x) \\u{202e}evil');
  });
});
