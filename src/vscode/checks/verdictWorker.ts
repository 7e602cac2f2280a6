import { parentPort, workerData } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { CheckedReply, Expectation, Verdict } from '../../core/checks/expectation.ts';
import { rubricVerdict } from '../../core/checks/rubric.ts';
import { verdictOf } from '../../core/checks/verdicts/verdict.ts';
import { type BatchVerdicts, ready, type VerdictBatch } from './verdictTask.ts';

/** The texts in the user's language, from the parent thread. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- VerdictThread passes it
const { bundle } = workerData as { readonly bundle?: Record<string, string> };
if (bundle !== undefined) l10n.config({ contents: bundle });

parentPort?.on('message', ({ tasks, begun }: VerdictBatch) => {
  const verdicts: BatchVerdicts = tasks.map(({ expectations, reply, isOfJudge }) =>
    expectations.map((expectation) => {
      Atomics.add(begun, 0, 1);
      return decided(expectation, reply, isOfJudge);
    }),
  );
  parentPort?.postMessage(verdicts);
});
parentPort?.postMessage(ready);

function decided(expectation: Expectation, reply: CheckedReply, isOfJudge: boolean): Verdict {
  try {
    return isOfJudge ? rubricVerdict(expectation, reply.text) : verdictOf(expectation, reply);
  } catch (error) {
    return { pass: false, score: 0, reason: String(error), isUndecided: true };
  }
}
