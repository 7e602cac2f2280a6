import * as vscode from 'vscode';
import type { panelTypes } from '../settings/contributions.ts';

/** What tells a tab of ours from the others, in a light and in a dark theme. */
export function tabIcon(
  extensionUri: vscode.Uri,
  panel: keyof typeof panelTypes,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', 'tab', `${panel}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
