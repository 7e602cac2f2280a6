import * as l10n from '@vscode/l10n';
import type { HttpFailure, RateLimitedFailure, StreamErrorFailure, UnsupportedFailure } from '../shared/apiFailure.ts';
import type { ProblemActionKind } from '../shared/problem.ts';
import {
  inline,
  kept,
  mayBeCharged,
  type ProblemContext,
  type ProblemDraft,
  quoted,
  tried,
  wait,
} from './problemDraft.ts';

const parameterFields: ReadonlySet<string> = new Set(['max_tokens', 'temperature', 'top_p', 'stream']);

/** The service answered with a status that says no. */
export function httpProblem(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  return { technical: statusLine(failure), ...ofRequest(failure), ...httpWords(failure, context) };
}

function httpWords(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const says = quoted(failure.message);
  const model = modelName(context);
  switch (failure.kind) {
    case 'badRequest':
      return badRequest(failure, context);
    case 'unauthorized':
      return {
        title: l10n.t('The API key was not accepted'),
        detail: [
          context.keySource === 'environment'
            ? l10n.t('The service refused the key from the environment variable SERVICE_API_KEY.')
            : l10n.t('The service refused the key. It may be mistyped, expired or removed.'),
          kept(context),
          context.pages.keys === undefined
            ? l10n.t('Set a valid key, then retry.')
            : l10n.t('Copy a valid key from the keys page, set it, then retry.'),
        ],
        actions: ['setApiKey', 'openKeysPage', 'retry'],
      };
    case 'outOfCredits':
      return {
        severity: 'warning',
        title: l10n.t('Out of credits'),
        detail: [
          model === undefined
            ? l10n.t('The account has no credits left for this request.')
            : l10n.t('The account has no credits left for {0}.', model),
          kept(context),
          l10n.t('Add credits, then retry, or choose a model that costs less.'),
        ],
        // Without the page there is no way from here to more credits: what can be done here comes first.
        actions:
          context.pages.credits === undefined
            ? ['selectModel', 'retry', 'showLog']
            : ['openCreditsPage', 'selectModel', 'retry'],
      };
    case 'forbidden':
      return {
        title: l10n.t('This account may not use the model'),
        detail: [
          model === undefined
            ? l10n.t('The key is good, but it gives no access to this model.')
            : l10n.t('The key is good, but it gives no access to {0}.', model),
          says,
          kept(context),
          l10n.t('Choose another model, or use a key that has access.'),
        ],
        actions: ['selectModel', 'setApiKey', 'openKeysPage', 'retry'],
      };
    case 'modelNotFound':
      return modelNotFound(failure, context);
    case 'contextTooLong':
      return {
        title: l10n.t('Too long for this model'),
        detail: [
          model === undefined
            ? l10n.t('The conversation does not fit into the model’s context window.')
            : l10n.t('The conversation does not fit into the context window of {0}.', model),
          says,
          kept(context),
          l10n.t('Choose a model with a larger window, start a new chat, or shorten the message.'),
        ],
        actions: ['selectModel', 'newChat', 'openParameters'],
      };
    case 'serverError':
      return {
        title: l10n.t('The service had an internal error'),
        detail: [
          l10n.t('The fault is on the service’s side and often passes.'),
          tried(context),
          kept(context),
          mayBeCharged(context),
        ],
        actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
    case 'backendUnavailable':
      return {
        title: l10n.t('The model’s provider is not available'),
        detail: [
          model === undefined
            ? l10n.t('The service is up, but the provider behind the model is not answering it.')
            : l10n.t('The service is up, but the provider behind {0} is not answering it.', model),
          tried(context),
          kept(context),
          l10n.t('Retry in a while, or choose a model of another provider.'),
        ],
        actions: ['retry', 'selectModel', 'showLog'],
      };
    case 'backendTimeout':
      return {
        title: l10n.t('The model’s provider took too long'),
        detail: [
          l10n.t('The service gave up waiting for the provider.'),
          tried(context),
          kept(context),
          mayBeCharged(context),
        ],
        actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
    case 'unexpectedStatus':
      return unexpectedStatus(failure, context);
  }
}

function badRequest(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const param = failure.param === undefined ? undefined : inline(failure.param, 64);
  return {
    title: l10n.t('The service did not accept the request'),
    detail: [
      param === undefined || param === ''
        ? l10n.t('Something in the request is not valid.')
        : l10n.t('The field {0} is missing or not valid.', param),
      quoted(failure.message),
      kept(context),
    ],
    actions: badRequestActions(failure.param),
  };
}

function badRequestActions(param: string | undefined): readonly ProblemActionKind[] {
  if (param !== undefined && parameterFields.has(param)) {
    return ['openParameters', 'retry', 'showLog'];
  }
  if (param === 'model') {
    return ['selectModel', 'retry', 'showLog'];
  }
  return ['retry', 'openParameters', 'selectModel', 'showLog'];
}

function modelNotFound(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const model = modelName(context);
  // A wrong base path also gives 404: only the service's own words make it the model for sure.
  const certain = failure.code === 'model_not_found' || failure.param === 'model';
  return {
    title: certain ? l10n.t('Model not found') : l10n.t('Not found at this address'),
    detail: [
      model === undefined
        ? l10n.t('The service does not have this model, or it is not available now.')
        : l10n.t('The service does not have {0}, or it is not available now.', model),
      certain ? undefined : l10n.t('If every model fails like this, the base address may have a wrong path.'),
      certain ? undefined : quoted(failure.message),
      kept(context),
    ],
    actions: certain
      ? ['useModel', 'selectModel', 'retry']
      : ['useModel', 'selectModel', 'setBaseUrl', 'retry', 'showLog'],
  };
}

function unexpectedStatus(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const passing = failure.status >= 500 || failure.status === 408 || failure.status === 425;
  return {
    title: l10n.t('The service answered with status {0}', failure.status),
    detail: [
      passing
        ? l10n.t('This is a fault on the service’s side or on the way to it, and it often passes.')
        : l10n.t('The service does not list this answer. The base address may not be the right one.'),
      quoted(failure.message),
      tried(context),
      kept(context),
    ],
    actions: passing ? ['retry', 'selectModel', 'showLog'] : ['setBaseUrl', 'retry', 'showLog'],
  };
}

export function rateLimitedProblem(failure: RateLimitedFailure, context: ProblemContext): ProblemDraft {
  const waitMs = failure.retryAfterMs;
  return {
    title: l10n.t('Too many requests'),
    detail: [
      waitMs === undefined
        ? l10n.t('The service’s rate limit is reached. Wait a little, then retry.')
        : l10n.t('The service asks to wait {0} before the next request.', wait(waitMs)),
      tried(context),
      kept(context),
    ],
    actions: ['retry', 'selectModel', 'showLog'],
    technical: statusLine(failure),
    ...ofRequest(failure),
    ...(waitMs === undefined ? {} : { retryAt: context.now + waitMs }),
  };
}

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
    title: l10n.t('The service answers later, which is not supported'),
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

function modelName(context: ProblemContext): string | undefined {
  return context.model === undefined || context.model === '' ? undefined : inline(context.model, 100);
}

function statusLine(failure: { readonly status: number; readonly code?: string; readonly type?: string }): string {
  return `${failure.status} ${inline(failure.code ?? failure.type ?? '', 64)}`.trimEnd();
}

function ofRequest(failure: { readonly requestId?: string }): { readonly requestId?: string } {
  return failure.requestId === undefined ? {} : { requestId: failure.requestId };
}
