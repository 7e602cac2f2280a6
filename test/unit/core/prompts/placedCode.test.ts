import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { placedCode, type ReplacedText } from '../../../../src/core/prompts/placedCode.ts';

const spaces = { useTabs: false, tabSize: 2 };
const code = (text: string, more: Partial<ReplacedText> = {}): ReplacedText => ({
  text,
  before: '',
  style: spaces,
  isProse: false,
  ...more,
});

describe('A reply in place of a text', () => {
  it('uses the indentation of the place', () => {
    const place = code('    if (a) {\n      b();\n    }');
    assert.equal(placedCode('```\nif (c) {\n  d();\n}\n```', place, true), '    if (c) {\n      d();\n    }');
    assert.equal(placedCode('      if (c) {\n        d();\n      }', place, true), '    if (c) {\n      d();\n    }');
  });

  it("doesn't indent again what is before the selection", () => {
    const place = code('if (a) {\n      b();\n    }', { before: '    ' });
    assert.equal(placedCode('if (c) {\n  d();\n}', place, true), 'if (c) {\n      d();\n    }');
  });

  it('leaves a reply in the middle of a line unchanged', () => {
    assert.equal(placedCode('`x + y`', code('a', { before: 'return ' }), true), '`x + y`');
  });

  it('writes tabs if the document does', () => {
    const place = code('\tif (a) {\n\t\tb();\n\t}', { style: { useTabs: true, tabSize: 4 } });
    assert.equal(placedCode('if (c) {\n    d();\n}', place, true), '\tif (c) {\n\t\td();\n\t}');
  });

  it("writes what the text itself uses, whatever the document's settings are", () => {
    const tabs = { style: { useTabs: true, tabSize: 4 } };
    assert.equal(placedCode('b();\nif (c) {\n  d();\n}', code('\ta();'), true), '\tb();\n\tif (c) {\n\t\td();\n\t}');
    assert.equal(placedCode('\tb();', code('    a();', tabs), true), '    b();');
    assert.equal(placedCode('/*\n * b\n */\nb(\n\tc)', code('/*\n * a\n */', tabs), true), '/*\n * b\n */\nb(\n\tc)');
  });

  it('ends like the text', () => {
    assert.equal(placedCode('```\nb\n```', code('a\n'), true), 'b\n');
    assert.equal(placedCode('b\n\n', code('a'), true), 'b');
  });

  it('starts on a new line if the text does', () => {
    const drag = code('\n  let total = 0;\n  let rest = 1;', { before: '  // sums the list' });
    assert.equal(placedCode('let total = 1;\nlet rest = 1;', drag, true), '\n  let total = 1;\n  let rest = 1;');
    assert.equal(placedCode('let total = 1;\n', drag, false), '\n  let total = 1;');
    assert.equal(placedCode('b();', code('\n\n  a();\n', { before: '  ' }), true), '\n\n  b();\n');
    assert.equal(placedCode('b();', code('  \n\ta();', { before: 'x' }), true), '  \n\tb();');
    assert.equal(placedCode('b();', code('\n', { before: 'a();' }), true), '\nb();\n');
    assert.equal(placedCode('b();', code('\n'), true), 'b();\n');
  });

  it('ends where the text ends, including the indentation of the next line', () => {
    assert.equal(placedCode('b();', code('  a();\n  '), true), '  b();\n  ');
    assert.equal(placedCode('b();\n  \n', code('  a();\n\n  '), true), '  b();\n\n  ');
  });

  it("doesn't indent again what is indented like the text, although its first line starts in the middle", () => {
    const place = code('if (a) {\n      b();\n    }', { before: '    ' });
    assert.equal(placedCode('if (c) {\n      d();\n    }', place, true), 'if (c) {\n      d();\n    }');
    const python = code('for a in b:\n        c()', { before: '    ' });
    assert.equal(placedCode('for x in y:\n    z()', python, true), 'for x in y:\n        z()');
  });

  it("leaves lines unchanged that it doesn't change", () => {
    const place = code('  const a = `\n\tx\n   \n`;\n  b();\n');
    const answer = '  const a = `\n\tx\n   \n`;\n  c();';
    assert.equal(placedCode(answer, place, true), '  const a = `\n\tx\n   \n`;\n  c();\n');
    // Even if it's indented less than the text.
    const blank = code('    a();\n    \n    b();');
    assert.equal(placedCode('a();\n\nc();', blank, true), '    a();\n    \n    c();');
  });

  it('is the text itself if it repeats it, whatever its indentation and blank lines', () => {
    const line = fc
      .tuple(fc.constantFrom('', ' ', '  ', '    ', '\t', '\t\t', ' \t', '  \t '), fc.constantFrom('', 'a', 'b {', '}'))
      .map(([space, word]) => space + word);
    const text = fc
      .array(line, { minLength: 1, maxLength: 8 })
      .map((lines) => lines.join('\n'))
      .filter((lines) => lines.trim() !== '');
    const before = fc.constantFrom('', '  ', '    ', '\t', ' \t', 'x = ', '\tx(');
    const style = fc.record({ useTabs: fc.boolean(), tabSize: fc.constantFrom(2, 4) });
    fc.assert(
      fc.property(text, before, style, fc.boolean(), (same, head, way, isProse) => {
        const place = { text: same, before: head, style: way, isProse };
        assert.equal(placedCode(`\`\`\`\n${same}\n\`\`\``, place, true), same);
      }),
    );
  });

  it('keeps fences if the text is Markdown with its own fences', () => {
    const place = code('```ts\na\n```', { isProse: true });
    assert.equal(placedCode('```ts\nb\n```', place, true), '```ts\nb\n```');
    const inList = code('  ```ts\n  a\n  ```\n', { isProse: true });
    assert.equal(placedCode('  ```ts\n  b\n  ```', inList, true), '  ```ts\n  b\n  ```\n');
    assert.equal(placedCode('```md\n# b\n```', code('# a', { isProse: true }), true), '# b');
  });

  describe('that is Markdown in an outer fence', () => {
    const inner = '# Install\n\n```sh\nnpm ci\n```\n\nThen:\n\n```\nnpm start\n```\n\nDone.';
    const readme = code('# Install', { isProse: true });

    it('loses that fence, even if it has the length of those inside', () => {
      for (const [open, close] of [
        ['```markdown', '```'],
        ['\n```md', '```\n'],
        ['~~~ Markdown', '~~~'],
        ['````markdown', '````'],
      ]) {
        assert.equal(placedCode(`${open}\n${inner}\n${close}`, readme, true), inner, open);
      }
      assert.equal(
        placedCode(`\`\`\`md\n${inner}\n\n\`\`\`sh\nx\n\`\`\`\n\`\`\``, readme, true).endsWith('x\n```'),
        true,
      );
      const fenced = code('```sh\nnpm i\n```', { isProse: true });
      assert.equal(placedCode('```markdown\n```sh\nnpm ci\n```\n```', fenced, true), '```sh\nnpm ci\n```');
    });

    it("keeps all fences if that isn't certain", () => {
      const blocks = '```markdown\n# a\n```\n\nOr:\n\n```markdown\n# b\n```';
      for (const answer of [
        blocks,
        '```markdown\n# a\n```\n\nOr, shorter:\n\n```\n# b\n```',
        '```sh\nnpm ci\n```\n\n```sh\nnpm start\n```',
        `\`\`\`markdown\n${inner}\n\`\`\`\n\nThat is all.`,
      ]) {
        assert.equal(placedCode(answer, readme, true), answer);
      }
      const example = code('```markdown\n# a\n```', { isProse: true });
      const longer = '```markdown\n```sh\na\n```\n```';
      assert.equal(placedCode(longer, example, true), longer);
    });

    it('only grows while it is being written', () => {
      const answer = `\`\`\`markdown\n${inner}\n\`\`\`\n`;
      let before = '';
      for (let length = 0; length <= answer.length; length += 1) {
        const text = placedCode(answer.slice(0, length), readme, false);
        assert.ok(inner.startsWith(text.trimEnd()), JSON.stringify([length, text]));
        assert.ok(text.startsWith(before.trimEnd()), JSON.stringify([length, text]));
        before = text;
      }
      assert.equal(before, inner);
    });
  });

  it('is only code at every moment of its writing, and ends as the whole one', () => {
    const place = code('  let total = 0;\n  sum();\n');
    const fenced = '```js\nlet total = 1;\nif (a) {\n  sum();\n}\n```';
    const wanted = '  let total = 1;\n  if (a) {\n    sum();\n  }';
    for (const answer of [fenced, `It was \`0\`, and is now:\n\n${fenced}\n\nThat is all.\n`, `${wanted}\n`]) {
      for (let length = 0; length <= answer.length; length += 1) {
        const text = placedCode(answer.slice(0, length), place, false);
        assert.ok(wanted.startsWith(text), JSON.stringify([length, text]));
      }
      assert.equal(placedCode(answer, place, false), wanted);
      assert.equal(placedCode(answer, place, true), `${wanted}\n`);
    }
  });

  it('is empty if the reply is', () => {
    assert.equal(placedCode(' \n', code('a\n'), true), '');
  });
});
