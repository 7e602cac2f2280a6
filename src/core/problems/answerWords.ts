import * as l10n from '@vscode/l10n';
import type { HttpFailure } from '../../shared/apiFailure.ts';
import { type ProblemContext, quoted } from './problemDraft.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { inline } from '../../words/inline.ts';

/** The requested model, on one line. */
export function modelName(context: ProblemContext): string | undefined {
  return context.model === undefined || context.model === '' ? undefined : inline(modelLabel(context.model), 100);
}

/** Many services repeat the status as their code, which is shown only once. */
export function statusLine({ status, code, type }: Pick<HttpFailure, 'status' | 'code' | 'type'>): string {
  const name = [code, type].find((each) => each !== undefined && each !== String(status)) ?? '';
  return `${status} ${inline(name, 64)}`.trimEnd();
}

/** The text that arrived with the status, or the title of the page that arrived instead. */
export function returned({ message, body }: Pick<HttpFailure, 'message' | 'body'>): string | undefined {
  const text = inline(message);
  if (body !== 'page' || text === '') return quoted(message);
  return l10n.t('The page title is "{0}".', text);
}

/** The request ID, if the response had one. */
export function ofRequest(failure: { readonly requestId?: string }): { readonly requestId?: string } {
  return failure.requestId === undefined ? {} : { requestId: failure.requestId };
}
