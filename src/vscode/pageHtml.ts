import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** A page's options: scripts, and files from our own folder alone. */
export function pageOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
  };
}

/**
 * A page's document: `<name>.js` and `<name>.css` of the bundle, and the element `parlance-<name>` to
 * draw in. Nothing that is to be shown is in it: that comes by message.
 */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (file: string) =>
    escapeAttribute(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file)).toString());
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "img-src 'none'",
    "media-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  const bundle = vscode.l10n.bundle === undefined ? '' : JSON.stringify(vscode.l10n.bundle);
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset('codicon.css')}">
<link rel="stylesheet" href="${asset(`${name}.css`)}">
<title>Parlance</title>
</head>
<body data-l10n="${escapeAttribute(bundle)}">
<div id="parlance-${name}"></div>
<script type="module" nonce="${nonce}" src="${asset(`${name}.js`)}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
