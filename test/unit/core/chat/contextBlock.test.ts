import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { contextBlock, readContextBlocks } from '../../../../src/core/chat/contextBlock.ts';

describe('A context block', () => {
  it('is a heading and the text in a fence', () => {
    assert.equal(
      contextBlock({ heading: 'File: src/a.ts', language: 'typescript', text: 'const a = 1;\n' }),
      'File: src/a.ts\n```typescript\nconst a = 1;\n```',
    );
  });

  it('ends the last line of a text that lacks a line break', () => {
    assert.equal(contextBlock({ heading: 'H', language: '', text: 'a' }), 'H\n```\na\n```');
    assert.equal(contextBlock({ heading: 'H', language: '', text: '' }), 'H\n```\n```');
  });

  it('keeps a heading on one line for any file name', () => {
    assert.equal(contextBlock({ heading: 'File: a\n```\nb', language: '', text: '' }).split('\n')[0], 'File: a ``` b');
  });

  it('is read back whole, with the text below it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[`a\n ]*$/), fc.stringMatching(/^[`b\n ]*$/), (text, words) => {
        const blocks = ['File: a.ts', 'Terminal: sh'].map((heading) => contextBlock({ heading, language: 'ts', text }));
        const read = readContextBlocks([...blocks, words].filter((part) => part !== '').join('\n\n'));
        const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
        assert.deepEqual(
          read.pieces,
          ['File: a.ts', 'Terminal: sh'].map((heading) => ({ heading, language: 'ts', text: whole })),
        );
        assert.equal(read.words, words);
      }),
    );
    assert.deepEqual(readContextBlocks('File: a'), { pieces: [], words: 'File: a' });
    assert.deepEqual(readContextBlocks('Why?\n```\n1\n```').pieces, []);
  });

  it('can contain any text, and nothing in it ends the fence', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[`a\n ]*$/), (text) => {
        const [, fence = '', rest = ''] =
          /^H\n(`{3,})\n([^]*)$/.exec(contextBlock({ heading: 'H', language: '', text })) ?? [];
        assert.ok(rest.endsWith(fence));
        const body = rest.slice(0, -fence.length);
        assert.equal(body, text === '' || text.endsWith('\n') ? text : `${text}\n`);
        assert.ok(!body.includes(fence));
      }),
    );
  });
});
