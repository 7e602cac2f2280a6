import assert from 'node:assert/strict';
import {
  codeLines,
  dedent,
  fenceLanguage,
  readOpeningFence,
} from '../../../../../src/webview/markdown/stream/codeFence.ts';

describe('readOpeningFence', () => {
  it('reads characters, indentation, and info string', () => {
    const fence = readOpeningFence('  ````  ts title="a\\_b" ');
    assert.equal(fence?.info, 'ts title="a_b"');
    assert.equal(fence.indent, 2);
    assert.match('   ````` ', fence.close);
    assert.doesNotMatch('```', fence.close);
    assert.doesNotMatch('````x', fence.close);
  });

  it("recognizes what doesn't open a fence", () => {
    for (const line of ['``', '``` a`b', '    ```', 'x ```', '~~']) assert.equal(readOpeningFence(line), undefined);
    assert.notEqual(readOpeningFence('~~~ a`b'), undefined);
  });
});

describe('The lines of code', () => {
  it('lose the indentation of the fence and no more', () => {
    assert.deepEqual([dedent('   a', 2), dedent(' a', 2), dedent('a', 2), dedent('\ta', 0)], [' a', 'a', 'a', '\ta']);
  });

  it('are those between the fences', () => {
    assert.deepEqual(
      [codeLines(''), codeLines('\n'), codeLines('a'), codeLines('a\n\n')],
      [[], [''], ['a'], ['a', '']],
    );
  });

  it('have the language at the start of the info string', () => {
    assert.deepEqual([fenceLanguage('ts {1,2}'), fenceLanguage('')], ['ts', '']);
  });
});
