import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as l10n from '@vscode/l10n';
import { build } from 'esbuild';
import { pagePlugins } from '../../../build/pagePlugins.ts';
import { isMissingFile } from './missingFile.ts';
import { modelDetailsPage } from './modelDetailsStates.ts';
import { pseudoLanguage } from './pseudoLanguage.ts';
import { sampleFilm } from './sampleFilm.ts';
import { samplePicture } from './samplePicture.ts';
import { leaveSharedPage } from './sharedBrowser.ts';
import { themeCss, themes, type ThemeName } from './themes.ts';

/** Serves a page to a browser like the extension serves it to a webview, with a fake host inside. */
export interface PageServer {
  /** URL of the page in one of the states of `pageStates.ts`, or of `<page>States.ts`. */
  url(state: string, theme?: ThemeName, language?: PageLanguage): string;
  /** Answers no request for a script of such a name from now on, until they're released. */
  holdScripts(names?: RegExp): HeldScripts;
  close(): Promise<void>;
}

export interface HeldScripts {
  /** Settles once a page has asked for a script. */
  readonly asked: Promise<void>;
  readonly release: () => void;
}

const pages = {
  chat: { script: 'src/webview/chat/main.ts', style: 'src/webview/chat/chat.css', host: 'test/ui/page/fakeHost.ts' },
  media: {
    script: 'src/webview/media/main.ts',
    style: 'src/webview/media/media.css',
    host: 'test/ui/page/fakeMediaHost.ts',
  },
  compare: {
    script: 'src/webview/compare/main.ts',
    style: 'src/webview/compare/compare.css',
    host: 'test/ui/page/fakeCompareHost.ts',
  },
  checks: {
    script: 'src/webview/checks/main.ts',
    style: 'src/webview/checks/checks.css',
    host: 'test/ui/page/fakeChecksHost.ts',
  },
  request: {
    script: 'src/webview/request/main.ts',
    style: 'src/webview/request/request.css',
    host: 'test/ui/page/fakeRequestHost.ts',
  },
  measure: {
    script: 'src/webview/measure/main.ts',
    style: 'src/webview/measure/measure.css',
    host: 'test/ui/page/fakeMeasureHost.ts',
  },
  usage: {
    script: 'src/webview/usage/main.ts',
    style: 'src/webview/usage/usage.css',
    host: 'test/ui/page/fakeUsageHost.ts',
  },
  /** Runs no script. */
  modelDetails: { style: 'src/webview/modelDetails/modelDetails.css' },
} as const;
export type PageName = keyof typeof pages;

const nonce = 'bm9uY2U';
const root = fileURLToPath(new URL('../../../', import.meta.url));
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.webm': 'video/webm',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** `pseudo`: every string accented, two fifths longer, and in brackets. */
export type PageLanguage = 'en' | 'pseudo';

export async function servePage(page: PageName = 'chat'): Promise<PageServer> {
  const [files, picture, film, pseudo] = await Promise.all([
    bundle(page),
    samplePicture(),
    page === 'media' ? sampleFilm() : undefined,
    pseudoLanguage(),
  ]);
  let onAsked: () => void = () => undefined;
  let released = Promise.resolve();
  let heldNames = /\.js$/;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const theme = themeOf(url.searchParams.get('theme'));
    if (url.pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      const translations = url.searchParams.has('pseudo') ? pseudo : '';
      if (page === 'modelDetails') {
        response.end(modelDetails(url.searchParams.get('state') ?? '', theme, translations));
        return;
      }
      response.setHeader('content-security-policy', policy(request.headers.host ?? ''));
      response.end(pageHtml(page, theme, translations));
      return;
    }
    const name = url.pathname.slice(1);
    const made = name.startsWith('pictures/') ? picture : name.startsWith('films/') ? film : undefined;
    const body = isMissingFile(name) ? undefined : name === 'theme.css' ? themeCss(theme) : (made ?? files.get(name));
    if (heldNames.test(name)) {
      onAsked();
      await released;
    }
    if (body === undefined) response.statusCode = 404;
    response.setHeader('content-type', contentTypes[extname(name)] ?? 'text/plain');
    response.end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page server has no port');
  return {
    url: (state, theme = 'dark', language = 'en') =>
      `http://127.0.0.1:${address.port}/?state=${state}&theme=${theme}${language === 'pseudo' ? '&pseudo' : ''}`,
    holdScripts(names = /\.js$/) {
      const asked = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      onAsked = asked.resolve;
      heldNames = names;
      released = held.promise;
      return { asked: asked.promise, release: held.resolve };
    },
    close: async () => {
      await leaveSharedPage();
      await closed(server);
    },
  };
}

/** As in the extension: images and videos only from their own folder. */
function policy(host: string): string {
  const folder = (name: string) => `http://${host}/${name}/`;
  const files = `img-src ${folder('pictures')}; media-src ${folder('films')}`;
  return `default-src 'none'; script-src 'nonce-${nonce}'; worker-src blob:; style-src 'self'; font-src 'self'; ${files}`;
}

async function bundle(page: PageName): Promise<Map<string, Uint8Array>> {
  const { style, ...scripts } = pages[page];
  const result = await build({
    absWorkingDir: root,
    entryPoints: {
      pageStyle: style,
      ...('script' in scripts && { page: scripts.script, fakeHost: scripts.host }),
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    outdir: 'out',
    write: false,
    plugins: pagePlugins,
    logLevel: 'error',
  });
  const files = new Map<string, Uint8Array>(result.outputFiles.map((file) => [basename(file.path), file.contents]));
  for (const name of ['codicon.css', 'codicon.ttf']) {
    files.set(name, await readFile(`${root}node_modules/@vscode/codicons/dist/${name}`));
  }
  return files;
}

/** The host writes this page in its own language; VS Code adds the theme. */
function modelDetails(state: string, theme: ThemeName, translations: string): string {
  l10n.config({ contents: translations === '' ? {} : translations });
  try {
    return modelDetailsPage(state)
      .replace('<link', `<link rel="stylesheet" href="theme.css?theme=${theme}">\n<link`)
      .replace('<body>', `<body class="${themes[theme].bodyClass}">`);
  } finally {
    l10n.config({ contents: {} });
  }
}

function pageHtml(page: PageName, theme: ThemeName, translations: string): string {
  const { bodyClass } = themes[theme];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${page}</title>
<link rel="stylesheet" href="theme.css?theme=${theme}">
<link rel="stylesheet" href="codicon.css">
<link rel="stylesheet" href="pageStyle.css">
</head>
<body class="${bodyClass}" data-l10n="${translations.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">
<div id="parlance-${page}"></div>
<script type="module" nonce="${nonce}" src="fakeHost.js"></script>
<script type="module" nonce="${nonce}" src="page.js"></script>
</body>
</html>`;
}

function themeOf(name: string | null): ThemeName {
  return name === 'light' || name === 'hc' ? name : 'dark';
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
