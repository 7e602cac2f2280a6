import * as vscode from 'vscode';
import type { ChatClient } from '../../api/inferenceCalls.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Notifier } from '../platform/notify.ts';

import { answerFigures, askOnce, attempt, cancellably } from './testRequest.ts';

// Long enough for a speed that means something, short enough to cost next to nothing.
const testTokens = 96;
const testPrompt = 'Write the numbers from one to forty as words, separated by commas.';

export interface TestModelDeps {
  readonly service: ChatClient;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
}

/** Asks one model for a few words and says how fast they came. */
export async function testModel(model: string, { service, explainer, notifier }: TestModelDeps): Promise<void> {
  const title = vscode.l10n.t('Asking {0} for a few words…', model);
  const outcome = await cancellably(title, (signal) =>
    attempt(explainer, { model, during: 'command' }, signal, () =>
      askOnce(service, { model, prompt: testPrompt, maxTokens: testTokens }, { signal }),
    ),
  );
  if (outcome.type === 'problem') notifier.problem(outcome.problem);
  if (outcome.type !== 'ok') return;
  notifier.info(
    vscode.l10n.t('{0}. {1} answered the test prompt.', answerFigures(outcome.value, { withSpeed: true }), model),
  );
}
