import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { answerCode, answerInProse, leftOutWords } from '../../../../src/core/prompts/answerCode.ts';

const whole = (answer: string, dropWords = true) => answerCode(answer, { isComplete: true, dropWords });

describe('The code of a reply', () => {
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

  it('can contain shorter fences', () => {
    assert.equal(whole('````md\n```ts\na\n```\n````').text, '```ts\na\n```');
  });

  it("is the unchanged reply if there's no fence", () => {
    assert.deepEqual(whole('\n  a\nb\n'), { text: '  a\nb', without: 'nothing' });
    assert.equal(whole('``` a ``` b').text, '``` a ``` b');
  });

  it("drops the text around a single block only if it's useless", () => {
    const answer = 'Here it is:\n\n```ts\na\n```\nThat was it.';
    assert.deepEqual(whole(answer), { text: 'a', without: 'words' });
    assert.deepEqual(whole(answer, false), { text: answer, without: 'nothing' });
  });

  it('keeps all of a reply with several blocks', () => {
    const answer = '```ts\na\n```\nand\n```ts\nb\n```';
    assert.equal(whole(answer).text, answer);
  });

  it("is all of its blocks, without the text between, if it's inserted into a code file", () => {
    const answer = 'First:\n```ts\na\n```\nand\n~~~ts\nb\n\nc\n~~~\nDone.';
    const joined = (text: string, isComplete: boolean) =>
      answerCode(text, { isComplete, dropWords: true, joinBlocks: true }).text;
    assert.equal(joined(answer, true), 'a\n\nb\n\nc');
    // Text that was already written into the file never has to be removed.
    let shown = '';
    for (let length = 0; length <= answer.length; length += 1) {
      const next = joined(answer.slice(0, length), false);
      assert.ok(next.startsWith(shown), JSON.stringify({ shown, next }));
      shown = next;
    }
    assert.equal(shown, 'a\n\nb\n\nc');
    // Plain text is kept: nothing proves that it isn't code.
    assert.equal(joined('I can do that.', true), 'I can do that.');
  });

  it('keeps code whose closing fence never arrived', () => {
    assert.deepEqual(whole('```ts\na\nb'), { text: 'a\nb', without: 'fence' });
  });

  describe("while it's being written", () => {
    const inside = 'const a = `x`;\n\nif (a) {\n}';

    it('only grows, and ends as the whole one', () => {
      for (const answer of [
        '```ts\nconst a = `x`;\n\nif (a) {\n}\n```\n',
        '```ts  \r\nconst a = `x`;\r\n\r\nif (a) {\r\n}\r\n```  \r\n',
        'const a = `x`;\n\nif (a) {\n}',
      ]) {
        const shown = growing(answer);
        assert.equal(shown, whole(answer).text, answer);
        assert.equal(shown.replaceAll('\r', ''), inside, answer);
      }
    });

    it('has neither the text around its only block nor the fence', () => {
      for (const words of [
        'Removing an element while walking the array shifts what is behind; so `splice(i, 1)` skips one.',
        'Here is the loop (with a comment):',
        "Sure! I've fixed `a[i]`, `b = c` and tasks.splice(i, 1). Here it is:",
        '<think>\nOk\n</think>',
        'Here it is',
        '**Fixed:**',
        '# The loop',
        'here it is, with foo() as before:',
        'To do:\n\n1. `a();`\n2. b();\n\nThat is:',
        '<think>\nThe user wants a loop. That is x = 1.\n</think>',
        '以下是修正后的代码：',
        'Voilà le code corrigé :',
      ]) {
        const answer = `${words}\n\n~~~~ts\n${inside}\n~~~~ \n\nIt calls \`b();\` now.\n`;
        assert.equal(growing(answer), inside, words);
        assert.deepEqual(whole(answer), { text: inside, without: 'words' });
      }
    });

    it('needs no fence to be shown', () => {
      const shown = (lines: string, replaced = '') =>
        answerCode(`${lines}\nx`, { isComplete: false, dropWords: true, replaced }).text;
      for (const first of [
        'import os\n\ndef f(a):',
        '# Sums the list.\ntotal = 0',
        '"""Sums the list."""\nx := 1',
        '#include <list>',
        '/** Sums the list. */',
        '// Sums the list.',
        '@Override',
        '<div>',
        'export default function sum(list) {',
        'Widget build(BuildContext context) {',
        'SELECT a\nFROM b;',
        'return sum(list)',
        '  const sum = list =>',
      ]) {
        assert.equal(shown(first), `${first}\nx`);
      }
      assert.equal(shown('title: A list'), '');
      assert.equal(shown('  title: A list', 'name: x\ntitle: A list\n'), '  title: A list\nx');
    });

    it("doesn't show the beginning of a fence that follows code", () => {
      const answer = 'a();\n```ts\na();\nb();\n```';
      for (let length = 6; length <= 10; length += 1)
        assert.equal(soFar(answer.slice(0, length)), 'a();', String(length));
      assert.equal(soFar(answer), 'a();\nb();');
    });

    it('is the whole reply once a second block starts, and stays so', () => {
      const [before, after] = ['Both:\n\n```ts\na\n```\nand\n```ts', '\nb\n```\n'];
      assert.equal(growing(before), 'a');
      for (let length = 1; length <= after.length; length += 1) {
        const answer = before + after.slice(0, length);
        assert.equal(soFar(answer), whole(answer).text);
      }
    });
  });
});

