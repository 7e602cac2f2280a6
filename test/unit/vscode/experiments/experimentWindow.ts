// A window in its own process: runs an experiment in a shared folder until it's killed or the run ends.
import { InferenceClient } from '../../../../src/api/inferenceClient.ts';
import { systemClock } from '../../../../src/api/clock.ts';
import { createTransport } from '../../../../src/api/transport/createTransport.ts';
import { ExperimentStore } from '../../../../src/vscode/experiments/experimentStore.ts';
import { recordedSender } from '../../../../src/vscode/experiments/recordedSender.ts';

const [folder = '', id = '', baseUrl = '', nativeUrl = '', apiKey = ''] = process.argv.slice(2);
const transport = createTransport({
  settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
});
const endpoint = { baseUrl: new URL(baseUrl), nativeUrl: new URL(nativeUrl), apiKey };
const client = new InferenceClient({ endpoint: () => Promise.resolve(endpoint), transport });
const fails = (error: unknown): never => {
  throw error;
};
const store = new ExperimentStore({
  folder,
  onError: fails,
  onUnsaved: fails,
});
const started = await store.start(id, {
  clock: systemClock,
  newId: () => crypto.randomUUID(),
  modelOf: () => undefined,
  send: recordedSender({
    experimentId: id,
    keepsReplies: false,
    callsFor: () => client,
    clean: (data) => data,
    cleanBody: (data) => data,
  }),
});
process.send?.(started === undefined ? 'busy' : 'started');
if (started !== undefined) await store.ended(started.run.id);
transport.dispose();
process.disconnect();
