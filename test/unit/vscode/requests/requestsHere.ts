import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceClient } from '../../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../../src/api/transport/createTransport.ts';
import type { Transport } from '../../../../src/api/transport/transport.ts';
import type { Endpoint } from '../../../../src/api/types.ts';
import type { ChosenApis } from '../../../../src/vscode/service/lateClient.ts';
import { createRedactor, type Redactor } from '../../../../src/vscode/platform/redactor.ts';
import {
  openRequestLog,
  type RequestLogDeps,
  type OpenRequestLog,
} from '../../../../src/vscode/requests/openRequestLog.ts';
import { type InferenceService, startInferenceService } from '../../../service/inferenceService.ts';

/** Windows that share a request history, and the local service that they use. */
export class RequestsHere {
  readonly service: InferenceService;
  readonly folder: string;
  readonly redactor: Redactor = createRedactor();
  readonly errors: unknown[] = [];
  readonly #transport: Transport;
  readonly #windows: OpenRequestLog[] = [];

  private constructor(service: InferenceService, folder: string) {
    this.service = service;
    this.folder = folder;
    this.#transport = createTransport({
      settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
    });
  }

  static async start(tokensPerSecond = Infinity): Promise<RequestsHere> {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-requests-'));
    return new RequestsHere(await startInferenceService({ tokensPerSecond }), folder);
  }

  /** Unrecorded requests to the service. */
  client(
    endpoint: () => Promise<Endpoint> = () => this.#endpoint(),
    apis: ChosenApis = { imageApi: () => 'native' },
  ): InferenceClient {
    return new InferenceClient({ endpoint, ...apis, transport: this.#transport });
  }

  async #endpoint(): Promise<Endpoint> {
    const { service, redactor } = this;
    redactor.learn(service.apiKey);
    return { baseUrl: new URL(service.baseUrl), nativeUrl: new URL(service.nativeUrl), apiKey: service.apiKey };
  }

  window(options: Partial<RequestLogDeps> = {}): OpenRequestLog {
    const client = this.client();
    const window = openRequestLog({
      callsOf: () => client,
      folder: this.folder,
      limits: () => ({ maxCount: 100_000, maxBytes: 100_000_000 }),
      keepsBodies: () => true,
      clean: this.redactor.cleanData,
      cleanBody: this.redactor.cleanKeys,
      onError: (error) => this.errors.push(error),
      ...options,
    });
    this.#windows.push(window);
    return window;
  }

  /** Empties the history, with no writes pending. */
  async clear(): Promise<void> {
    for (const { history } of this.#windows) await history.flush();
    await this.window().history.clear();
  }

  /** Everything the history has on disk. */
  async onDisk(): Promise<string> {
    const names = await readdir(this.folder);
    return (await Promise.all(names.map((name) => readFile(join(this.folder, name), 'utf8')))).join('\n');
  }

  async stop(): Promise<void> {
    for (const { history } of this.#windows) {
      history.dispose();
      await history.flush();
    }
    this.#transport.dispose();
    await this.service.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
