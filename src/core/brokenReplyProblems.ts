import * as l10n from '@vscode/l10n';
import type { StreamErrorFailure, UnsupportedFailure } from '../shared/apiFailure.ts';
import { ofRequest } from './answerWords.ts';
import { inline, kept, mayBeCharged, type ProblemContext, type ProblemDraft, quoted } from './problemDraft.ts';

/** The service reported an error in an answer that had begun well. */
export function streamErrorProblem(failure: StreamErrorFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('The reply broke off'),
    detail: [
      context.hasPartialText
        ? l10n.t('The service reported an error while it was writing.')
        : l10n.t('The service reported an error before it had written anything.'),
      quoted(failure.message),
      kept(context),
      mayBeCharged(context),
    ],
    actions: context.hasPartialText
      ? ['continue', 'retry', 'selectModel', 'openInferenceLogPage']
      : ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
    technical: inline(failure.code ?? failure.type ?? '', 64),
    ...ofRequest(failure),
  };
}

/** The service took the request, and answered in a way that leads no further here. */
export function unsupportedProblem(failure: UnsupportedFailure, context: ProblemContext): ProblemDraft {
  const job = inline(failure.jobId, 100);
  return {
    title: l10n.t("Delayed results aren't supported"),
    detail: [
      l10n.t('It took the request as job {0}, to be collected later. Parlance takes answers only as they come.', job),
      l10n.t('The service’s own pages may show the result.'),
      kept(context),
      mayBeCharged(context),
    ],
    actions: ['openInferenceLogPage', 'selectModel', 'showLog'],
    technical: inline(failure.jobStatus, 64),
    ...ofRequest(failure),
  };
}
