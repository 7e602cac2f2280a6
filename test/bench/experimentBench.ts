import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/api/clock.ts';
import { InferenceClient, type InferenceClientDeps } from '../../src/api/inferenceClient.ts';
import { createTransport } from '../../src/api/transport/createTransport.ts';
import type { Experiment } from '../../src/core/experiments/experiment.ts';
import { ExperimentStore } from '../../src/vscode/experiments/experimentStore.ts';
import { recordedSender, type RecordedSenderDeps } from '../../src/vscode/experiments/recordedSender.ts';
import { openRequestLog } from '../../src/vscode/requests/openRequestLog.ts';

type Started = NonNullable<Awaited<ReturnType<ExperimentStore['start']>>>;
type Sending = Pick<RecordedSenderDeps, 'keepsReplies' | 'callsFor'>;

/** Runs experiments over real sockets, recorded on disk like any request, in a folder that's deleted afterwards. */
export class ExperimentBench implements AsyncDisposable {
  readonly #log: ReturnType<typeof openRequestLog>;
  readonly #store: ExperimentStore;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(log: ReturnType<typeof openRequestLog>, store: ExperimentStore, cleanup: AsyncDisposableStack) {
    this.#log = log;
    this.#store = store;
    this.#cleanup = cleanup;
  }

  static async open(endpoint: InferenceClientDeps['endpoint']): Promise<ExperimentBench> {
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-experiments-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const transport = createTransport({
      settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
    });
    cleanup.defer(() => transport.dispose());
    const onError = (error: unknown) => {
      throw error;
    };
    const client = new InferenceClient({ endpoint, transport });
    const log = openRequestLog({
      callsOf: () => client,
      folder: join(folder, 'requests'),
      limits: () => ({ maxCount: 100_000, maxBytes: 100_000_000 }),
      keepsBodies: () => true,
      clean: (data) => data,
      cleanBody: (data) => data,
      onError,
    });
    cleanup.defer(async () => {
      await log.history.flush();
      log.history.dispose();
    });
    const store = new ExperimentStore({ folder: join(folder, 'experiments'), onError, onUnsaved: onError });
    return new ExperimentBench(log, store, cleanup.move());
  }

  /** The recorded calls of a model. */
  readonly callsFor: RecordedSenderDeps['callsFor'] = (model, origin) => this.#log.calls.from(origin).forModel(model);

  /** @returns the run, once it has ended */
  async run(
    experiment: Experiment,
    { keepsReplies, callsFor = this.callsFor }: Pick<Sending, 'keepsReplies'> & Partial<Sending>,
  ): Promise<Started> {
    await this.#store.create(experiment);
    const started = await this.#store.start(experiment.id, {
      clock: systemClock,
      newId: () => crypto.randomUUID(),
      modelOf: () => undefined,
      send: recordedSender({
        experimentId: experiment.id,
        keepsReplies,
        callsFor,
        clean: (data) => data,
        cleanBody: (data) => data,
      }),
    });
    if (started === undefined) throw new Error('The experiment did not start');
    await this.#store.ended(started.run.id);
    return started;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }
}
