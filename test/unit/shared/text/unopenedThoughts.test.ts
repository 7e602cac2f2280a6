import assert from 'node:assert/strict';
import { splitUnopenedThoughts } from '../../../../src/shared/text/unopenedThoughts.ts';

describe('Reasoning of which only the end is marked', () => {
  const marked: readonly (readonly [reply: string, reasoning: string, text: string])[] = [
    ['Okay, an owl.\n</think>\n\nIt hoots.\n', 'Okay, an owl.', 'It hoots.\n'],
    ['Hm\r\n</think>\r\n\r\nHi\r\n', 'Hm', 'Hi\r\n'],
    [
      'So:\n```js\nlet a;\n```\nGood.\n</thinking>\n```js\nlet b;\n```',
      'So:\n```js\nlet a;\n```\nGood.',
      '```js\nlet b;\n```',
    ],
    ['\n</thought>\nHi', '', 'Hi'],
    ['Hm\n[/THINK]', 'Hm', ''],
    ['One\n</think>\nTwo\n</think>\nThree', 'One', 'Two\n</think>\nThree'],
  ];
  for (const [reply, reasoning, text] of marked) {
    it(`is separated: ${JSON.stringify(reply)}`, () => {
      assert.deepEqual(splitUnopenedThoughts(reply), { reasoning, text });
    });
  }

  const plain = [
    '',
    'It hoots.',
    'It ends with </think> in the middle of a line\n',
    'Write it like this:\n<think>\nHm\n</think>\nHi',
    'The template begins it:\n```\nHm\n</think>\n```\n',
    'Hm\n  </think>\nHi',
  ];
  for (const reply of plain) {
    it(`isn't in ${JSON.stringify(reply)}`, () => {
      assert.deepEqual(splitUnopenedThoughts(reply), { reasoning: '', text: reply });
    });
  }
});
