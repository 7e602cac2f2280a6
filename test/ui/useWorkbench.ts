import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type InferenceService,
  type InferenceServiceOptions,
  startInferenceService,
} from '../service/inferenceService.ts';
import { BoundaryRecorder } from '../workbench/boundaryRecorder.ts';
import { findBrowser, launchBrowser } from '../workbench/browser.ts';
import { failOnFaults } from '../workbench/failOnFaults.ts';
import { cacheFolder, projectFolder } from '../workbench/folders.ts';
import { HostDriver } from '../workbench/hostDriver.ts';
import { writeSampleWorkspace } from '../workbench/sampleWorkspace.ts';
import { installServer } from '../workbench/serverInstall.ts';
import { heavyExtensions, stillEnv, stillSettings, stopAnimations } from '../workbench/stillWorkbench.ts';
import { watchRoutes } from '../workbench/watchRoutes.ts';
import { type ServedExtension, startVsCodeServer } from '../workbench/vscodeServer.ts';
import { modalDialog } from './modalDialog.ts';
import { WorkbenchPage } from './workbenchPage.ts';

export interface WorkbenchOptions {
  /** The service that Parlance is connected to. By default, its speed is 200 tokens per second. */
  readonly service?: InferenceServiceOptions;
  /** User settings besides the base URL and the model `local/writer`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Fields of the service in the user's settings, besides its base URL. */
  readonly serviceFields?: Readonly<Record<string, unknown>>;
  /** False leaves Parlance without base URL, model, and key, as on its first run. */
  readonly connected?: boolean;
  readonly extension?: ServedExtension;
  readonly workspaceTrust?: boolean;
  /** True if VS Code's own large extensions are needed, for example the one for TypeScript. */
  readonly needsBuiltIn?: boolean;
  /** Additional files of the folder, asked for before it's opened: their texts by path. */
  readonly files?: () => Readonly<Record<string, string>>;
  /** Screen pixels per CSS pixel: 1 by default. */
  readonly pixelRatio?: number;
  /** URI of the folder to open instead of the sample, for example `memory:/tasks`. */
  readonly virtualFolder?: string;
  /** Looks after each test for what else fails it, besides what goes wrong in Parlance. */
  readonly takeFaults?: (workbench: WorkbenchPage) => Promise<readonly string[]>;
}

const usualSpeed = 200;

/** More than its longest stage has. */
const startLimitMs = 300_000;

/**
 * A fresh workbench, service, and browser for all tests of a `describe`; call it inside that, because it adds hooks to
 * the suite. A failing test keeps its screenshot and logs under `test-results/`.
 * @returns a function for the workbench, to be called in tests.
 */
export function useWorkbench(options: WorkbenchOptions = {}): () => WorkbenchPage {
  const cleanup = new AsyncDisposableStack();
  let current: WorkbenchPage | undefined;

  before('open the workbench', async function () {
    this.timeout(startLimitMs);
    current = await openWorkbench(options, cleanup);
  });
  const { takeFaults } = options;
  if (takeFaults) failOnFaults('nothing else fails the test', async () => (current ? takeFaults(current) : []));
  watchWorkbench(() => current);
  afterEach('close what a test that failed left open', async function () {
    if (this.currentTest?.state !== 'failed' || !current) return;
    // Anything that the test would have closed must not make later tests fail.
    await current.runCommand('View: Close All Editors').catch(() => undefined);
    const leave = modalDialog(current.page, /save/i).getByRole('button', { name: "Don't Save" });
    await leave.click({ timeout: 3_000 }).catch(() => undefined);
    await current.takeSettledFaults();
  });
  afterEach('the service is as fast as before', () => {
    current?.service.setSpeed(options.service?.tokensPerSecond ?? usualSpeed);
    current?.service.holdVideos(false);
    current?.service.holdLists(false);
  });
  after('close the workbench', async function () {
    await using _ = cleanup;
    const file = basename(this.test?.file ?? 'unknown', '.test.ts');
    await current?.boundaries.save(`${file} ${this.test?.parent?.title ?? ''}`);
    const open = current?.page.isClosed() === false ? current : undefined;
    // Nothing looks for what went wrong after the hooks of the last test.
    assert.deepEqual((await open?.takeSettledFaults()) ?? [], [], 'something went wrong after the last test');
    const others = (await open?.otherWebviewWorkers()) ?? [];
    assert.deepEqual(others, [], 'webviews had a worker other than the one that was installed for them');
  });
  return () => {
    if (!current) throw new Error('The workbench is not open');
    return current;
  };
}

