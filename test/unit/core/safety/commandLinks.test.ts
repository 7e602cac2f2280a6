import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandLinks } from '../../../../src/core/safety/commandLinks.ts';

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
});
