import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addedCommandLinks, commandLinks, lengthBeforeCommandLink } from '../../../../src/core/safety/commandLinks.ts';

describe('Links that run commands', () => {
  it('are found in each form, in any case, and with encoded letters', () => {
    for (const [text, target] of [
      ['[words](command:a)', 'command:a'],
      ['[words](\n  command:a "title")', 'command:a'],
      ['[words](<command:a b>)', 'command:a'],
      ['[name]: command:a', 'command:a'],
      ['[name]:command:a', 'command:a'],
      ['<command:a>', 'command:a'],
      ['<a href="command:a">', 'command:a'],
      ['<a href = command:a>', 'command:a'],
      ['[words](COMMAND:a)', 'COMMAND:a'],
      ['<a href="c&#x6F;mm&#97nd&colon;a">', 'command:a'],
      ['<a href="command&#0058;a">', 'command:a'],
      ['url(command:a)', 'command:a'],
    ] as const)
      assert.deepEqual(commandLinks(text), [target], text);
  });

  it("aren't found in other text about commands", () => {
    for (const text of [
      'command: ["npm", "start"]',
      '  command: npm start',
      '- command:npm',
      '{ "command": "npm.start" }',
      '"${command:pickProcess}"',
      'Run it (command: npm start)',
      'The Command: "start"',
      '[words](https://example.com/command:a)',
      '[words](#command:a)',
      '&lt;command:a&gt;',
      '[words](subcommand:a)',
    ])
      assert.deepEqual(commandLinks(text), [], text);
  });

  it('are found wherever they are, once each', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const found = commandLinks(`${before}\n[words](command:a)\n${after}`);
        assert.ok(found.includes('command:a'));
      }),
    );
    assert.deepEqual(commandLinks('[a](command:a) [b](command:b)'), ['command:a', 'command:b']);
  });

  it('count as added by each link that there was not before, even if half of it was', () => {
    assert.deepEqual(addedCommandLinks('[a](command:a)', '[a](command:a) and [b](command:b)'), ['command:b']);
    assert.deepEqual(addedCommandLinks('[a](command:a)', '[a](command:a) [b](command:a)'), ['command:a']);
    assert.deepEqual(addedCommandLinks('[a]()', '[a](command:a)'), ['command:a']);
    assert.deepEqual(addedCommandLinks('[a](command:a)', 'none'), []);
  });

  const pieces = fc.array(
    fc.constantFrom(
      'word ',
      'basic',
      'com',
      'command',
      'command:f',
      'Command:f',
      ':',
      '[a](',
      '[a]:',
      '<',
      '>',
      ')',
      '"',
      '=',
      ' ',
      '\n',
      'c&#111;mmand:f',
      'comm&#97;nd&colon;f',
      '&amp;',
      '&#',
      '(subcommand:x)',
    ),
    { maxLength: 12 },
  );

  it('are held back while a text is written, together with what might become one', () => {
    fc.assert(
      fc.property(pieces, pieces, (first, then) => {
        const [before, text] = [first.join(''), then.join('')];
        fc.pre(commandLinks(before).length === 0);
        let shown = '';
        for (let length = 1; length <= text.length; length += 1) {
          const soFar = text.slice(0, length);
          shown = soFar.slice(0, lengthBeforeCommandLink(soFar, before));
          assert.deepEqual(addedCommandLinks(before, before + shown), [], JSON.stringify([before, soFar]));
        }
      }),
      { numRuns: 500 },
    );
  });

  it("don't hold back other text", () => {
    for (const text of [
      'A sentence (with brackets) of a comment.',
      'command: npm start\n',
      'Use `code`, then "stop". ',
    ]) {
      for (let length = 1; length <= text.length; length += 1) {
        const shown = lengthBeforeCommandLink(text.slice(0, length), '');
        assert.ok(shown >= length - 'command:'.length, text.slice(0, length));
      }
      assert.equal(lengthBeforeCommandLink(text, ''), text.length);
    }
  });
});
