import * as vscode from 'vscode';
import { type CheckCell, cellCount } from '../../../core/checks/checkResult.ts';

/** `3/3`, `flaky 2/3`, `0/3`, or that it couldn't be run. */
export function checkCellText(cell: CheckCell): string {
  const { state, passed, counted } = cellCount(cell.attempts);
  const share = `${passed}/${counted}`;
  if (state === 'undecided')
    return counted === 0 ? vscode.l10n.t("couldn't run") : vscode.l10n.t("{0}, the rest couldn't run", share);
  return state === 'flaky' ? vscode.l10n.t('flaky {0}', share) : share;
}
