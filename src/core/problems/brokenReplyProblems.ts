import * as l10n from '@vscode/l10n';
import type { StreamErrorFailure, UnsupportedFailure } from '../../shared/apiFailure.ts';
import { refusalIn } from '../../api/wire/errorCodes.ts';
import { ofRequest } from './answerWords.ts';
import { httpProblem, rateLimitedProblem } from './httpProblem.ts';
import { kept, mayBeCharged, type ProblemContext, type ProblemDraft, quoted } from './problemDraft.ts';
import { inline } from '../../words/inline.ts';

/** The service reported an error in a response that had started well. */
export function streamErrorProblem(failure: StreamErrorFailure, context: ProblemContext): ProblemDraft {
  const technical = inline(failure.code ?? failure.type ?? '', 64);
  const refusal = context.hasPartialText ? undefined : refusalIn(failure);
  if (refusal !== undefined) return { ...refusalProblem(failure, refusal, context), technical };
  return {
    title: context.hasPartialText ? l10n.t('The reply was cut off') : l10n.t('The service reported an error'),
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
    technical,
    ...ofRequest(failure),
  };
}

/** Sent right away instead of a reply: the service did nothing, whatever its status. */
function refusalProblem(
  failure: StreamErrorFailure,
  kind: NonNullable<ReturnType<typeof refusalIn>>,
  context: ProblemContext,
): ProblemDraft {
  const said = { ...failure, body: 'json' as const };
  if (kind === 'rateLimited') return rateLimitedProblem({ ...said, kind, status: 429 }, context);
  return httpProblem({ ...said, kind, status: 200 }, context);
}

/** The service accepted the request, but returned something that Parlance can't use. */
export function unsupportedProblem(failure: UnsupportedFailure, context: ProblemContext): ProblemDraft {
  const job = inline(failure.jobId, 100);
  return {
    title: l10n.t("Delayed results aren't supported"),
    detail: [
      l10n.t("The service queued the request as job {0}. Parlance can't retrieve queued results.", job),
      l10n.t("The result might be on the service's own pages."),
      kept(context),
      mayBeCharged(context),
    ],
    actions: ['openInferenceLogPage', 'selectModel', 'showLog'],
    technical: inline(failure.jobStatus, 64),
    ...ofRequest(failure),
  };
}
