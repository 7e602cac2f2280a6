import * as l10n from '@vscode/l10n';
import type { NoApiFailure } from '../../shared/apiFailure.ts';
import { ofRequest, statusLine } from './answerWords.ts';
import { kept, type ProblemContext, type ProblemDraft, quoted } from './problemDraft.ts';

/** A path that neither API has. If chat works, the base URL is correct. */
export function noApiProblem(failure: NoApiFailure, context: ProblemContext): ProblemDraft {
  if (failure.what === 'models') return noModelListProblem(failure, context);
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

/** A model list is helpful but optional: services can reply to chats without one. */
function noModelListProblem(failure: NoApiFailure, context: ProblemContext): ProblemDraft {
  return {
    title: l10n.t('The service has no model list'),
    detail: [
      l10n.t('You can still use its models: select one by typing its ID.'),
      quoted(failure.message),
      kept(context),
      l10n.t('If chats fail too, check the base URL.'),
    ],
    actions: ['selectModel', 'setBaseUrl', 'retry', 'showLog'],
    technical: statusLine(failure),
    ...ofRequest(failure),
  };
}

function lackOf(what: Exclude<NoApiFailure['what'], 'models'>): string {
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