interface WatchedWorkbench {
  /** What went wrong since the last call. */
  takeSettledFaults(): Promise<readonly string[]>;
  /** Returns the folder with it. */
  keepEvidence(name: string): Promise<string | undefined>;
}

/**
 * If a part of Parlance fails, or one side rejects or fails to handle a message of the other, that fails the test in
 * which it happens. A failed test keeps its screenshot and logs. Call it inside a `describe`: it adds hooks to the suite.
 * @param watched the workbench, if one is open
 */
export function watchWorkbench(watched: () => WatchedWorkbench | undefined): void {
  failOnFaults('nothing went wrong beside the test', async () => (await watched()?.takeSettledFaults()) ?? []);
  afterEach('keep what tells why a test failed', async function () {
    if (this.currentTest?.state !== 'failed') return;
    const folder = await watched()?.keepEvidence(this.currentTest.fullTitle());
    if (folder !== undefined) console.log(`      see ${folder}`);
  });
}

/** What exists before VS Code starts, and stays when it restarts. */
export interface WorkbenchGround {
  /** The folder to open. */
  readonly workspace: string;
  readonly service: InferenceService;
  /** VS Code's data. By default, fresh at each start. */
  readonly dataFolder?: string;
}

/** Opens a workbench; `cleanup` closes it with everything that belongs to it. */
export async function openWorkbench(options: WorkbenchOptions, cleanup: AsyncDisposableStack): Promise<WorkbenchPage> {
  return startWorkbench(options, await prepareGround(options, cleanup), cleanup);
}

/** Writes the folder to open, and starts the service. */
export async function prepareGround(
  options: WorkbenchOptions,
  cleanup: AsyncDisposableStack,
): Promise<WorkbenchGround> {
  const scratch = await mkdtemp(join(tmpdir(), 'parlance-workspace-'));
  cleanup.defer(() => rm(scratch, { recursive: true, force: true }));
  const workspace = join(scratch, 'tasks');
  await writeSampleWorkspace(workspace);
  for (const [path, text] of Object.entries(options.files?.() ?? {})) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  const service = await startInferenceService({
    tokensPerSecond: usualSpeed,
    reversesArrivals: true,
    ...options.service,
  });
  cleanup.defer(() => service.close());
  return { workspace, service };
}

/** Starts VS Code's server, and a browser that opens it. */
export async function startWorkbench(
  options: WorkbenchOptions,
  { workspace, service, dataFolder }: WorkbenchGround,
  cleanup: AsyncDisposableStack,
): Promise<WorkbenchPage> {
  const serverFolder = await installServer(cacheFolder, console.log);
  const found = await findBrowser(cacheFolder, console.log);
  const driver = await HostDriver.start();
  cleanup.defer(() => driver.close());

  const isConnected = options.connected ?? true;
  const starting = startVsCodeServer({
    serverFolder,
    extension: options.extension ?? { kind: 'linked', folder: projectFolder },
    settings: {
      // Its invitation to sign in would be next to Parlance in the secondary side bar.
      'chat.disableAIFeatures': true,
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'workbench.editor.useModal': 'off',
      'workbench.colorTheme': 'Dark Modern',
      ...stillSettings,
      ...(isConnected && {
        'parlance.services': [{ baseUrl: service.baseUrl, ...options.serviceFields }],
        'parlance.chat.model': 'local/writer',
      }),
      ...options.settings,
    },
    workspaceTrust: options.workspaceTrust ?? false,
    env: {
      ...stillEnv,
      ...(isConnected && { SERVICE_API_KEY: service.apiKey, SERVICE_API_KEY_ORIGINS: 'http://127.0.0.1:*' }),
    },
    driverPort: driver.port,
    ...(dataFolder !== undefined && { dataFolder }),
    leaveOut: options.needsBuiltIn === true ? [] : heavyExtensions,
  });
  const launching = launchBrowser(found);
  cleanup.defer(
    async () => void (await Promise.allSettled([starting, launching].map(async (it) => (await it).close()))),
  );
  const [server, browser] = await Promise.all([starting, launching]);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: options.pixelRatio ?? 1,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // As everywhere in these tests, only something that never happens takes this long.
  context.setDefaultTimeout(60_000);
  await stopAnimations(context);
  const boundaries = new BoundaryRecorder();
  await watchRoutes(context, (route) => boundaries.tookRoute(route));
  const workbench = new WorkbenchPage(await context.newPage(), {
    server,
    driver,
    boundaries,
    service,
    workspace: options.virtualFolder ?? workspace,
  });
  try {
    await workbench.open();
  } catch (error) {
    console.log(`see ${await workbench.keepEvidence('open the workbench')}`);
    throw error;
  }
  return workbench;
}
