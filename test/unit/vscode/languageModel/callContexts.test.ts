import assert from 'node:assert/strict';
import { CallContexts } from '../../../../src/vscode/languageModel/callContexts.ts';

describe('What belongs to a tool call', () => {
  const call = (id: string, reasoningContent = '') => ({ id, name: 'f', input: {}, context: { reasoningContent } });

  it('is known by its model alone', () => {
    const contexts = new CallContexts();
    contexts.keep('one', call('a', 'Hm'));
    contexts.keep('one', { id: 'b', name: 'f', input: {} });
    assert.deepEqual(contexts.of('one', call('a')), { reasoningContent: 'Hm' });
    assert.equal(contexts.of('two', call('a')), undefined);
    assert.equal(contexts.of('one', { ...call('a'), name: 'g' }), undefined);
    assert.equal(contexts.of('one', call('b')), undefined);
  });

  it('is known even if the model gives the first call of each message the same ID', () => {
    const contexts = new CallContexts();
    const listed = (path: string) => ({ id: 'list_dir:0', name: 'list_dir', input: { path } });
    for (const path of ['/src', '/test'])
      contexts.keep('one', { ...listed(path), context: { reasoningContent: `${path} is next` } });
    assert.deepEqual(
      ['/src', '/test', '/docs'].map((path) => contexts.of('one', listed(path))?.reasoningContent),
      ['/src is next', '/test is next', undefined],
    );
  });

  it('is forgotten when there is too much, the oldest first', () => {
    const contexts = new CallContexts();
    const long = 'x'.repeat(3 * 1024 * 1024);
    for (const id of ['a', 'b', 'a', 'c']) contexts.keep('one', call(id, long));
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => contexts.of('one', call(id)) !== undefined),
      [true, false, true],
    );
  });
});
