import * as l10n from '@vscode/l10n';
import { isUnknownModel } from '../api/errorCodes.ts';
import type {
  HttpFailure,
  NoApiFailure,
  RateLimitedFailure,
  StreamErrorFailure,
  UnsupportedFailure,
} from '../shared/apiFailure.ts';
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
  const says = returned(failure);
  const model = modelName(context);
  switch (failure.kind) {
    case 'badRequest':
      return badRequest(failure, context);
    case 'unauthorized':
      return {
        title: l10n.t('The API key was not accepted'),
        detail: [
          context.keySource === 'environment'
            ? l10n.t('The service rejected the key from the environment variable SERVICE_API_KEY.')
            : l10n.t('The service rejected the key. It might be mistyped, expired, or deleted.'),
          says,
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
            ? l10n.t("Your account doesn't have enough credits for this request.")
            : l10n.t("Your account doesn't have enough credits for {0}.", model),
          says,
          kept(context),
          l10n.t('Add credits, then retry, or select a cheaper model.'),
        ],
        // Without the page there is no way from here to more credits: what can be done here comes first.
        actions:
          context.pages.credits === undefined
            ? ['selectModel', 'retry', 'showLog']
            : ['openCreditsPage', 'selectModel', 'retry'],
      };
    case 'forbidden':
      return {
        title: l10n.t('No access to this model'),
        detail: [
          model === undefined
            ? l10n.t("The service doesn't allow this API key to use the model.")
            : l10n.t("The service doesn't allow this API key to use {0}.", model),
          says,
          kept(context),
          l10n.t('Select another model, or use a key that has access.'),
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
            ? l10n.t("The conversation doesn't fit into the model's context window.")
            : l10n.t("The conversation doesn't fit into the context window of {0}.", model),
          says,
          kept(context),
          l10n.t('Select a model with a larger context window, start a new chat, or shorten the message.'),
        ],
        actions: ['selectModel', 'newChat', 'openParameters'],
      };
    case 'requestTooLarge':
      return {
        title: l10n.t('The request is too large'),
        detail: [
          context.isUpload === true
            ? l10n.t('The file is too large for the server.')
            : l10n.t('The server accepts no request of this size.'),
          says,
          kept(context),
          context.isUpload === true
            ? l10n.t('Use a smaller file, then try again.')
            : l10n.t('Remove attachments, or start a new chat.'),
        ],
        actions: ['newChat', 'selectModel', 'retry', 'showLog'],
      };
    case 'serverError':
      return {
        title: l10n.t('The service had an internal error'),
        detail: [
          failure.body === 'json' && says !== undefined
            ? undefined
            : l10n.t('Errors like this are often temporary, so try again.'),
          says,
          tried(context),
          kept(context),
          mayBeCharged(context),
        ],
        actions: ['retry', 'selectModel', 'openInferenceLogPage', 'showLog'],
      };
    case 'backendUnavailable':
      if (failure.body === 'page') return gatewayOutage(failure, context);
      return {
        title: l10n.t('The model’s provider is not available'),
        detail: [
          model === undefined
            ? l10n.t("The service is running, but the model's provider isn't responding.")
            : l10n.t("The service is running, but the provider of {0} isn't responding.", model),
          says,
          tried(context),
          kept(context),
          l10n.t('Retry in a while, or select a model from another provider.'),
        ],
        actions: ['retry', 'selectModel', 'showLog'],
      };
    case 'notReady':
      return {
        severity: 'warning',
        title: l10n.t('Not ready yet'),
        detail: [
          l10n.t('The server is still loading the model.'),
          says,
          tried(context),
          kept(context),
          l10n.t('Retry in a while.'),
        ],
        actions: ['retry', 'selectModel', 'showLog'],
      };
    case 'unavailable':
      return gatewayOutage(failure, context);
    case 'backendTimeout':
      return {
        title: l10n.t('The model’s provider took too long'),
        detail: [
          failure.body === 'page'
            ? l10n.t('The gateway stopped waiting for the server behind it.')
            : l10n.t("The service stopped waiting for the model's provider."),
          says,
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

/** The service, or what stands in front of it, is down. */
function gatewayOutage(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('The service is unavailable'),
    detail: [
      failure.body === 'page'
        ? l10n.t('The server or a gateway in front of it is down. Outages like this are often short.')
        : l10n.t('The server is overloaded or down. Outages like this are often short.'),
      returned(failure),
      tried(context),
      kept(context),
      l10n.t('Retry in a while.'),
    ],
    actions: ['retry', 'selectModel', 'showLog'],
  };
}

const filterCodes: ReadonlySet<string | undefined> = new Set(['content_filter', 'content_policy_violation']);

function badRequest(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  if (filterCodes.has(failure.code)) {
    return {
      title: l10n.t('Blocked by the content filter'),
      detail: [returned(failure), kept(context), l10n.t('Rephrase the message, or select another model.')],
      actions: ['selectModel', 'retry', 'showLog'],
    };
  }
  const param = failure.param === undefined ? undefined : inline(failure.param, 64);
  return {
    title: l10n.t('The service rejected the request'),
    detail: [
      param === undefined || param === ''
        ? l10n.t("Something in the request isn't valid.")
        : l10n.t("The field {0} is missing or isn't valid.", param),
      returned(failure),
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
  // A wrong path in the base URL gives 404 too: only the service's own words rule that out.
  const isModel = failure.status === 400 || failure.param === 'model' || isUnknownModel(failure);
  const isServiceWord = isModel || (failure.body === 'json' && failure.message !== '');
  return {
    title: isModel ? l10n.t('Model not found') : isServiceWord ? l10n.t('Not found') : l10n.t('Not found at this URL'),
    detail: [
      notFound(model, isModel),
      isServiceWord ? undefined : l10n.t('If this happens with every model, check the base URL.'),
      returned(failure),
      kept(context),
    ],
    actions: isModel
      ? ['useModel', 'selectModel', 'retry']
      : isServiceWord
        ? ['useModel', 'selectModel', 'testConnection', 'retry', 'showLog']
        : ['useModel', 'selectModel', 'setBaseUrl', 'retry', 'showLog'],
  };
}

function notFound(model: string | undefined, isModel: boolean): string {
  if (!isModel) {
    return model === undefined
      ? l10n.t("The service doesn't have this model, or doesn't support this request.")
      : l10n.t("The service doesn't have {0}, or doesn't support this request.", model);
  }
  return model === undefined
    ? l10n.t("The service doesn't have this model, or it isn't available right now.")
    : l10n.t("The service doesn't have {0}, or it isn't available right now.", model);
}

function unexpectedStatus(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const passing = failure.status >= 500 || failure.status === 408 || failure.status === 425;
  const meaning = meaningOf(failure.status, context);
  const isServiceWord = meaning !== undefined || (failure.body === 'json' && failure.message !== '');
  return {
    title: l10n.t('The service answered with status {0}', failure.status),
    detail: [
      passing
        ? l10n.t('Errors like this are often temporary, so try again.')
        : (meaning ??
          (isServiceWord ? undefined : l10n.t("This isn't a response of an inference API. Check the base URL."))),
      returned(failure),
      tried(context),
      kept(context),
    ],
    actions: passing
      ? ['retry', 'selectModel', 'showLog']
      : isServiceWord
        ? ['retry', 'selectModel', 'testConnection', 'showLog']
        : ['setBaseUrl', 'retry', 'showLog'],
  };
}

/** What a status that says no means by itself, whoever answers with it. */
function meaningOf(status: number, context: ProblemContext): string | undefined {
  switch (status) {
    case 409:
      return l10n.t('The request conflicts with another one. Wait a moment, then retry.');
    case 415:
      return context.isUpload === true
        ? l10n.t(
            "The service doesn't accept files uploaded as a form (multipart/form-data), which is how Parlance sends audio.",
          )
        : l10n.t("The service doesn't accept JSON requests in this form.");
    case 451:
      return l10n.t("The service isn't available here for legal reasons.");
    default:
      return undefined;
  }
}

export function rateLimitedProblem(failure: RateLimitedFailure, context: ProblemContext): ProblemDraft {
  const waitMs = failure.retryAfterMs;
  return {
    title: l10n.t('Too many requests'),
    detail: [
      waitMs === undefined
        ? l10n.t("You've reached the service's rate limit. Wait a moment, then retry.")
        : l10n.t('The service accepts the next request in {0}.', wait(waitMs)),
      returned(failure),
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

/** A path that neither API has; where chat works, the base URL is right. */
export function noApiProblem(failure: NoApiFailure, context: ProblemContext): ProblemDraft {
  return {
    title: lackOf(failure.what),
    detail: [
      l10n.t("It doesn't have an API for this, so nothing was charged."),
      quoted(failure.message),
      kept(context),
      l10n.t('Test the connection to see what it supports.'),
    ],
    actions: ['testConnection', 'setBaseUrl', 'showLog'],
    technical: statusLine(failure),
    ...ofRequest(failure),
  };
}

function lackOf(what: NoApiFailure['what']): string {
  switch (what) {
    case 'imageInput':
      return l10n.t("The service doesn't support image input");
    case 'imageGeneration':
      return l10n.t("The service doesn't generate images");
    case 'audio':
      return l10n.t("The service doesn't transcribe audio");
    case 'video':
      return l10n.t("The service doesn't generate videos");
  }
}

function modelName(context: ProblemContext): string | undefined {
  return context.model === undefined || context.model === '' ? undefined : inline(context.model, 100);
}

/** Many services repeat the status as their code: once is enough. */
function statusLine({ status, code, type }: Pick<HttpFailure, 'status' | 'code' | 'type'>): string {
  const name = [code, type].find((each) => each !== undefined && each !== String(status)) ?? '';
  return `${status} ${inline(name, 64)}`.trimEnd();
}

/** The words that came with the status, or the title of the page that came in their place. */
function returned({ message, body }: Pick<HttpFailure, 'message' | 'body'>): string | undefined {
  const text = inline(message);
  if (body !== 'page' || text === '') return quoted(message);
  return l10n.t('The page title is "{0}".', text);
}

function ofRequest(failure: { readonly requestId?: string }): { readonly requestId?: string } {
  return failure.requestId === undefined ? {} : { requestId: failure.requestId };
}
