import * as vscode from 'vscode';
import { markdownText } from '../../core/markdownText.ts';
import type { RequestDigest } from '../../core/requestDigest.ts';
import type { LoggedRequest } from '../../core/requestLog.ts';
import { usageOn } from '../../core/usageView.ts';
import { todayLine } from '../../core/usageWords.ts';
import { DisposableList } from '../disposables.ts';
import { localDay } from '../requests/localDay.ts';
import type { StatusItem } from './statusItem.ts';
import { replyFacts } from './statusText.ts';

// The sums are read from disk: not at each of several requests that end together.
const sumDelayMs = 500;

export interface StatusDeps {
  readonly history: {
    /** What is known without reading the disk. */
    known(): Iterable<LoggedRequest>;
    digest(): Promise<RequestDigest>;
    readonly onDidChangeRequests: (listener: () => void) => vscode.Disposable;
  };
  readonly item: Pick<StatusItem, 'tell'>;
  readonly onError: (error: unknown) => void;
}

/** Tells the item in the status bar of the requests of this window. */
export function watchStatus({ history, item, onError }: StatusDeps): vscode.Disposable {
  const own = new DisposableList();
  let today: string | undefined;
  let ended = 0;
  let timer: NodeJS.Timeout | undefined;
  own.add({ dispose: () => clearTimeout(timer) });
  own.add(history.onDidChangeRequests(tell));
  return own;

  function tell(): void {
    const requests = [...history.known()].filter(({ pid }) => pid === process.pid);
    const running = requests.filter(({ end }) => end === undefined).length;
    const last = requests.filter(isReply).toSorted((a, b) => b.at - a.at)[0];
    item.tell({ isRunning: running > 0, lines: lines(last) });
    // Nothing is read from disk before something was asked in this window.
    if (requests.length - running > ended) sumLater();
    ended = requests.length - running;
  }

  function lines(last: LoggedRequest | undefined): readonly string[] {
    const facts = last?.end === undefined ? '' : replyFacts(last.end.metrics);
    return [
      facts === '' ? undefined : vscode.l10n.t('Last reply: {0}', `${facts} (${markdownText(last?.model ?? '')})`),
      today,
    ].filter((line) => line !== undefined);
  }

  async function sum(): Promise<void> {
    today = todayLine(usageOn(await history.digest(), localDay(Date.now())));
    if (!own.disposed) tell();
  }

  function sumLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      sum().catch(onError);
    }, sumDelayMs);
  }
}

function isReply({ operation, end }: LoggedRequest): boolean {
  return (operation === 'chat' || operation === 'multimodalChat') && end !== undefined && end.outcome !== 'failed';
}
