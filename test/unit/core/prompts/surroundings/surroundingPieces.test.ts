import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import {
  chosenPieces,
  surroundingBudget,
  type SurroundingPiece,
  surroundingText,
} from '../../../../../src/core/prompts/surroundings/surroundingPieces.ts';
import { estimatedTokens } from '../../../../../src/words/tokens.ts';

function piece(kind: SurroundingPiece['kind'], from: number, text: string, path = 'src/a.ts'): SurroundingPiece {
  return { kind, uri: path, path, from, to: from + text.split('\n').length, language: 'typescript', text };
}

describe('What is sent of the surroundings', () => {
  it('is separate from the code, each piece with its kind and its origin', () => {
    const text = surroundingText([
      piece('enclosing', 4, 'class A { … }'),
      piece('imports', 0, "import a from 'a';\nimport b from 'b';"),
      piece('used', 2, '`'.repeat(3), 'src/b.ts'),
    ]);
    assert.equal(
      text,
      [
        'For reference, from around the code that this is about. Do not change it or repeat it in the answer:',
        'Around it: src/a.ts, line 5\n```typescript\nclass A { … }\n```',
        "Imports: src/a.ts, lines 1-2\n```typescript\nimport a from 'a';\nimport b from 'b';\n```",
        'It uses: src/b.ts, line 3\n````typescript\n```\n````',
        'End of the reference.',
      ].join('\n\n'),
    );
    assert.equal(surroundingText([]), '');
  });

  it('starts with the most informative, and has nothing twice', () => {
    const used = [
      piece('used', 9, 'one'),
      piece('used', 9, 'one'),
      piece('used', 12, 'class A {\n  b(): void { … }\n}'),
    ];
    const all = [
      ...used,
      piece('used', 13, 'b(): void { … }'),
      piece('imports', 0, 'import'),
      piece('enclosing', 5, 'head'),
    ];
    assert.deepEqual(
      chosenPieces(all, 2000).map(({ kind, from }) => `${kind} ${from}`),
      ['enclosing 5', 'imports 0', 'used 9', 'used 12'],
    );
  });

  it("never exceeds its budget, and a large piece doesn't keep a small one out", () => {
    const texts = fc.array(
      fc.tuple(fc.constantFrom('enclosing', 'imports', 'used'), fc.integer({ min: 1, max: 4000 })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 3000 }), (sizes, budget) => {
        const pieces = sizes.map(([kind, size], index) => piece(kind, index, `${index}`.padEnd(size, 'x')));
        const chosen = chosenPieces(pieces, budget);
        // The lines around the attachments are added on top.
        assert.ok(estimatedTokens(surroundingText(chosen).length) <= budget + 45);
      }),
    );
    const pieces = [piece('used', 0, 'x'.repeat(9000)), piece('used', 1, 'small')];
    assert.deepEqual(chosenPieces(pieces, 1000), [pieces[1]]);
  });

  it('uses no more than an eighth of a small context window', () => {
    assert.deepEqual([undefined, 128_000, 8000, 256].map(surroundingBudget), [2000, 2000, 1000, 32]);
  });
});
