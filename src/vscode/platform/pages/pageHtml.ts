import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../../core/safety/escapeHtml.ts';
import { hasSeveralServices, removedServiceNames, serviceNames, watchServiceNames } from '../../../words/modelLabel.ts';

/**
 * Pages with code highlighting, which runs in a worker: it's created from text in the page, and the page's policy
 * applies to it too.
 */
const pagesWithWorker: ReadonlySet<string> = new Set(['chat', 'compare', 'request']);

/** Where a page's own files are, and the images that it can show. */
export interface PageFolders {
  readonly extensionUri: vscode.Uri;
  /** Without this folder, no images are shown. */
  readonly picturesUri?: vscode.Uri;
  /** Without this folder, no videos are played. */
  readonly filmsUri?: vscode.Uri;
}

/** Scripts, and files only from our own folders. */
function pageOptions({ extensionUri, picturesUri, filmsUri }: PageFolders): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [
      vscode.Uri.joinPath(extensionUri, 'dist', 'webview'),
      ...[picturesUri, filmsUri].filter((folder) => folder !== undefined),
    ],
  };
}

/**
 * Loads a page, and reloads it when the names of models differ from those it has drawn, because a service was added,
 * renamed, or removed. It then sends `ready`, as it does when it's no longer covered.
 */
export function showPage(
  { webview, onDidDispose }: Pick<vscode.WebviewPanel | vscode.WebviewView, 'webview' | 'onDidDispose'>,
  folders: PageFolders,
  name: string,
): void {
  webview.options = pageOptions(folders);
  let drawn = namesOfModels();
  webview.html = pageHtml(webview, folders, name);
  const end = watchServiceNames(() => {
    if (namesOfModels() === drawn) return;
    drawn = namesOfModels();
    webview.html = pageHtml(webview, folders, name);
  });
  onDidDispose(end);
}

/** What decides how a page names models. With one service, its name isn't shown. */
function namesOfModels(): string {
  return JSON.stringify([hasSeveralServices() ? serviceNames() : Object.keys(serviceNames()), removedServiceNames()]);
}

/**
 * A page's document: `<name>.js` and `<name>.css` of the bundle, and the element `parlance-<name>` to draw in. It has
 * no content: that arrives as messages.
 */
function pageHtml(webview: vscode.Webview, folders: PageFolders, name: string): string {
  const { extensionUri, picturesUri, filmsUri } = folders;
  const nonce = randomBytes(16).toString('base64');
  const asset = (file: string) =>
    escapeHtml(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file)).toString());
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${folderSource(webview, picturesUri)}`,
    `media-src ${folderSource(webview, filmsUri)}`,
    `worker-src ${pagesWithWorker.has(name) ? 'blob:' : "'none'"}`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  const bundle = vscode.l10n.bundle === undefined ? '' : JSON.stringify(vscode.l10n.bundle);
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset('codicon.css')}">
<link rel="stylesheet" href="${asset(`${name}.css`)}">
<title>Parlance</title>
</head>
<body data-l10n="${escapeHtml(bundle)}" data-services="${escapeHtml(JSON.stringify([serviceNames(), removedServiceNames()]))}">
<div id="parlance-${name}"></div>
<script type="module" nonce="${nonce}" src="${asset(`${name}.js`)}"></script>
</body>
</html>`;
}

/**
 * The only folder that images or videos can come from, instead of the whole host: an image from the web could leak the
 * conversation to its server. `cspSource` has a wildcard for the host, because a policy can't contain the `+` in these
 * hosts' names.
 */
function folderSource(webview: vscode.Webview, folder: vscode.Uri | undefined): string {
  if (folder === undefined) return "'none'";
  const { pathname } = new URL(webview.asWebviewUri(folder).toString());
  const hosts = webview.cspSource.split(' ').filter((source) => source.startsWith('https://'));
  const path = pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
  return hosts.length === 0 ? "'none'" : hosts.map((host) => `${host}${path}/`).join(' ');
}
