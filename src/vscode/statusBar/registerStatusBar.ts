import * as vscode from 'vscode';
import { markdownText } from '../../core/markdownText.ts';
import type { RequestDigest } from '../../core/requestDigest.ts';
import type { LoggedRequest } from '../../core/requestLog.ts';
import { usageOn } from '../../core/usageView.ts';
import { todayLine } from '../../core/usageWords.ts';
import { commandIds } from '../contributions.ts';
import { DisposableList } from '../disposables.ts';
import type { Log } from '../log.ts';
import { localDay } from '../requests/localDay.ts';
import type { Setting } from '../setting.ts';
import { replyFacts, shortModelName } from './statusText.ts';

// The sums are read from disk: not at each of several requests that end together.
const sumDelayMs = 500;
/** Among other extensions' items, left of the editor's own. */
const priority = 50;

export interface StatusBarDeps {
  readonly history: {
    /** What is known without reading the disk. */
    known(): Iterable<LoggedRequest>;
    digest(): Promise<RequestDigest>;
    readonly onDidChangeRequests: (listener: () => void) => vscode.Disposable;
  };
  /** The model of new conversations. */
  readonly model: Pick<Setting<string>, 'value' | 'onDidChange'>;
  readonly log: Log;
}

/** One item on the right: the model, whether something runs, and at a glance how fast it was. */
export function registerStatusBar(deps: StatusBarDeps): vscode.Disposable {
  const own = new DisposableList();
  const item = own.add(vscode.window.createStatusBarItem('parlance.status', vscode.StatusBarAlignment.Right, priority));
  item.name = 'Parlance';
  item.command = commandIds.selectModel;
  let today: string | undefined;
  let ended = 0;
  let timer: NodeJS.Timeout | undefined;
  own.add({ dispose: () => clearTimeout(timer) });
  own.add(deps.model.onDidChange(draw));
  own.add(deps.history.onDidChangeRequests(draw));
  draw();
  item.show();
  return own;

  function draw(): void {
    const requests = [...deps.history.known()].filter(({ pid }) => pid === process.pid);
    const running = requests.filter(({ end }) => end === undefined).length;
    const last = requests.filter(isReply).toSorted((a, b) => b.at - a.at)[0];
    const model = deps.model.value.trim();
    const name = model === '' ? vscode.l10n.t('Select Model') : shortModelName(model);
    item.text = `$(${running > 0 ? 'loading~spin' : 'comment-discussion'}) ${name}`;
    item.tooltip = tooltip(model, last);
    const state = running > 0 ? vscode.l10n.t('a request is running') : vscode.l10n.t('idle');
    item.accessibilityInformation = { label: vscode.l10n.t('Parlance: {0}, {1}', name, state), role: 'button' };
    // Nothing is read from disk before something was asked in this window.
    if (requests.length - running > ended) sumLater();
    ended = requests.length - running;
  }

  function tooltip(model: string, last: LoggedRequest | undefined): vscode.MarkdownString {
    const facts = last?.end === undefined ? '' : replyFacts(last.end.metrics);
    const lines = [
      model === '' ? vscode.l10n.t('No model is chosen for new conversations.') : `**${markdownText(model)}**`,
      facts === '' ? undefined : vscode.l10n.t('Last reply: {0}', `${facts} (${markdownText(last?.model ?? '')})`),
      today,
      vscode.l10n.t('Click to pick a model.'),
    ];
    return new vscode.MarkdownString(lines.filter((line) => line !== undefined).join('\n\n'));
  }

  async function sum(): Promise<void> {
    today = todayLine(usageOn(await deps.history.digest(), localDay(Date.now())));
    if (!own.disposed) draw();
  }

  function sumLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      sum().catch((error: unknown) => deps.log.error('The usage of today', error));
    }, sumDelayMs);
  }
}

function isReply({ operation, end }: LoggedRequest): boolean {
  return (operation === 'chat' || operation === 'multimodalChat') && end !== undefined && end.outcome !== 'failed';
}
