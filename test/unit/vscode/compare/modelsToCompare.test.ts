import assert from 'node:assert/strict';
import type { CompareStart } from '../../../../src/core/compare/startOfRequest.ts';
import { modelsToCompare } from '../../../../src/vscode/compare/modelsToCompare.ts';

const question = { models: ['main/first'], content: [{ type: 'text', text: 'Why?' }] } as const;

describe('The models to compare', () => {
  let asked: string[];
  beforeEach(() => {
    asked = [];
  });

  function chosen(
    start: Pick<CompareStart, 'models' | 'content'>,
    picked: readonly string[] = [],
    replaced: Readonly<Record<string, string>> = {},
  ) {
    const answers = [...picked];
    return modelsToCompare(start, {
      usual: () => ['main/usual', 'main/recent', 'main/listed'],
      served: (models) => Promise.resolve([...new Set(models.map((id) => replaced[id] ?? id))]),
      pickModel: (current) => {
        asked.push(current);
        return Promise.resolve(answers.shift());
      },
    });
  }

  it('are the usual ones until something is sent', async () => {
    assert.deepEqual(await chosen({}), ['main/usual', 'main/recent']);
    assert.deepEqual(await chosen({ models: ['main/first'] }), ['main/first', 'main/usual']);
    assert.deepEqual(await chosen({ models: ['main/first'] }, [], { 'main/first': 'main/usual' }), [
      'main/usual',
      'main/recent',
    ]);
    assert.deepEqual(asked, []);
  });

  it('never include one that the user did not select if a question is sent at once', async () => {
    assert.deepEqual(await chosen(question, ['main/first', 'main/first', 'main/other']), ['main/first', 'main/other']);
    assert.deepEqual(asked, ['main/first', 'main/first', 'main/first']);
    assert.equal(await chosen(question, ['main/first']), undefined);
    const { content } = question;
    assert.deepEqual(await chosen({ content }, ['main/other']), ['main/usual', 'main/other']);
    assert.equal(asked.at(-1), 'main/usual');
  });

  it('are asked for again if a service that lacks chat leaves only one', async () => {
    const replaced = { 'old/one': 'main/first' };
    assert.deepEqual(await chosen(question, ['old/one', 'main/other'], replaced), ['main/first', 'main/other']);
    assert.equal(asked.length, 2);
    const several = { ...question, models: ['main/first', 'old/one'] };
    assert.deepEqual(await chosen(several, ['main/other'], replaced), ['main/first', 'main/other']);
    assert.equal(asked.length, 3);
  });
});
