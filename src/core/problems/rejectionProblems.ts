import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import { isModelOfOtherPath, isModerated, isUnknownModel } from '../../api/wire/errorCodes.ts';
import type { HttpFailure } from '../../shared/apiFailure.ts';
import { optionNames, optionWires } from '../../shared/chat.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import { modelName, returned } from './answerWords.ts';
import { kept, type ProblemContext, type ProblemDraft, tried } from './problemDraft.ts';
import { inline } from '../../words/inline.ts';

/* Statuses that alone don't say what is wrong. The code, the field, and the message do. */

const parameterFields: ReadonlySet<string | null> = new Set(
  optionNames.filter((name) => name !== 'model').map((name) => optionWires[name]),
);
const filterCodes: ReadonlySet<string | undefined> = new Set([
  'content_filter',
  'content_policy_violation',
  'ResponsibleAIPolicyViolation',
  'moderation_blocked',
  'data_inspection_failed',
]);

export function badRequest(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  if (filterCodes.has(failure.code) || isModerated(failure)) {
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

export function modelNotFound(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  if (isModelOfOtherPath(failure)) {
    return {
      title: l10n.t('The service rejected the request'),
      detail: [returned(failure), kept(context)],
      actions: ['selectModel', 'retry', 'showLog'],
    };
  }
  const model = modelName(context);
  // A wrong path in the base URL returns 404 too. Only the service's own message rules that out.
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

function notFound(model: ModelRef | undefined, isModel: boolean): string {
  if (!isModel) {
    return model === undefined
      ? l10n.t("The service doesn't have this model, or doesn't support this request.")
      : l10n.t("The service doesn't have {0}, or doesn't support this request.", model);
  }
  return model === undefined
    ? l10n.t("The service doesn't have this model, or it isn't available right now.")
    : l10n.t("The service doesn't have {0}, or it isn't available right now.", model);
}

export function unexpectedStatus(failure: HttpFailure, context: ProblemContext): ProblemDraft {
  const passing = failure.status >= 500 || failure.status === 408 || failure.status === 425;
  const meaning = meaningOf(failure.status, context);
  const isServiceWord = meaning !== undefined || (failure.body === 'json' && failure.message !== '');
  return {
    title: l10n.t('The service returned status {0}', failure.status),
    detail: [
      passing
        ? l10n.t('Errors like this are often temporary, so try again.')
        : (meaning ??
          (isServiceWord ? undefined : l10n.t("This isn't a response from an inference API. Check the base URL."))),
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

/** What an error status means on its own, no matter who sends it. */
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
