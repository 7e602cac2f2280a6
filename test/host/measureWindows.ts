import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import type { ModelInfo } from '../../src/api/wire/decodeModels.ts';
import { measureDefaults } from '../../src/core/measuring/measureDefaults.ts';
import { problemOf } from '../../src/core/problems/problemOf.ts';
import type { ToMeasureHost, ToMeasurePage } from '../../src/shared/protocol/measureProtocol.ts';
import type { MeasuredResult } from '../../src/shared/measuring.ts';
import { type Experiments, openExperiments } from '../../src/vscode/experiments/openExperiments.ts';
import { agreesToSend } from '../../src/vscode/experiments/agreesToSend.ts';
import { MeasureMemory } from '../../src/vscode/measure/measureMemory.ts';
import { type MeasurePageDeps, MeasurePageHost } from '../../src/vscode/measure/measurePageHost.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { RequestsHere } from '../unit/vscode/requests/requestsHere.ts';
import { eventually } from './eventually.ts';

/** A window with the page that measures models, from the host's side. */
export interface MeasureWindow {
  readonly host: MeasurePageHost;
  readonly experiments: Experiments;
  readonly posted: ToMeasurePage[];
  /** Runs whose requests were opened. */
  readonly opened: readonly string[];
  readonly say: (message: ToMeasureHost) => void;
  /** What is shown after a run that this window has begun. */
  readonly ended: () => Promise<MeasuredResult>;
}

/** The models that the user selected in an earlier window. */
const chosen = ['local/echo', 'local/writer', 'local/fault-hang'];

/** Windows that measure models and share a folder, in a `describe`. */
export class MeasureWindows {
  /** What the user selects when asked for a model. */
  readonly picked: string[] = [];
  folder = '';
  readonly #cleanups: (() => unknown)[] = [];
  #here!: RequestsHere;

  constructor() {
    before(async () => {
      this.#here = await RequestsHere.start();
    });
    after(() => this.#here.stop());
    beforeEach(async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'parlance-measure-'));
      this.#cleanups.push(() => rm(this.folder, { recursive: true, force: true }));
    });
    afterEach(async () => {
      for (const cleanUp of this.#cleanups.toReversed()) await cleanUp();
      this.#cleanups.length = 0;
    });
  }

  async serve(options: Parameters<typeof startInferenceService>[0] = {}): Promise<InferenceService> {
    const started = await startInferenceService({ tokensPerSecond: Infinity, ...options });
    this.#cleanups.push(() => started.close());
    return started;
  }

  async open(settings: {
    asked: InferenceService;
    above?: number | null;
    models?: readonly ModelInfo[];
    /** Not another page's: for a window, it doesn't matter which page runs one of them. */
    experiments?: Experiments;
    isOverBudget?: MeasurePageDeps['isOverBudget'];
  }): Promise<MeasureWindow> {
    const { above = null, models = [] } = settings;
    const endpointOf = ({ baseUrl, nativeUrl, apiKey }: InferenceService) => ({
      baseUrl: new URL(baseUrl),
      nativeUrl: new URL(nativeUrl),
      apiKey,
    });
    const client = this.#here.client(() => Promise.resolve(endpointOf(settings.asked)));
    const log = this.#here.window({ callsOf: () => client });
    const host = () => new URL(settings.asked.baseUrl).host;
    const experiments =
      settings.experiments ??
      openExperiments({
        folder: join(this.folder, 'experiments'),
        find: ({ id }) => models.find((model) => model.id === id),
        replyTokensOf: () => undefined,
        hostOf: host,
        callsFor: (model, origin) => log.calls.from(origin).forModel(model),
        clean: this.#here.redactor.cleanData,
        cleanBody: this.#here.redactor.cleanKeys,
        onError: assert.ifError,
        onUnsaved: assert.ifError,
      });
    this.#cleanups.push(() => experiments.store.stop());
    const context = () => ({ during: 'command', pages: {}, hasPartialText: false, now: Date.now() }) as const;
    const memory = new MeasureMemory(join(this.folder, `form-${crypto.randomUUID()}.json`), (trouble) =>
      assert.fail(trouble.kind),
    );
    this.#cleanups.push(() => memory.settled());
    await memory.keep({ ...measureDefaults, models: chosen.map((id) => ({ id })) });
    const posted: ToMeasurePage[] = [];
    const opened: string[] = [];
    const arrive = new vscode.EventEmitter<unknown>();
    const unused = () => assert.fail('nobody asked for it');
    const deps: MeasurePageDeps = {
      experiments: () => Promise.resolve(experiments),
      memory,
      explainer: {
        problem: (failure: ApiError['failure']) => problemOf(failure, context()),
        problemOfError: (error: unknown) => {
          assert.ok(error instanceof ApiError, String(error));
          return problemOf(error.failure, context());
        },
      } as MeasurePageDeps['explainer'],
      pickModel: () => Promise.resolve(this.picked.pop()),
      pickPrompt: unused,
      loadModels: () => Promise.resolve(),
      checkSetup: () => Promise.resolve(),
      hostOf: host,
      isOverBudget: settings.isOverBudget ?? (() => Promise.resolve(false)),
      agrees: (estimate) => agreesToSend(estimate, above),
      openRequest: async (experiment) => void opened.push(experiment),
      save: unused,
      exportRun: unused,
      runAction: unused,
      onUnexpected: assert.ifError,
      pageLog: { error: assert.ifError, debug: () => undefined },
    };
    const webview = {
      postMessage: (message: ToMeasurePage) => {
        posted.push(message);
        return Promise.resolve(true);
      },
      onDidReceiveMessage: arrive.event,
    };
    const page = new MeasurePageHost(webview, deps);
    this.#cleanups.push(() => page.dispose());
    return {
      host: page,
      experiments,
      posted,
      opened,
      say: (message) => arrive.fire(message),
      ended: async () => {
        const found = () => posted.findLast((each) => each.type === 'resultShown' && each.isNew);
        await eventually('the end of the run', () => found() !== undefined, 60_000);
        const shown = found();
        posted.length = 0;
        return shown?.type === 'resultShown' ? shown.result : assert.fail();
      },
    };
  }
}
