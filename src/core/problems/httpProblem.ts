import * as l10n from '@vscode/l10n';
import { isAboutModel } from '../../api/wire/errorCodes.ts';
import type { HttpFailure, RateLimitedFailure } from '../../shared/apiFailure.ts';
import { refParts } from '../../shared/modelRef.ts';
import { modelName, ofRequest, returned, statusLine } from './answerWords.ts';
import { kept, mayBeCharged, type ProblemContext, type ProblemDraft, tried } from './problemDraft.ts';
import { waitText } from '../../words/duration.ts';
import { badRequest, modelNotFound, unexpectedStatus } from './rejectionProblems.ts';

/** The service refused with an error status. */
export function httpProblem(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  return { technical: statusLine(failure), ...ofRequest(failure), ...httpWords(failure, context) };
}

/** By its ID alone. */
function namesModel({ message }: HttpFailure, { model }: ProblemContext): boolean {
  return model !== undefined && model !== '' && message.includes(refParts(model).model);
}

function httpWords(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const says = returned(failure);
  const model = modelName(context);
  switch (failure.kind) {
    case 'badRequest':
      return badRequest(failure, context);
    case 'unauthorized':
      if (failure.isKeyless === true) return keyNeeded(failure, context);
      return {
        title: l10n.t("The API key wasn't accepted"),
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
        // Without a credits page, Parlance can't show where to add credits, so what can be done here comes first.
        actions:
          context.pages.credits === undefined
            ? ['selectModel', 'retry', 'showLog']
            : ['openCreditsPage', 'selectModel', 'retry'],
      };
    case 'forbidden':
      if (failure.isKeyless === true) return keyNeeded(failure, context);
      if (!isAboutModel(failure) && !namesModel(failure, context)) {
        return {
          title: l10n.t('The service rejected the request'),
          detail: [says, kept(context), l10n.t('Select another model, or use a key that has access.')],
          actions: ['setApiKey', 'openKeysPage', 'selectModel', 'retry', 'showLog'],
        };
      }
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
          context.waysOut?.canLeaveOut === true
            ? l10n.t(
                'Select a model with a larger context window, summarize the conversation in a new chat, or exclude its earliest messages, then retry.',
              )
            : l10n.t('Select a model with a larger context window, start a new chat, or shorten the message.'),
        ],
        actions: waysOutOf(context),
      };
    case 'requestTooLarge':
      return {
        title: l10n.t('The request is too large'),
        detail: [
          context.isUpload === true
            ? l10n.t('The file is too large for the server.')
            : l10n.t("The server doesn't accept requests of this size."),
          says,
          kept(context),
          context.isUpload === true
            ? l10n.t('Use a smaller file, then try again.')
            : l10n.t('Remove attachments, or start a new chat.'),
        ],
        actions: ['newChat', 'selectModel', 'retry', 'showLog'],
      };
    case 'noImageInput':
      return {
        title: l10n.t("This model doesn't support images"),
        detail: [
          model === undefined
            ? l10n.t("The request contains an image, and the model doesn't accept images.")
            : l10n.t("The request contains an image, and {0} doesn't accept images.", model),
          says,
          kept(context),
          l10n.t('Select a model with image input, or start a new chat without images.'),
        ],
        actions: ['selectModel', 'newChat', 'showLog'],
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
        title: l10n.t("The model's provider isn't available"),
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
        title: l10n.t("The model's provider took too long"),
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

/** Retrying only helps once there's less to send. */
function waysOutOf({ waysOut }: ProblemContext): ProblemDraft['actions'] {
  if (waysOut === undefined) return ['selectModel', 'newChat', 'openParameters'];
  if (waysOut.canLeaveOut)
    return ['useModel', 'selectModel', 'summarize', 'leaveOutEarliest', 'retry', 'openParameters'];
  return ['useModel', 'selectModel', 'newChat', ...(waysOut.hasLeftOut ? ['retry' as const] : []), 'openParameters'];
}

/** Refused, and no key had been sent. Only 401 means that a key is missing. */
function keyNeeded(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('API key required'),
    detail: [
      failure.kind === 'forbidden'
        ? l10n.t('The service refused a request without an API key. It probably needs one.')
        : l10n.t('This service needs an API key, and none was sent.'),
      returned(failure),
      kept(context),
      context.pages.keys === undefined
        ? l10n.t('Set an API key, then retry.')
        : l10n.t('Copy a key from the keys page, set it, then retry.'),
    ],
    actions: ['setApiKey', 'openKeysPage', 'retry'],
  };
}

/** The service, or a gateway in front of it, is down. */
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

export function rateLimitedProblem(failure: RateLimitedFailure, context: ProblemContext): ProblemDraft {
  const waitMs = failure.retryAfterMs;
  return {
    title: l10n.t('Too many requests'),
    detail: [
      waitMs === undefined
        ? l10n.t("You've reached the service's rate limit. Wait a moment, then retry.")
        : l10n.t('The service accepts the next request in {0}.', waitText(waitMs)),
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
