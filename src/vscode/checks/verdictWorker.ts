import { parentPort, workerData } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { CheckedReply, Expectation, Verdict } from '../../core/checks/expectation.ts';
import { rubricVerdict } from '../../core/checks/rubric.ts';
import { verdictOf } from '../../core/checks/verdicts/verdict.ts';
import { ready, type VerdictTask } from './verdictTask.ts';

/** The texts in the user's language, from the parent thread. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- VerdictThread passes it
const { bundle } = workerData as { readonly bundle?: Record<string, string> };
if (bundle !== undefined) l10n.config({ contents: bundle });

// One at a time, so that the parent knows which of them takes forever.
parentPort?.on('message', ({ expectations, reply, isOfJudge }: VerdictTask) => {
  for (const expectation of expectations) parentPort?.postMessage(decided(expectation, reply, isOfJudge));
});
parentPort?.postMessage(ready);

function decided(expectation: Expectation, reply: CheckedReply, isOfJudge: boolean): Verdict {
  try {
    return isOfJudge ? rubricVerdict(expectation, reply.text) : verdictOf(expectation, reply);
  } catch (error) {
    return { pass: false, score: 0, reason: String(error), isUndecided: true };
  }
}
