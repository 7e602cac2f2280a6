import assert from 'node:assert/strict';
import { sentParts } from '../../../../../src/webview/chat/transcript/sentParts.ts';

const words = (text: string) => ({ kind: 'words', text });
const code = (text: string) => ({ kind: 'code', text });

describe('The parts of a sent message', () => {
  it('are only text if nothing is fenced, to the last space', () => {
    for (const text of ['', ' Hello\n\n**you** `x` \n', '# 1\n\n    indented\n', 'a ``` b ``` c\n``````x`\n']) {
      assert.deepEqual(sentParts(text), [words(text)]);
    }
  });

  it('are the surrounding text and the code without its fence, each as it was typed', () => {
    assert.deepEqual(sentParts('Why?\n  So *odd*:\n\n```js\n\n\tlet a;  \n\n```\n\n- More\n  words'), [
      words('Why?\n  So *odd*:'),
      code('\n\tlet a;  \n'),
      words('- More\n  words'),
    ]);
    assert.deepEqual(sentParts('```\n```'), [code('')]);
    assert.deepEqual(sentParts('a\r\n```\r\nb\r\nc\r\n```\r\nd'), [words('a'), code('b\r\nc'), words('d')]);
  });

  it('end a fence with one of the same length and kind, and nothing else on its line', () => {
    assert.deepEqual(sentParts('````md\n```js\nx\n```\n````'), [code('```js\nx\n```')]);
    assert.deepEqual(sentParts('~~~\n```\n~~~~ \nz'), [code('```'), words('z')]);
    assert.deepEqual(sentParts('```\na\n``` b\n```'), [code('a\n``` b')]);
    assert.deepEqual(sentParts('```\na\n     ```\n```'), [code('a\n     ```')]);
  });

  it('are text if a fence has no end', () => {
    assert.deepEqual(sentParts('See:\n```js\nlet a;'), [words('See:\n```js\nlet a;')]);
    assert.deepEqual(sentParts('```\na\n```\n~~~\nb'), [code('a'), words('~~~\nb')]);
  });

  // If each one were searched for to the end of the text, this would take minutes.
  it('of a text full of fences take time in proportion to its length', () => {
    const endless = Array.from({ length: 40_000 }, (_, index) => `${'`'.repeat(3 + (index % 40))}x`).join('\n');
    assert.equal(sentParts(endless).length, 1);
    assert.equal(sentParts('```\na\n```\n'.repeat(40_000)).length, 40_000);
  });
});
