import assert from 'node:assert/strict';
import { CallContexts } from '../../../../src/vscode/languageModel/callContexts.ts';

describe('What belongs to a tool call', () => {
  const call = (id: string, reasoningContent: string) => ({ id, name: 'f', input: {}, context: { reasoningContent } });

  it('is known by its model alone', () => {
    const contexts = new CallContexts();
    contexts.keep('one', call('a', 'Hm'));
    contexts.keep('one', { id: 'b', name: 'f', input: {} });
    assert.deepEqual(contexts.of('one', 'a', 'f'), { reasoningContent: 'Hm' });
    assert.equal(contexts.of('two', 'a', 'f'), undefined);
    assert.equal(contexts.of('one', 'a', 'g'), undefined);
    assert.equal(contexts.of('one', 'b', 'f'), undefined);
  });

  it('is forgotten when there is too much, the oldest first', () => {
    const contexts = new CallContexts();
    const long = 'x'.repeat(3 * 1024 * 1024);
    for (const id of ['a', 'b', 'a', 'c']) contexts.keep('one', call(id, long));
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => contexts.of('one', id, 'f') !== undefined),
      [true, false, true],
    );
  });
});
