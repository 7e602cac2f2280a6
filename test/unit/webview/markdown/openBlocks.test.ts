import assert from 'node:assert/strict';
import { BlockStream } from '../../../../src/webview/markdown/stream/blockStream.ts';
import { isUnsettledLine } from '../../../../src/webview/markdown/stream/finalPart.ts';
import { TreeSink } from './treeSink.ts';

function open(...pieces: readonly string[]): TreeSink {
  const sink: TreeSink = new TreeSink(() => stream.links);
  const stream = new BlockStream(sink);
  for (const piece of pieces) {
    stream.append(piece);
    while (stream.step());
  }
  return sink;
}

function shown(...pieces: readonly string[]): string {
  return JSON.stringify(open(...pieces).drawn);
}

describe('Text that is still being written', () => {
  it('is shown up to its last character', () => {
    assert.match(shown('one\n\nto'), /"to"/);
    assert.match(shown('one\n\nto', ' be'), /"to be"/);
  });

  it('shows finished emphasis at once', () => {
    assert.match(shown('a **b** c'), /"strong"/);
  });

  it("doesn't mistake the start of a list for the underline of a heading", () => {
    assert.doesNotMatch(shown('Colors:\n-'), /"h":2/);
    assert.match(shown('Colors:\n-', ' red'), /"list":false/);
  });

  it('keeps the line of an open code block separate from the finished ones', () => {
    const sink = open('```js\nlet a;\nlet');
    assert.deepEqual(sink.drawn, [{ code: 'js', lines: ['let a;'] }]);
    assert.equal(sink.codeLine, 'let');
  });

  it("doesn't show a closing fence as code", () => {
    assert.equal(open('```js\nlet a;\n``').codeLine, '');
  });

  it("shows an open formula as it's written, whatever its lines look like", () => {
    const lines = '$$\nx_1\n- y_2\n===\n';
    assert.deepEqual(open(`so\n${lines}> z`).drawn.length, 2);
    assert.ok(shown(`so\n${lines}> z`).includes(JSON.stringify(['text', '', '', `${lines}> z`])));
    assert.match(shown(`so\n${lines}> z\n$$`), /"formula"/);
    assert.match(shown(`so\n${lines}\n> z`), /"quote"/);
  });

  it("shows what is added to a very long paragraph before it's parsed again", () => {
    const sink = open('word '.repeat(1000), 'and **more**');
    assert.equal(sink.pending, 'and **more**');
  });
});

describe('isUnsettledLine', () => {
  it('is true for only syntax characters', () => {
    for (const line of ['-', '  *', '1.', '12) ', '##', '``', '> ', '|--', '***'])
      assert.equal(isUnsettledLine(line), true, line);
  });

  it('is false if the meaning is clear', () => {
    for (const line of ['', 'a', '- a', '42', '1. a', '# A', '-'.repeat(50)])
      assert.equal(isUnsettledLine(line), false, line);
  });
});
