import * as l10n from '@vscode/l10n';
import type { ApiFailure, EmptyAnswerFailure, MalformedFailure, TooLargeFailure } from '../../shared/apiFailure.ts';
import type { Problem, ProblemAction, ProblemActionKind } from '../../shared/problem.ts';
import { streamErrorProblem, unsupportedProblem } from './brokenReplyProblems.ts';
import {
  connectionLostProblem,
  networkProblem,
  notTheServiceProblem,
  proxyAuthProblem,
  redirectedProblem,
  timeoutProblem,
  tlsProblem,
} from './connectionProblems.ts';
import { attachmentLostProblem } from './attachmentProblems.ts';
import { downloadProblem } from './downloadProblem.ts';
import { httpProblem, rateLimitedProblem } from './httpProblem.ts';
import { noApiProblem } from './noApiProblem.ts';
import { kept, mayBeCharged, type ProblemContext, type ProblemDraft } from './problemDraft.ts';
import { bytesText } from '../../words/bytes.ts';
import { inline } from '../../words/inline.ts';
import { noModelsProblem, setupProblem } from './setupProblem.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { tokenLimitText } from '../../words/tokens.ts';

export type { ProblemContext } from './problemDraft.ts';

/** Describes a failure for users: what happened, what was kept, and the next step as the first action. */
export function problemOf(failure: ApiFailure, context: ProblemContext): Problem {
  return finished(draftOf(failure, context), context);
}

/** An empty model list: no request failed, and yet nothing can be asked. */
export function problemOfNoModels(context: ProblemContext): Problem {
  return finished(noModelsProblem(context), context);
}

function finished(draft: ProblemDraft, context: ProblemContext): Problem {
  return {
    severity: draft.severity ?? 'error',
    title: draft.title,
    detail: draft.detail.filter((sentence) => sentence !== undefined).join(' '),
    actions: draft.actions.flatMap((kind) => actionOf(kind, context)),
    technical: draft.technical ?? '',
    ...(draft.requestId === undefined ? {} : { requestId: inline(draft.requestId, 128) }),
    ...(draft.retryAt === undefined ? {} : { retryAt: draft.retryAt }),
  };
}

function draftOf(failure: ApiFailure, context: ProblemContext): ProblemDraft {
  switch (failure.kind) {
    case 'badRequest':
    case 'unauthorized':
    case 'outOfCredits':
    case 'forbidden':
    case 'modelNotFound':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'noImageInput':
    case 'notReady':
    case 'unavailable':
    case 'serverError':
    case 'backendUnavailable':
    case 'backendTimeout':
    case 'unexpectedStatus':
      return httpProblem(failure, context);
    case 'rateLimited':
      return rateLimitedProblem(failure, context);
    case 'proxyAuthRequired':
      return proxyAuthProblem(context);
    case 'redirected':
      return redirectedProblem(failure, context);
    case 'network':
      return networkProblem(failure, context);
    case 'tls':
      return tlsProblem(failure, context);
    case 'timeout':
      return timeoutProblem(failure, context);
    case 'connectionLost':
      return connectionLostProblem(failure, context);
    case 'streamError':
      return streamErrorProblem(failure, context);
    case 'malformed':
      return malformedProblem(failure, context);
    case 'notTheService':
      return notTheServiceProblem(failure, context);
    case 'emptyAnswer':
      return emptyAnswerProblem(failure, context);
    case 'tooLarge':
      return tooLargeProblem(failure, context);
    case 'unsupported':
      return unsupportedProblem(failure, context);
    case 'noApi':
      return noApiProblem(failure, context);
    case 'download':
      return downloadProblem(failure, context);
    case 'setup':
      return setupProblem(failure, context);
    case 'attachmentLost':
      return attachmentLostProblem(failure, context);
    case 'unexpected':
      return {
        title: l10n.t('Something went wrong in Parlance'),
        detail: [l10n.t('This is a bug in Parlance. See the log for details.'), kept(context)],
        actions: ['showLog', 'retry'],
      };
  }
}

function malformedProblem(failure: MalformedFailure, context: ProblemContext): ProblemDraft {
  const sample = inline(failure.sample, 200);
  return {
    title: l10n.t("Couldn't read the response"),
    detail: [
      failure.where === 'event'
        ? l10n.t("Part of the response isn't in the expected format.")
        : l10n.t("The response isn't in the expected format."),
      sample === '' ? undefined : l10n.t('It begins: "{0}"', sample),
      kept(context),
      mayBeCharged(context),
    ],
    actions: context.hasPartialText ? ['continue', 'retry', 'showLog'] : ['retry', 'selectModel', 'showLog'],
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
  };
}

function emptyAnswerProblem(failure: EmptyAnswerFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('The response was empty'),
    detail: [
      l10n.t('The service reported success but returned an empty response.'),
      kept(context),
      mayBeCharged(context),
    ],
    actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
    technical: String(failure.status),
    ...(failure.requestId === undefined ? {} : { requestId: failure.requestId }),
  };
}

