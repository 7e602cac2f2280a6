import * as vscode from 'vscode';

/**
 * The icon that marks our tabs, for light and dark themes.
 * @param panel its key in `panelTypes`, or the kind of a media form
 */
export function tabIcon(
  extensionUri: vscode.Uri,
  panel: string,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', 'tab', `${panel}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
