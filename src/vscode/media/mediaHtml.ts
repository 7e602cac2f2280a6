import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The page's options: scripts, and files from our own bundle and the folder of results alone. */
export function mediaWebviewOptions(extensionUri: vscode.Uri, results: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview'), results],
  };
}

/** The page's document. Nothing of a run is in it: that comes by message. */
export function mediaHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (name: string) =>
    escapeAttribute(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString());
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    // Our own files through the webview's own address, and none from anywhere else.
    `img-src ${webview.cspSource}`,
    `media-src ${webview.cspSource}`,
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
<link rel="stylesheet" href="${asset('media.css')}">
<title>Parlance</title>
</head>
<body data-l10n="${escapeAttribute(bundle)}">
<div id="parlance-media"></div>
<script type="module" nonce="${nonce}" src="${asset('media.js')}"></script>
</body>
</html>`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
