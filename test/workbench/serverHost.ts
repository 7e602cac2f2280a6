import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, launchBrowser } from './browser.ts';
import { consoleText } from './consoleText.ts';
import { cacheFolder, projectFolder } from './folders.ts';
import { startHostNetwork } from './hostNetwork.ts';
import { keepEvidence } from './keepEvidence.ts';
import { writeSampleWorkspace } from './sampleWorkspace.ts';
import { servePageFaults } from './pageFaults.ts';
import { defaultServerVersion, installServer, oldestServerVersion } from './serverInstall.ts';
import { installOlderNode } from './serverNode.ts';
import { heavyExtensions, stillEnv, stillSettings, stopAnimations } from './stillWorkbench.ts';
import { suiteMark } from './suiteMark.ts';
import { isSuiteResult, sumOf, type SuiteResult } from './suiteResult.ts';
import { startVsCodeServer } from './vscodeServer.ts';
import { installWebviewWorker } from './webviewWorker.ts';

export interface HostRun {
  readonly grep?: string | undefined;
  /** Only these test files, by their paths in the project; by default, all of them. */
  readonly files?: readonly string[] | undefined;
  /** In the lowest VS Code version we support, instead of the usual one. */
  readonly inOldest?: boolean;
  readonly report: (line: string) => void;
}

/** For the symbols of a file, and for notebooks. */
const testedWith = ['typescript-language-features', 'ipynb', 'notebook-renderers'];

/** Longer than any test's own limit, because the suite takes as long as the machine is busy. */
const silenceLimitMs = 300_000;

/**
 * Runs the suite of `out/test/host` in the extension host of VS Code's server.
 * @throws {Error} if the suite didn't run to its end, or nothing was heard from it for `silenceLimitMs`.
 */
export async function runInServerHost({ grep, files, inOldest = false, report }: HostRun): Promise<SuiteResult> {
  const version = inOldest ? oldestServerVersion : defaultServerVersion;
  const serverFolder = await installServer(cacheFolder, report, version);
  const node = inOldest ? { node: await installOlderNode(cacheFolder, report) } : {};
  const found = await findBrowser(cacheFolder, report);
  const scratch = await mkdtemp(join(tmpdir(), 'parlance-host-'));
  const resultFile = join(scratch, 'result.json');
  const workspace = join(scratch, 'workspace');
  await writeSampleWorkspace(workspace);
  try {
    await using cleanup = new AsyncDisposableStack();
    const network = await startHostNetwork();
    cleanup.defer(() => network.close());
    const browser = await launchBrowser(found);
    cleanup.defer(() => browser.close());
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 900, height: 600 } });
    await stopAnimations(context);
    const page = await context.newPage();
    const pageFaults = await servePageFaults(page);
    cleanup.defer(() => pageFaults.close());
    const dataFolder = join(scratch, 'vscode');
    const server = await startVsCodeServer({
      dataFolder,
      serverFolder,
      ...node,
      extension: { kind: 'development', folder: projectFolder },
      smokeTestDriver: true,
      settings: stillSettings,
      leaveOut: heavyExtensions.filter((name) => !testedWith.includes(name)),
      env: {
        ...stillEnv,
        PARLANCE_HOST_RESULT: resultFile,
        PARLANCE_HOST_LOGS: join(dataFolder, 'data', 'logs'),
        PARLANCE_HOST_PAGE_FAULTS: String(pageFaults.port),
        PARLANCE_HOST_GREP: grep,
        PARLANCE_HOST_FILES: files?.join(','),
        ...network.env,
      },
    });
    cleanup.defer(() => server.close());

    const consoleLines: string[] = [];
    page.on('console', (message) => consoleLines.push(message.text()));
    const ended = Promise.withResolvers<number>();
    const silence = setTimeout(
      () => ended.reject(new Error(`Nothing was heard of the host suite for ${silenceLimitMs / 1000} s.`)),
      silenceLimitMs,
    );
    cleanup.defer(() => clearTimeout(silence));
    await page.exposeFunction('codeAutomationLog', (type: string, values: readonly unknown[]) => {
      silence.refresh();
      const text = consoleText(values);
      if (text.startsWith(suiteMark)) report(text.slice(suiteMark.length));
      consoleLines.push(`${type} ${text}`);
    });
    await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
    page.on('crash', () => ended.reject(new Error('The page of the workbench crashed.')));
    try {
      const address = server.address({ workspace, testsPath: join(projectFolder, 'out/test/host/run.mjs') });
      await installWebviewWorker(page, address);
      await page.goto(address);
      await ended.promise;
      const result: unknown = JSON.parse(await readFile(resultFile, 'utf8'));
      if (!isSuiteResult(result)) throw new Error('The host suite left a result of another form.');
      if (sumOf(result).failed > 0) report(`See ${await keepEvidence('host', { server, page, consoleLines })}`);
      return result.map((one) => ({ ...one, file: sourceOf(one.file) }));
    } catch (error) {
      const folder = await keepEvidence('host', { server, page, consoleLines });
      throw new Error(`The host suite did not come to its end; see ${folder}`, { cause: error });
    }
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The source path of a built test file. */
function sourceOf(built: string): string {
  return built.replace(/^out\//, '').replace(/\.mjs$/, '.ts');
}
