import assert from 'node:assert/strict';
import { sameLineEnds } from '../../../../../src/webview/chat/transcript/sameLineEnds.ts';

describe('A message that is edited in a text box, which has only one kind of line ending', () => {
  const inBox = (text: string) => text.replaceAll(/\r\n?/g, '\n');

  for (const text of ['a\r\nb\r\n', 'a\nb', 'a\r\nb\nc\r', 'a\rb', 'a\r\r\nb', '']) {
    it(`is ${JSON.stringify(text)} if nothing was changed`, () => assert.equal(sameLineEnds(inBox(text), text), text));
  }

  it('has Windows line endings throughout if it had them throughout', () => {
    assert.equal(sameLineEnds('a\nmore\nb\n', 'a\r\nb\r\n'), 'a\r\nmore\r\nb\r\n');
  });

  it('has no new kinds of line endings', () => {
    for (const original of ['a\nb', 'a', 'a\r\nb\nc', 'a\rb'])
      assert.equal(sameLineEnds('a\nmore', original), 'a\nmore', JSON.stringify(original));
  });
});
