/**
 * Run by freshProcess.test.ts in a process of its own, because what it looks at is process-wide:
 * what is loaded, the slots of the global dispatcher, and the certificates of the environment.
 * Arguments: the service's origin, whether system certificates are on, and `fetch` where Node's own
 * fetch is to be used first, which fills the slots. Prints JSON.
 */
import { createRequire } from 'node:module';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport.ts';
import { hello, outcomeOf, plainSettings } from './testClient.ts';

const [origin = '', systemCertificates, first] = process.argv.slice(2);
const slots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const slotValues = (): readonly unknown[] => slots.map((slot) => Reflect.get(globalThis, slot) as unknown);
const { cache } = createRequire(import.meta.url);
const undiciFiles = (): number => Object.keys(cache).filter((file) => file.includes('/undici/')).length;

if (first === 'fetch') await fetch('data:,').then((response) => response.text());
const before = slotValues();
const transport = createTransport({
  settings: () => ({ ...plainSettings, systemCertificates: systemCertificates === 'true' }),
});
const client = new InferenceClient({
  endpoint: () => Promise.resolve({ baseUrl: new URL('/v1', origin), nativeUrl: new URL('/api', origin), apiKey: 'k' }),
  transport,
});
const loadedBefore = undiciFiles();
const outcome = await outcomeOf(client.streamChat(hello));
const after = slotValues();
client.dispose();
const unchanged = before.every((value, index) => value === after[index]);
process.stdout.write(
  JSON.stringify({ outcome, unchanged, hadOne: before.some(Boolean), loadedBefore, loadedAfter: undiciFiles() }),
);
