import * as l10n from '@vscode/l10n';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { connectionActions, type Problem, type ProblemAction, type ProblemActionKind } from '../../shared/problem.ts';
import { diskTrouble } from './diskAdvice.ts';
import { isFree, type ProblemContext } from './problemDraft.ts';

// Actions about a conversation make no sense on a card in the Media view.
export const cardActions = [
  ...connectionActions,
  'openKeysPage',
  'openCreditsPage',
  'openInferenceLogPage',
  'changeField',
  'selectModel',
  'useModel',
  'testConnection',
  'openProxySettings',
  'openSettings',
  'showLog',
] as const satisfies readonly ProblemActionKind[];
const fitting: ReadonlySet<ProblemActionKind> = new Set(cardActions);

/** A problem with the actions that fit a card. Running it again is a button of the card itself. */
export function cardProblem(problem: Problem): Problem {
  return { ...problem, actions: problem.actions.filter(({ kind }) => fitting.has(kind)) };
}

/**
 * Nobody knows how it ended.
 * @param failure what ended the wait; absent if the window was closed.
 * @param cause the same in words.
 */
export function unknownProblem(
  failure: ApiFailure | undefined,
  cause: Problem | undefined,
  context: Pick<ProblemContext, 'pages' | 'host'>,
): Problem {
  const why = cause === undefined ? l10n.t('The window closed before the response arrived.') : `${cause.title}.`;
  return {
    severity: 'warning',
    title: isFree(context) ? l10n.t('Might have been generated') : l10n.t('Might have been generated and charged'),
    detail:
      // Only there is the ID under which it can still be found.
      failure?.kind === 'unsupported' && cause !== undefined
        ? cause.detail
        : `${why} ${l10n.t('The service might have generated it anyway. Parlance never resends it automatically.')}`,
    actions: logPage(context),
    technical: cause?.technical ?? '',
    ...(cause?.requestId !== undefined && { requestId: cause.requestId }),
  };
}

/** The same on one line. @param what the prompt or the model. */
export function unknownNotice(what: string, context: Pick<ProblemContext, 'host'>): string {
  return isFree(context)
    ? l10n.t('Might have been generated: {0}', what)
    : l10n.t('Might have been generated and charged: {0}', what);
}

/** @param unsent true if the service certainly hadn't accepted anything. */
export function stoppedProblem(unsent: boolean, context: Pick<ProblemContext, 'pages' | 'host'>): Problem {
  return {
    severity: 'warning',
    title: l10n.t('Stopped'),
    detail: unsent
      ? l10n.t("The service hadn't accepted it yet, so nothing was charged.")
      : isFree(context)
        ? l10n.t('The request was already sent, so the service might have continued.')
        : l10n.t('The request was already sent, so the service might have continued and charged for it.'),
    actions: unsent ? [] : logPage(context),
    technical: '',
  };
}

/** @param code the system's code, for example `ENOSPC`. */
export function notStartedProblem(code: string): Problem {
  return {
    severity: 'error',
    title: l10n.t('Nothing was sent'),
    detail: whyNotStarted(code),
    actions: [{ kind: 'showLog', label: l10n.t('Show Log') }],
    technical: code,
  };
}

function whyNotStarted(code: string): string {
  if (code === 'ENOENT') return l10n.t('A selected file no longer exists. Select it again.');
  return diskTrouble(code) === 'full'
    ? l10n.t("Couldn't record this run on disk, so it wasn't sent. Free up disk space, then try again.")
    : l10n.t("Couldn't record this run on disk, so it wasn't sent. Make its folder writable, then try again.");
}

function logPage({ pages }: Pick<ProblemContext, 'pages'>): readonly ProblemAction[] {
  return pages.inferenceLog === undefined
    ? []
    : [{ kind: 'openInferenceLogPage', label: l10n.t('Open Inference Log') }];
}
