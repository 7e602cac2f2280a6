import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { verdictOf } from '../../src/core/checks/verdicts/verdict.ts';
import type { CheckModel } from '../../src/core/checks/wantedModels.ts';
import { ModelIndex } from '../../src/core/models/modelIndex.ts';
import { CheckResultFiles } from '../../src/vscode/checks/results/checkResultFiles.ts';
import { CheckTests, type CheckTestsDeps } from '../../src/vscode/checks/checkTests.ts';
import { ExperimentStore } from '../../src/vscode/experiments/experimentStore.ts';
import { repliedExperiments } from '../workbench/repliedExperiments.ts';

interface SentCheck {
  readonly model: string;
  readonly text: string;
}

type Outcome = 'passed' | 'failed' | 'errored' | 'skipped';

/** Checks with a Testing view of their own, and a service that repeats what it's sent. */
export interface ChecksStand {
  readonly tests: CheckTests;
  readonly controller: vscode.TestController;
  /** In the order in which they were sent. */
  readonly sent: SentCheck[];
  /** Runs that haven't ended. Until then, they write results. */
  readonly running: ReadonlySet<vscode.TestRun>;
  /** What the runs said about each item, by its label, and by that of its case before it. */
  readonly outcomes: Map<string, Outcome>;
  /** What the runs showed about each failed item, by its label. */
  readonly messages: Map<string, readonly vscode.TestMessage[]>;
  /** The texts of `errored`. */
  readonly reasons: string[];
  /** Items whose results are outdated. */
  readonly invalidated: string[];
  readonly folder: string;
  /** The same files in a window that was opened later. */
  reopened(): ChecksStand;
  dispose(): Promise<void>;
}

export interface StandOptions extends Partial<
  Pick<
    CheckTestsDeps,
    'models' | 'chatDefaults' | 'loadModels' | 'fetchLists' | 'served' | 'limits' | 'checkSetup' | 'tell'
  >
> {
  readonly chosen?: readonly CheckModel[];
  /** Settles before the reply to a text. */
  readonly wait?: (text: string, model: string) => Promise<void>;
  /** In place of the text itself. @param count how often it was sent before */
  readonly reply?: (text: string, count: number) => string;
}

let count = 0;

export async function checksStand(options: StandOptions = {}): Promise<ChecksStand> {
  return standIn(await mkdtemp(join(tmpdir(), 'parlance-checks-')), options);
}

function standIn(folder: string, options: StandOptions): ChecksStand {
  const sent: SentCheck[] = [];
  const outcomes = new Map<string, Outcome>();
  const messages = new Map<string, readonly vscode.TestMessage[]>();
  const reasons: string[] = [];
  const invalidated: string[] = [];
  const fail = (error: unknown): void => void reasons.push(String(error));
  const store = new ExperimentStore({ folder: join(folder, 'experiments'), onError: fail, onUnsaved: fail });
  const experiments = repliedExperiments(store, async ({ request: { model, prompt } }) => {
    const content = prompt.messages.at(-1)?.content;
    const text = typeof content === 'string' ? content : '';
    const before = sent.filter((each) => each.text === text).length;
    sent.push({ model: model.id, text });
    await options.wait?.(text, model.id);
    return options.reply?.(text, before) ?? text;
  });
  const running = new Set<vscode.TestRun>();
  const made: vscode.TestController[] = [];
  const { createTestController } = vscode.tests;
  Object.assign(vscode.tests, {
    createTestController: (id: string, label: string) => {
      const controller = watched(createTestController(`${id}.${(count += 1)}`, label), {
        ended: (item, outcome, message) => {
          outcomes.set(item.label, outcome);
          if (item.parent !== undefined) outcomes.set(`${item.parent.label} > ${item.label}`, outcome);
          if (message !== undefined) reasons.push(message);
        },
        failed: (item, shown) => void messages.set(item.label, shown),
        invalidated: (item) => invalidated.push(item.label),
        running,
      });
      made.push(controller);
      return controller;
    },
  });
  try {
    const results = new CheckResultFiles(join(folder, 'checks'), fail);
    const tests = new CheckTests({
      models: () => ({ index: ModelIndex.joined([]), favorites: [] }),
      defaultModel: () => 'local/echo',
      chatDefaults: () => ({ model: 'local/echo' }),
      results,
      experiments: async () => experiments,
      keepsReplies: () => true,
      limits: () => ({ requests: null, cost: null }),
      run: async () => ({
        experiments,
        thread: {
          verdicts: async (expectations, reply) => expectations.map((each) => verdictOf(each, reply)),
          judged: async () => ({ pass: false, score: 0, reason: '', isUndecided: true }),
        },
        chatDefaults: () => ({ model: 'local/echo' }),
        explain: ({ kind }) => kind,
        onError: fail,
      }),
      chooseModels: async () => options.chosen,
      checkSetup: async () => undefined,
      served: async (models) => new Map(models.map((model) => [model, model])),
      loadModels: async () => undefined,
      fetchLists: async () => undefined,
      onError: fail,
      tell: fail,
      ...options,
    });
    const [controller] = made;
    if (controller === undefined) throw new Error('No test controller was made');
    return {
      tests,
      controller,
      sent,
      running,
      outcomes,
      messages,
      reasons,
      invalidated,
      folder,
      reopened: () => {
        tests.dispose();
        return standIn(folder, options);
      },
      dispose: async () => {
        tests.dispose();
        await results.settled();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } finally {
    Object.assign(vscode.tests, { createTestController });
  }
}

/** VS Code has no way to ask what a run said. */
function watched(
  controller: vscode.TestController,
  watch: {
    readonly ended: (item: vscode.TestItem, outcome: Outcome, message?: string) => void;
    readonly failed: (item: vscode.TestItem, messages: readonly vscode.TestMessage[]) => void;
    readonly invalidated: (item: vscode.TestItem) => void;
    readonly running: Set<vscode.TestRun>;
  },
): vscode.TestController {
  const createTestRun = controller.createTestRun.bind(controller);
  const invalidate = controller.invalidateTestResults.bind(controller);
  Object.assign(controller, {
    invalidateTestResults: (items?: vscode.TestItem | readonly vscode.TestItem[]) => {
      for (const item of items === undefined ? [] : [items].flat()) watch.invalidated(item);
      invalidate(items);
    },
    createTestRun: (request: vscode.TestRunRequest) => {
      const run = createTestRun(request);
      watch.running.add(run);
      const end = run.end.bind(run);
      const passed = run.passed.bind(run);
      const failed = run.failed.bind(run);
      const errored = run.errored.bind(run);
      const skipped = run.skipped.bind(run);
      return Object.assign(run, {
        end: () => {
          watch.running.delete(run);
          end();
        },
        passed: (item: vscode.TestItem, ms?: number) => {
          watch.ended(item, 'passed');
          passed(item, ms);
        },
        failed: (item: vscode.TestItem, message: vscode.TestMessage | vscode.TestMessage[], ms?: number) => {
          watch.ended(item, 'failed');
          watch.failed(item, [message].flat());
          failed(item, message, ms);
        },
        errored: (item: vscode.TestItem, message: vscode.TestMessage | vscode.TestMessage[], ms?: number) => {
          const [first] = [message].flat();
          watch.ended(item, 'errored', typeof first?.message === 'string' ? first.message : first?.message.value);
          errored(item, message, ms);
        },
        skipped: (item: vscode.TestItem) => {
          watch.ended(item, 'skipped');
          skipped(item);
        },
      });
    },
  });
  return controller;
}
