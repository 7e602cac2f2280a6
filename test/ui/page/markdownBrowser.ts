import { createServer, type Server } from 'node:http';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { pagePlugins } from '../../../build/pagePlugins.ts';
import { themeCss, themes, type ThemeName } from './themes.ts';
import { leaveSharedPage } from './sharedBrowser.ts';
import { WatchedPages } from './watchedPages.ts';

const NONCE = 'bm9uY2U';
const POLICY = `default-src 'none'; script-src 'nonce-${NONCE}'; worker-src blob:; style-src 'self'; font-src 'self'; img-src 'none'`;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A page with one Markdown view in a real browser. Call it inside a `describe`: it adds hooks to that suite. */
export class MarkdownBrowser {
  readonly pages = new WatchedPages();
  #files = new Map<string, Uint8Array>();
  #server: Server | undefined;

  constructor() {
    before('serve the page', async () => {
      this.#files = await bundle();
      this.#server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
        const name = pathname.slice(1);
        const theme = themeOf(searchParams.get('theme'));
        const body = name === '' ? html(theme) : name === 'theme.css' ? themeCss(theme) : this.#files.get(name);
        if (name === '') {
          const policy = searchParams.has('workerless')
            ? POLICY.replace('worker-src blob:', "worker-src 'none'")
            : POLICY;
          response.setHeader('content-security-policy', policy);
        }
        if (body === undefined) response.statusCode = 404;
        response.setHeader('content-type', name === '' ? 'text/html' : (CONTENT_TYPES[extname(name)] ?? 'text/plain'));
        response.end(body);
      });
      await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    });
    after('close the server', async () => {
      await leaveSharedPage();
      this.#server?.closeAllConnections();
      await new Promise((resolve) => this.#server?.close(resolve));
    });
  }

  /**
   * A `workerless` page can't have a worker. A test that advances the page's clock needs its `own` page.
   */
  async open({
    theme = 'dark',
    width = 420,
    workerless = false,
    own = false,
  }: { theme?: ThemeName; width?: number; workerless?: boolean; own?: boolean } = {}): Promise<Page> {
    const address = this.#server?.address();
    if (typeof address !== 'object' || !address) throw new Error('The page is not served yet');
    const page = await this.pages.take({ width, height: 640 }, own ? {} : undefined);
    await page.goto(`http://127.0.0.1:${address.port}/?theme=${theme}${workerless ? '&workerless' : ''}`);
    await page.waitForFunction(() => 'markdown' in window);
    return page;
  }
}

/** Draws a whole text at once. */
export async function drawWhole(page: Page, text: string): Promise<string> {
  return drawInPieces(page, [text]);
}

/** Draws a text that arrives in pieces, and returns the markup when it's complete. */
export async function drawInPieces(page: Page, pieces: readonly string[]): Promise<string> {
  return page.evaluate((sent) => window.markdown.complete(sent), pieces);
}

/** Draws text that isn't complete yet. */
export async function drawOpen(page: Page, ...pieces: readonly string[]): Promise<void> {
  await page.evaluate((sent) => window.markdown.stream(sent), pieces);
}

async function bundle(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { fixture: 'test/ui/page/markdownFixture.ts', style: 'src/webview/markdown/markdown.css' },
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
  return new Map(outputFiles.map((file) => [basename(file.path), file.contents]));
}

function html(theme: ThemeName): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Markdown</title>
<link rel="stylesheet" href="theme.css?theme=${theme}">
<link rel="stylesheet" href="style.css">
<body class="${themes[theme].bodyClass}">
<main></main>
<script type="module" nonce="${NONCE}" src="fixture.js"></script>
</body>
</html>`;
}

function themeOf(name: string | null): ThemeName {
  return name === 'light' || name === 'hc' ? name : 'dark';
}
