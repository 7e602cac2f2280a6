import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { givesReply } from '../../core/requests/requestOperations.ts';
import { markdownText } from '../../core/safety/markdownText.ts';
import type { LoggedRequest } from '../../core/requests/requestLog.ts';
import { DisposableList } from '../platform/disposables.ts';
import { serviceNamesKey, type StatusItem } from './statusItem.ts';
import { TodayUsage, type TodayUsageDeps } from './todayUsage.ts';
import { marksExplained } from '../../words/figureMark.ts';
import { speedText } from '../../words/replySpeed.ts';
import { formerServiceNames, modelLabel, serviceNames, watchServiceNames } from '../../words/modelLabel.ts';

export interface StatusDeps {
  readonly history: TodayUsageDeps['history'] & {
    /** Those of this window. */
    own(): readonly LoggedRequest[];
    isWithheld(request: LoggedRequest): boolean;
    readonly onDidChangeRequests: (listener: () => void) => vscode.Disposable;
  };
  readonly item: Pick<StatusItem, 'tell' | 'nameServices'>;
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly onError: (error: unknown) => void;
}

/** Updates the status bar item with the requests of this window, and with today's usage by all windows. */
export function watchStatus({ history, item, state, onError }: StatusDeps): vscode.Disposable {
  const own = new DisposableList();
  const today = own.add(new TodayUsage({ history, onDidChange: tell, onError }));
  own.add(history.onDidChangeRequests(tell));
  own.add(vscode.window.onDidChangeWindowState(() => today.checkDay()));
  own.add({ dispose: watchServiceNames(nameServices) });
  nameServices();
  return own;

  function nameServices(): void {
    const names = [serviceNames(), formerServiceNames()] as const;
    item.nameServices(...names);
    if (isDeepStrictEqual(state.get(serviceNamesKey), names)) return;
    state.update(serviceNamesKey, names).then(undefined, onError);
  }

  function tell(): void {
    const requests = history.own();
    const isRunning = requests.some(({ end }) => end === undefined);
    const last = requests
      .filter((request) => isReply(request) && !history.isWithheld(request))
      .toSorted((a, b) => b.at - a.at)[0];
    const told = lines(last);
    item.tell({ isRunning, lines: told, notes: marksExplained(...told) });
  }

  function lines(last: LoggedRequest | undefined): readonly string[] {
    const facts = last?.end === undefined ? '' : speedText(last.end.metrics);
    return [
      facts === ''
        ? undefined
        : vscode.l10n.t('Last reply: {0}', `${facts} (${markdownText(modelLabel(last?.model ?? ''))})`),
      today.line,
    ].filter((line) => line !== undefined);
  }
}

function isReply(request: LoggedRequest): boolean {
  return givesReply(request) && request.end !== undefined && request.end.outcome !== 'failed';
}
