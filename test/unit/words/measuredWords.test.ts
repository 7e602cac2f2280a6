import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { spreadNames } from '../../../src/shared/measuring.ts';
import { figureWords, verdictReason, verdictText } from '../../../src/words/measuredWords.ts';
import { writeNumbersIn } from '../../../src/words/numberText.ts';

describe('The words for what was measured', () => {
  it('contain each formula in docs/measuring.md', async () => {
    const page = await readFile(new URL('../../../docs/measuring.md', import.meta.url), 'utf8');
    const rates = ['requestsPerSecond', 'overallTokensPerSecond', 'goodRequestsPerSecond'] as const;
    for (const name of [...spreadNames, ...rates]) {
      const { label, formula } = figureWords(name);
      assert.ok(page.includes(`| ${label} | ${formula} |`), `${label}: ${formula}`);
    }
  });

  it('report no change without the reason', () => {
    const change = -0.034;
    assert.equal(verdictText({ kind: 'slower', change: 0.38 }), 'Slower by 38%');
    assert.equal(verdictText({ kind: 'unclear', change }), 'No clear change');
    assert.equal(verdictReason({ kind: 'unclear', change }), '−3%, intervals overlap');
  });

  it('have percent signs as the language writes them', () => {
    writeNumbersIn('de');
    try {
      assert.equal(verdictText({ kind: 'slower', change: 0.38 }), 'Slower by 38\u00a0%');
      assert.equal(verdictReason({ kind: 'unclear', change: 0.034 }), '+3\u00a0%, intervals overlap');
    } finally {
      writeNumbersIn('en');
    }
  });
});
