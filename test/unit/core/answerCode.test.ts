import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerCode } from '../../../src/core/answerCode.ts';

const whole = (answer: string, dropWords = true) => answerCode(answer, { isComplete: true, dropWords });

describe('The code of an answer', () => {
  it('is the inside of a fence around it all', () => {
    for (const answer of [
      '```ts\na\n\nb\n```',
      '\n```\na\n\nb\n```\n\n',
      '~~~~ts\na\n\nb\n~~~~',
      '```ts\r\na\r\n\r\nb\r\n```\r\n',
    ]) {
      assert.deepEqual(whole(answer), { text: 'a\n\nb', without: 'fence' }, answer);
    }
  });

  it('may hold shorter fences', () => {
    assert.equal(whole('````md\n```ts\na\n```\n````').text, '```ts\na\n```');
  });

  it('is the answer as it is where there is no fence', () => {
    assert.deepEqual(whole('\n  a\nb\n'), { text: '  a\nb', without: 'nothing' });
    assert.equal(whole('``` a ``` b').text, '``` a ``` b');
  });

  it('drops the words around a single block only where they are of no use', () => {
    const answer = 'Here it is:\n\n```ts\na\n```\nThat was it.';
    assert.deepEqual(whole(answer), { text: 'a', without: 'words' });
    assert.deepEqual(whole(answer, false), { text: answer, without: 'nothing' });
  });

  it('keeps all of an answer with several blocks', () => {
    const answer = '```ts\na\n```\nand\n```ts\nb\n```';
    assert.equal(whole(answer).text, answer);
  });

  it('keeps code of which the closing fence never came', () => {
    assert.deepEqual(whole('```ts\na\nb'), { text: 'a\nb', without: 'fence' });
  });

  it('only grows while it is written, and ends as the whole one', () => {
    const answer = '```ts\nconst a = `x`;\n\nif (a) {\n}\n```\n';
    let shown = '';
    for (let length = 1; length <= answer.length; length += 1) {
      const { text } = answerCode(answer.slice(0, length), { isComplete: false, dropWords: true });
      assert.ok(text.startsWith(shown), JSON.stringify([shown, text]));
      assert.ok(!text.includes('```'), text);
      shown = text;
    }
    assert.equal(shown, whole(answer).text);
  });
});
