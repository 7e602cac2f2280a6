import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { changeHunks } from '../../../../src/core/prompts/changeHunks.ts';
import { applyHunks } from '../../../../src/core/prompts/lineMerge.ts';
import { Proposal } from '../../../../src/core/prompts/proposal.ts';

interface Fn {
  readonly name: string;
  readonly body: readonly string[];
}

const names = ['a', 'b', 'c', 'd', 'e'];
// Lines that functions share, which make a diff confuse them.
const body = fc.array(fc.constantFrom('  return null;', '  if (x) {\n    y();\n  }', '  z();', '  const k = 1;', ''), {
  maxLength: 4,
});
const functions = fc
  .tuple(fc.shuffledSubarray(names), fc.array(body, { minLength: 5, maxLength: 5 }))
  .map(([chosen, bodies]): readonly Fn[] => chosen.map((name, index) => ({ name, body: bodies[index] ?? [] })));

function text(all: readonly Fn[]): string {
  return all.map((each) => [`function ${each.name}() {`, ...each.body, '}'].join('\n')).join('\n\n');
}

function count(code: string, name: string): number {
  return code.split('\n').filter((line) => line === `function ${name}() {`).length;
}

function isBalanced(code: string): boolean {
  let depth = 0;
  for (const character of code) {
    if (character === '{') depth += 1;
    if (character === '}' && (depth -= 1) < 0) return false;
  }
  return depth === 0;
}

describe('The hunks of a proposed change', () => {
  it('are one if only a lone bracket or blank lines are between them', () => {
    const base = 'function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}';
    const proposed = 'function a() {\n  uno();\n}\n\nfunction c() {\n  two();\n}';
    assert.deepEqual(changeHunks(base, proposed), [{ from: 1, to: 5, lines: ['  uno();', '}', '', 'function c() {'] }]);
  });

  it('are several if unchanged code is between them', () => {
    const base = '/** Old. */\nfunction a() {\n  one();\n  two();\n}';
    const proposed = '/** New. */\nfunction a() {\n  uno();\n  two();\n}';
    assert.equal(changeHunks(base, proposed).length, 2);
  });

  it('are one if one opens what another closes, or declares what another removes', () => {
    assert.equal(changeHunks('a();\nb();\nc();', 'if (x) {\na();\nb();\nc();\n}').length, 1);
    const moved = changeHunks('const one = 1;\na();\nb();\nc();', 'a();\nb();\nc();\nconst one = 2;');
    assert.equal(moved.length, 1);
  });

  it('lead from one text to the other, each separated from the next by an unchanged line', () => {
    fc.assert(
      fc.property(functions, functions, (one, other) => {
        const hunks = changeHunks(text(one), text(other));
        assert.equal(applyHunks(text(one), hunks), text(other));
        for (const [index, hunk] of hunks.entries()) assert.ok((hunks[index + 1]?.from ?? Infinity) > hunk.to);
      }),
    );
  });

  it('never lose a function that both texts have, or break one, whichever of them are kept', () => {
    fc.assert(
      fc.property(
        functions,
        functions,
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (one, other, choices) => {
          const [base, proposed] = [text(one), text(other)];
          const proposal = new Proposal(base, proposed);
          // Like a user: one after the other, each at the first remaining position.
          for (const keeps of choices) {
            const change = proposal.accept(0);
            if (change === undefined) break;
            if (keeps) proposal.made(change);
            else proposal.reject(0);
          }
          if (proposal.changes().length > 0) return;
          for (const name of names) {
            const [was, willBe, is] = [base, proposed, proposal.present].map((code) => count(code, name));
            assert.ok(is === was || is === willBe, `${name}: ${was} → ${willBe}, and is ${is}\n${proposal.present}`);
          }
          assert.ok(isBalanced(proposal.present), proposal.present);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