function tooLargeProblem(failure: TooLargeFailure, context: ProblemContext): ProblemDraft {
  const limit = bytesText(failure.limitBytes);
  switch (failure.what) {
    case 'reply':
      return {
        severity: 'warning',
        title: l10n.t('The reply is too long'),
        detail: [l10n.t('Parlance stopped the reply at {0} to keep VS Code responsive.', limit), kept(context)],
        actions: ['continue', 'openParameters', 'retry'],
      };
    case 'event':
      return {
        title: l10n.t("Couldn't read the response"),
        detail: [l10n.t('A single part of the response is larger than {0}.', limit), kept(context)],
        actions: context.hasPartialText ? ['continue', 'retry', 'showLog'] : ['retry', 'selectModel', 'showLog'],
      };
    case 'body':
      return {
        title: l10n.t('The response is too large'),
        detail: [
          l10n.t("It's over {0}, more than any response of this kind should be. Check the base URL.", limit),
          kept(context),
        ],
        actions: ['setBaseUrl', 'retry', 'showLog'],
      };
  }
}

/** The action as a button, or nothing if it makes no sense here. */
function actionOf(kind: ProblemActionKind, context: ProblemContext): readonly ProblemAction[] {
  const during = context.during ?? 'chat';
  const action = (label: string): readonly ProblemAction[] => [{ kind, label }];
  const inChat = (label: string): readonly ProblemAction[] => (during === 'chat' ? action(label) : []);
  const toPage = (page: string | undefined, label: string): readonly ProblemAction[] =>
    page === undefined ? [] : action(label);
  switch (kind) {
    case 'retry':
      return retryIn(during);
    case 'continue':
      return inChat(l10n.t('Continue'));
    case 'setApiKey':
      return action(l10n.t('Set API Key…'));
    case 'setBaseUrl':
      return action(l10n.t('Set Base URL…'));
    case 'findLocalServices':
      return action(l10n.t('Find Local Services'));
    case 'useKeyForThisHost':
      return action(l10n.t('Use Key Here'));
    case 'useHttps':
      return action(l10n.t('Use https://'));
    case 'useNoKey':
      return action(l10n.t('Use No Key'));
    case 'openKeysPage':
      return toPage(context.pages.keys, l10n.t('Open Keys Page'));
    case 'openCreditsPage':
      return toPage(context.pages.credits, l10n.t('Open Credits Page'));
    case 'openInferenceLogPage':
      return toPage(context.pages.inferenceLog, l10n.t('Open Inference Log'));
    case 'selectModel':
      // In the Models view itself, selecting another model doesn't help.
      return during === 'catalog'
        ? []
        : action(context.model ? l10n.t('Select Another Model…') : l10n.t('Select Model…'));
    case 'useModel':
      return during === 'chat' || during === 'media' ? offered(context).map((each) => ({ kind, ...each })) : [];
    case 'openParameters':
      return inChat(l10n.t('Change Parameters…'));
    case 'changeField':
      // For a form, which knows its fields.
      return [];
    case 'newChat':
      return inChat(l10n.t('New Chat'));
    case 'summarize':
      return context.waysOut?.canSummarize === true ? action(l10n.t('Summarize in New Chat')) : [];
    case 'leaveOutEarliest':
      return context.waysOut?.canLeaveOut === true ? action(l10n.t('Exclude Earliest Messages')) : [];
    case 'testConnection':
      return action(l10n.t('Test Connection'));
    case 'openProxySettings':
      return action(l10n.t('Open Proxy Settings'));
    case 'openSettings':
      return action(l10n.t('Open Settings'));
    case 'showLog':
      return action(l10n.t('Show Log'));
  }
}

/** Models with more room, or those with similar IDs. */
function offered({ model, closestModels, waysOut }: ProblemContext): readonly Omit<Required<ProblemAction>, 'kind'>[] {
  if (waysOut !== undefined) {
    return waysOut.larger.map(({ id, contextWindow }) => ({
      label: l10n.t('Use {0} ({1})', inline(modelLabel(id), 80), tokenLimitText(contextWindow)),
      model: id,
    }));
  }
  return (model === undefined ? [] : (closestModels?.(model) ?? [])).map((each) => ({
    label: l10n.t('Use {0}', inline(modelLabel(each), 80)),
    model: each,
  }));
}

function retryIn(during: NonNullable<ProblemContext['during']>): readonly ProblemAction[] {
  switch (during) {
    case 'chat':
    case 'catalog':
      return [{ kind: 'retry', label: l10n.t('Retry') }];
    case 'connectionTest':
      return [{ kind: 'testConnection', label: l10n.t('Test Again') }];
    case 'media':
    case 'command':
      return [];
  }
}
