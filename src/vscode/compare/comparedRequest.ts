import * as vscode from 'vscode';
import { type CompareStart, type NoQuestion, startOfRequest } from '../../core/compare/startOfRequest.ts';
import { requestIn } from '../requests/requestIn.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';

/**
 * The question of a request, or the reason why it can't be asked again, in words. Undefined for anything but a row of
 * the Requests view.
 */
export async function comparedRequest(
  row: unknown,
  history: Pick<RequestHistory, 'bodies'>,
): Promise<{ readonly start: CompareStart } | { readonly refused: string } | undefined> {
  const request = requestIn(row);
  if (request === undefined) return undefined;
  const { id, model } = request;
  const start = startOfRequest((await history.bodies(id)).request, model);
  return typeof start === 'string' ? { refused: refusalText(start) } : { start };
}

function refusalText(reason: NoQuestion): string {
  switch (reason) {
    case 'noContent':
      return vscode.l10n.t("The content of this request isn't saved, so it can't be compared.");
    case 'noImages':
      return vscode.l10n.t("The images of this request weren't saved, so it can't be compared.");
    case 'noQuestion':
      return vscode.l10n.t("This request doesn't end with a question, so it can't be compared.");
  }
}
