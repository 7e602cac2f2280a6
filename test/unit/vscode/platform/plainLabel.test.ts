import assert from 'node:assert/strict';
import { marked } from 'marked';
import { plainEitherWay, plainLabel, plainLines } from '../../../../src/vscode/platform/plainLabel.ts';

describe('Untrusted text in a label or a notification', () => {
  it('contains no icon and no link that VS Code would draw', () => {
    const label = plainLabel('$(trash) [Fix this](command:x) $ (a) [b] (c)');
    assert.doesNotMatch(label, /\$\(|\]\(/);
  });

  it('looks unchanged', () => {
    const words = '$(trash) [Fix this](command:x), and $5 [more]';
    assert.equal(plainLabel(words).replaceAll('\u200B', ''), words);
    assert.equal(plainLabel('maker/model 1.5 (new)'), 'maker/model 1.5 (new)');
  });

  it('is on one line, unless several lines are allowed, and has one direction', () => {
    assert.equal(plainLabel('a\r\nb\u2028c \u202Etxt'), 'a b c txt');
    assert.equal(plainLines('a\nb [c](command:d)'), 'a\nb [c]\u200B(command:d)');
  });

  it("contains no link, image, or HTML where it's rendered as Markdown, and reads the same", () => {
    for (const words of [
      '[a](https://evil.test)',
      '![a](https://evil.test/a.png)',
      '[a][b]\n\n[b]: https://evil.test',
      '[a]: https://evil.test\n\n[a]',
      '<https://evil.test>',
      'https://evil.test or HTTP://evil.test',
      'www.evil.test',
      '<img src=x onerror=y>',
      '<a href="command:x">b</a>',
      '[a](command:evil)',
      '$(trash)',
    ]) {
      const plain = plainEitherWay(words);
      assert.doesNotMatch(marked.parse(plain, { async: false, gfm: true }), /<(a|img|h\d|script)\b|\$\(/, words);
      assert.equal(plain.replaceAll('\u200B', ''), words.replaceAll(/\s+/g, ' '));
    }
  });
});
