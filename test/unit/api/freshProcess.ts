/**
 * Run by freshProcess.test.ts in its own process, because it checks process-wide state: loaded modules, the slots of
 * the global dispatcher, and the certificates of the environment. Arguments: the service's origin, whether system
 * certificates are on, and `fetch` if Node's own fetch is to be used first, which fills the slots. Prints JSON.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';
import { isMainThread } from 'node:worker_threads';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import { hello, outcomeOf, plainSettings } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

const [origin = '', systemCertificates, first] = process.argv.slice(2);
const slots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const slotValues = (): readonly unknown[] => slots.map((slot) => Reflect.get(globalThis, slot) as unknown);
const { cache } = createRequire(import.meta.url);
const undiciFiles = (): number => Object.keys(cache).filter((file) => /[\\/]undici[\\/]/.test(file)).length;

let workers = 0;
process.on('worker', () => (workers += 1));
let systemReadsHere = 0;
const { getCACertificates } = tls;
tls.getCACertificates = (type) => {
  if (type === 'system' && isMainThread) systemReadsHere += 1;
  return getCACertificates(type);
};
syncBuiltinESMExports();

if (first === 'fetch') await fetch('data:,').then((response) => response.text());
const before = slotValues();
let settings = { ...plainSettings, systemCertificates: systemCertificates === 'true' };
const clientOfItsOwn = (): InferenceClient =>
  new InferenceClient({
    endpoint: () =>
      Promise.resolve({ baseUrl: new URL('/v1', origin), nativeUrl: new URL('/api', origin), apiKey: 'k' }),
    transport: createTransport({ settings: () => settings }),
  });
const client = clientOfItsOwn();
const loadedBefore = undiciFiles();
const outcome = await outcomeOf(client.stream(chatCompletion(hello)));
const after = slotValues();
// With other settings and its own transport, independent of the first.
settings = { ...settings, noProxy: ['elsewhere.test'] };
const second = clientOfItsOwn();
const later = [
  await outcomeOf(client.stream(chatCompletion(hello))),
  await outcomeOf(second.stream(chatCompletion(hello))),
];
client.dispose();
second.dispose();
const unchanged = before.every((value, index) => value === after[index]);
process.stdout.write(
  JSON.stringify({
    outcome,
    later: later.map(({ text }) => text),
    unchanged,
    hadOne: before.some(Boolean),
    loadedBefore,
    loadedAfter: undiciFiles(),
    workers,
    systemReadsHere,
  }),
);
