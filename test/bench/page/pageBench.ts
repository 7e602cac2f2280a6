import { createServer, type Server } from 'node:http';
import { basename, extname, join } from 'node:path';
import { build } from 'esbuild';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { pagePlugins } from '../../../build/pagePlugins.ts';
import { servePage, type PageServer } from '../../ui/page/pageServer.ts';
import { themeCss } from '../../ui/page/themes.ts';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder, projectFolder } from '../../workbench/folders.ts';

/** Tasks of the page's main thread, in milliseconds of its CPU time. */
export interface Tasks {
  readonly totalMs: number;
  readonly longestMs: number;
  /** The longest run of animation frame callbacks, which do all drawing. */
  readonly longestFrameMs: number;
}

const contentTypes: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** A browser with the standalone renderers and the real chat page. */
export class PageBench {
  readonly #browser: Browser;
  readonly #server: Server;
  readonly #chat: PageServer;
  readonly #compare: PageServer;
  readonly #origin: string;

  private constructor(browser: Browser, server: Server, chat: PageServer, compare: PageServer, origin: string) {
    this.#browser = browser;
    this.#server = server;
    this.#chat = chat;
    this.#compare = compare;
    this.#origin = origin;
  }

  /** @param isFast frames follow each other without a pause, to measure work instead of time. */
  static async open(isFast: boolean): Promise<PageBench> {
    const files = await bundle();
    const server = createServer((request, response) => {
      const name = (request.url ?? '/').slice(1).replace(/\?.*/, '');
      const body = name === '' ? html : name === 'theme.css' ? themeCss('dark') : files.get(name);
      if (body === undefined) response.statusCode = 404;
      response.setHeader('content-type', name === '' ? 'text/html' : (contentTypes[extname(name)] ?? 'text/plain'));
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The page server has no port');
    const found = await findBrowser(cacheFolder, console.log);
    return new PageBench(
      await launchBrowser(found, isFast ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []),
      server,
      await servePage(),
      await servePage('compare'),
      `http://127.0.0.1:${address.port}`,
    );
  }

  get version(): string {
    return this.#browser.version();
  }

  /** The renderers alone, as narrow as a side bar. */
  openShell(): Promise<Page> {
    return this.#newPage(this.#origin, () => 'shell' in window);
  }

  /** The chat page in one of the states of `pageStates.ts`. */
  openChat(state: string): Promise<Page> {
    return this.#newPage(this.#chat.url(state), () => document.querySelector('[role=log]') !== null);
  }

  /** The comparison page in one of the states of `compareStates.ts`, with room for four columns. */
  openCompare(state: string): Promise<Page> {
    return this.#newPage(
      this.#compare.url(state),
      () => document.querySelector('.compare:not([hidden])') !== null,
      1400,
    );
  }

  async #newPage(url: string, isReady: () => boolean, width = 420): Promise<Page> {
    const page = await this.#browser.newPage({ viewport: { width, height: 640 } });
    await page.goto(url);
    await page.waitForFunction(isReady);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#chat.close();
    await this.#compare.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Runs `work` and returns what the page's main thread did. */
export async function traced<T>(page: Page, work: () => Promise<T>): Promise<Tasks & { readonly result: T }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'], excludedCategories: ['*'] },
    transferMode: 'ReportEvents',
  });
  const result = await work();
  const complete = new Promise<void>((resolve) => {
    session.once('Tracing.tracingComplete', () => resolve());
  });
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  const mains = new Map<number, number>();
  for (const { name, args, pid, tid } of events) {
    if (name === 'thread_name' && args?.name === 'CrRendererMain') mains.set(pid, tid);
  }
  // The page itself has the busiest process. Other renderers are spares.
  const byPid = new Map<number, { tasks: number[]; frames: number[] }>();
  for (const { name, ph, pid, tid, dur = 0, tdur } of events) {
    if (ph !== 'X' || mains.get(pid) !== tid) continue;
    const seen = byPid.get(pid) ?? { tasks: [], frames: [] };
    byPid.set(pid, seen);
    if (name.endsWith('RunTask')) seen.tasks.push((tdur ?? dur) / 1000);
    if (name === 'FireAnimationFrame') seen.frames.push((tdur ?? dur) / 1000);
  }
  const totals = [...byPid.values()].map(({ tasks, frames }) => ({
    totalMs: tasks.reduce((sum, each) => sum + each, 0),
    longestMs: Math.max(0, ...tasks),
    longestFrameMs: Math.max(0, ...frames),
  }));
  const busiest = totals.toSorted((a, b) => b.totalMs - a.totalMs)[0];
  if (busiest === undefined) throw new Error('The trace holds no task of the page');
  return { ...busiest, result };
}

async function bundle(): Promise<Map<string, Uint8Array>> {
  const options = {
    absWorkingDir: projectFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    outdir: join(cacheFolder, 'bench-page'),
    write: false,
    minify: true,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.woff2': 'empty', '.ttf': 'empty', '.woff': 'empty' },
  } as const;
  const own = await build({
    ...options,
    plugins: pagePlugins,
    entryPoints: { shell: 'test/bench/page/shell.ts', style: 'src/webview/markdown/markdown.css' },
    external: ['./peers.js'],
  });
  const peers = await build({ ...options, entryPoints: { peers: 'test/bench/peers/pageRenderers.mjs' } });
  return new Map([...own.outputFiles, ...peers.outputFiles].map((file) => [basename(file.path), file.contents]));
}

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bench</title>
<link rel="stylesheet" href="theme.css">
<link rel="stylesheet" href="style.css">
<style>
html, body { height: 100%; margin: 0; }
main { height: 100%; overflow-y: auto; overflow-anchor: none; }
.plain-section { white-space: pre-wrap; overflow-wrap: anywhere; contain: content; }
pre { overflow-x: auto; }
</style>
<body class="vscode-dark"><main></main><script type="module" src="shell.js"></script></body>
</html>`;
