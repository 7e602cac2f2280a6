import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { placedCode, type ReplacedText } from '../../../src/core/placedCode.ts';

const spaces = { useTabs: false, tabSize: 2 };
const code = (text: string, more: Partial<ReplacedText> = {}): ReplacedText => ({
  text,
  before: '',
  style: spaces,
  isProse: false,
  ...more,
});

describe('An answer in the place of a text', () => {
  it('takes over the indentation of the place', () => {
    const place = code('    if (a) {\n      b();\n    }');
    assert.equal(placedCode('```\nif (c) {\n  d();\n}\n```', place, true), '    if (c) {\n      d();\n    }');
    assert.equal(placedCode('      if (c) {\n        d();\n      }', place, true), '    if (c) {\n      d();\n    }');
  });

  it('does not indent twice what stands before the selection', () => {
    const place = code('if (a) {\n      b();\n    }', { before: '    ' });
    assert.equal(placedCode('if (c) {\n  d();\n}', place, true), 'if (c) {\n      d();\n    }');
  });

  it('leaves an answer in the middle of a line as it is', () => {
    assert.equal(placedCode('`x + y`', code('a', { before: 'return ' }), true), '`x + y`');
  });

  it('writes tabs where the document does', () => {
    const place = code('\tif (a) {\n\t\tb();\n\t}', { style: { useTabs: true, tabSize: 4 } });
    assert.equal(placedCode('if (c) {\n    d();\n}', place, true), '\tif (c) {\n\t\td();\n\t}');
  });

  it('ends as the text did', () => {
    assert.equal(placedCode('```\nb\n```', code('a\n'), true), 'b\n');
    assert.equal(placedCode('b\n\n', code('a'), true), 'b');
  });

  it('keeps fences where the text is Markdown with fences of its own', () => {
    const place = code('```ts\na\n```', { isProse: true });
    assert.equal(placedCode('```ts\nb\n```', place, true), '```ts\nb\n```');
    assert.equal(placedCode('```md\n# b\n```', code('# a', { isProse: true }), true), '# b');
  });

  it('is nothing where the answer is', () => {
    assert.equal(placedCode(' \n', code('a\n'), true), '');
  });
});
