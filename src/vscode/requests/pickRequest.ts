import * as vscode from 'vscode';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { requestFacts, requestName, requestTitle } from '../../core/requests/requestWords.ts';
import { momentText } from '../../words/moment.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { RequestHistory } from './requestHistory.ts';

const mostRows = 200;

/** Asks for one of the newest requests that fit. Undefined if the user cancels, or there are none, which is shown. */
export async function pickRequest(
  history: Pick<RequestHistory, 'requests' | 'stateOf'>,
  fits: (request: LoggedRequest) => boolean = () => true,
  title = vscode.l10n.t('Select Request'),
): Promise<LoggedRequest | undefined> {
  const rows = (await history.requests())
    .filter(fits)
    .slice(0, mostRows)
    .map((request) => ({
      label: requestTitle(request),
      description: momentText(request.at),
      detail: [requestName(request), requestFacts(request, history.stateOf(request))].join(' · '),
      request,
    }));
  if (rows.length === 0) {
    void plainWindow.showInformationMessage(vscode.l10n.t('No matching requests yet.'));
    return undefined;
  }
  return (await plainWindow.showQuickPick(rows, { title, matchOnDescription: true, matchOnDetail: true }))?.request;
}
