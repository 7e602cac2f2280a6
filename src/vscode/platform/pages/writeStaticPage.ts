import * as vscode from 'vscode';
import type { StaticPage } from './staticPage.ts';

/** Writes a page without scripts into its panel. @param html the whole page */
export function writeStaticPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  html: (page: StaticPage) => string,
): void {
  const stylesheet = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'modelDetails.css');
  const written = html({
    language: vscode.env.language,
    cspSource: webview.cspSource,
    stylesheet: webview.asWebviewUri(stylesheet).toString(),
  });
  // Writing the same page again would scroll the reader back to the top.
  if (webview.html !== written) webview.html = written;
}
