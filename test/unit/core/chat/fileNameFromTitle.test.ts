import assert from 'node:assert/strict';
import { fileNameFromTitle } from '../../../../src/core/chat/fileNameFromTitle.ts';

describe('The name of an exported conversation', () => {
  for (const [title, name] of [
    ['Fix the login page', 'Fix the login page'],
    ['山の上の月', '山の上の月'],
    ['../../etc/passwd', 'etc passwd'],
    ['C:\\Windows: "x" <y> | z?*', 'C Windows x y z'],
    ['Con', 'conversation'],
    ['aux', 'conversation'],
    ['NUL.', 'conversation'],
    ['com¹', 'conversation'],
    ['LPT9', 'conversation'],
    ['Console', 'Console'],
    ['COM10', 'COM10'],
    ['…', 'conversation'],
    ['', 'conversation'],
    ['trailing dot.', 'trailing dot'],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
    [`${'x'.repeat(59)}\u{20000}\u{20001}`, `${'x'.repeat(59)}\u{20000}`],
    ['lone \ud800 half', 'lone half'],
  ] as const) {
    it(`is ${name.slice(0, 30)} for ${JSON.stringify(title.slice(0, 30))}`, () => {
      const made = fileNameFromTitle(title, 'conversation');
      assert.equal(made, name);
      assert.ok(made.isWellFormed());
    });
  }
});
