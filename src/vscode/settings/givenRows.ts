import * as vscode from 'vscode';

/**
 * The rows that a command from a menu is about. VS Code passes the row that was clicked, or the focused one to a command
 * in the title of a view, and then all selected rows if there are several: for a clicked row only if it's one of them.
 * In the Explorer, rows are URIs. From the Command Palette, it passes nothing.
 * @param given all arguments of the command
 */
export function givenRows(...given: readonly unknown[]): readonly unknown[] {
  const [, selected] = given;
  return Array.isArray(selected) && selected.length > 0 ? selected : given.slice(0, 1);
}

/** Whether one of them was redrawn since its menu was opened: VS Code has forgotten it then, and passes undefined. */
export function isRowLost(rows: readonly unknown[]): boolean {
  return rows.some((row) => row === undefined || row === null);
}

/** For a command that can't ask which row was meant, because its menu might be that of several views. */
export function lostRowText(): string {
  return vscode.l10n.t('The list changed while its menu was open. Select the row again, then retry.');
}
