import assert from 'node:assert/strict';
import { listModels } from '../../../../src/api/operations/listModels.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { FactsInMemory } from '../../../../src/api/service/serviceFacts.ts';
import { LateClient } from '../../../../src/vscode/service/lateClient.ts';
import { allOf, hello, plainSettings } from '../../api/testClient.ts';

describe("A service's client", () => {
  /** @returns with a promise that is fulfilled when the key is read, which never ends. */
  function openLocked() {
    const asked = Promise.withResolvers<void>();
    const endpoint = () => {
      asked.resolve();
      return new Promise<never>(() => {});
    };
    const facts = Object.assign(new FactsInMemory(), { load: () => Promise.reject(new Error('no service is known')) });
    const client = new LateClient({ endpoint, facts, settings: () => plainSettings, firstByteMs: () => undefined });
    return { client, asked: asked.promise };
  }

  it("stops its first call at once, though it's still reading the key", async () => {
    for (const call of [
      (client: LateClient, signal: AbortSignal) => client.ask(listModels, { signal }),
      (client: LateClient, signal: AbortSignal) => client.discover({ signal }),
      (client: LateClient, signal: AbortSignal) => allOf(client.stream(chatCompletion(hello), { signal })),
    ]) {
      const { client, asked } = openLocked();
      const abort = new AbortController();
      const running = call(client, abort.signal);
      await asked;
      const reason = new Error('stopped by the person');
      abort.abort(reason);
      await assert.rejects(running, (error) => error === reason);
      client.dispose();
    }
  });
});
