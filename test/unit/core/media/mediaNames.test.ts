import assert from 'node:assert/strict';
import { mediaTag, nameFromPrompt } from '../../../../src/core/media/mediaNames.ts';

describe('The name of a saved file', () => {
  for (const [prompt, name] of [
    ['A paper boat, at dawn!', 'a-paper-boat-at-dawn'],
    ['Über den Wolken', 'uber-den-wolken'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\System32', 'c-windows-system32'],
    ['a\u0000b\u202Etxt.exe', 'a-b-txt-exe'],
    ['con', 'video'],
    ['LPT1', 'video'],
    ['…', 'video'],
    ['', 'video'],
    ['山の上の月', 'video'],
    ['.hidden', 'hidden'],
    ['x'.repeat(300), 'x'.repeat(48)],
    ['word '.repeat(50), 'word-word-word-word-word-word-word-word-word'],
  ] as const) {
    it(`is ${name.slice(0, 30)} for ${JSON.stringify(prompt.slice(0, 30))}`, () => {
      assert.equal(nameFromPrompt(prompt, 'video'), name);
    });
  }
});

describe('The tag that shows a file', () => {
  it("is in the document's language", () => {
    assert.equal(mediaTag('markdown', 'image', 'images/a b.png', 'A kite'), '![A kite](images/a%20b.png)');
    assert.equal(mediaTag('html', 'image', 'a.png', 'A kite'), '<img src="a.png" alt="A kite">');
    assert.equal(mediaTag('markdown', 'video', 'a.webm', 'A'), '<video src="a.webm" controls title="A"></video>');
  });

  it('escapes markup in a prompt', () => {
    const hostile = '"><script>alert(1)</script>](javascript:x) `*_\n# title';
    assert.doesNotMatch(mediaTag('html', 'image', 'a.png', hostile), /<script|"\s*>.*"/);
    const markdown = mediaTag('markdown', 'image', 'a(1).png', hostile);
    assert.match(markdown, /\\<script\\>/);
    assert.match(markdown, /\\\]\(javascript/);
    assert.ok(markdown.endsWith('](a%281%29.png)'));
    assert.ok(!markdown.includes('\n'));
  });
});