describe('The text that a reply loses if only its code is inserted', () => {
  it('is everything around and between its blocks, without the fences', () => {
    assert.equal(
      leftOutWords('Here:\r\n\r\n```ts\r\na\r\n\r\n```\r\n\r\nAnd:\n~~~\nb\n~~~\nDone.\n'),
      'Here:\nAnd:\nDone.',
    );
    assert.equal(leftOutWords('```ts\na\n```\n'), '');
    assert.equal(leftOutWords('Why:\n```ts\nnever closed\nby anything'), 'Why:');
  });
});

describe('The text of a reply that is inserted into prose', () => {
  it('has no fence around all of it if that is one of Markdown', () => {
    for (const [answer, wanted] of [
      ['```markdown\n# Title\n\nText.\n```\n', '# Title\n\nText.'],
      ['\n~~~MD\r\n# Title\r\n\r\nText.\r\n~~~', '# Title\n\nText.'],
      ['```markdown\n# Title\n\n```js\na();\n```\n\nText.\n```', '# Title\n\n```js\na();\n```\n\nText.'],
      ['````md\n```\na();\n```\n````', '```\na();\n```'],
      ['```markdown\n\n# Title\n\n```', '# Title'],
    ] as const) {
      assert.equal(answerInProse(answer, true), wanted, answer);
      let shown = '';
      for (let length = 1; length <= answer.length; length += 1) {
        const text = answerInProse(answer.slice(0, length), false);
        assert.ok(text.startsWith(shown.trimEnd()), JSON.stringify([shown, text]));
        shown = text;
      }
      assert.equal(shown.trimEnd(), wanted, answer);
    }
  });

  it('has every other fence', () => {
    for (const answer of [
      '```js\na();\n```',
      '```\n# Title\n```',
      'Here it is:\n```markdown\n# Title\n```',
      '```markdown\n# Title\n```\nDone.',
      '```markdown\n# One\n```\n\n```markdown\n# Two\n```',
    ]) {
      assert.equal(answerInProse(`\n${answer}\n`, true), answer);
      assert.equal(answerInProse(`\n${answer}\n`, false), answer);
    }
    assert.equal(answerInProse('```js\na(', false), '```js\na(');
  });
});

function soFar(answer: string): string {
  return answerCode(answer, { isComplete: false, dropWords: true }).text;
}

/** The final display of a reply that arrives character by character. Nothing that was shown may disappear. */
function growing(answer: string): string {
  let shown = '';
  for (let length = 1; length <= answer.length; length += 1) {
    const text = soFar(answer.slice(0, length));
    assert.ok(text.startsWith(shown.trimEnd()), JSON.stringify([shown, text]));
    shown = text;
  }
  return shown;
}
