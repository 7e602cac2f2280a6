/**
 * Run by memory.test.ts in its own process, whose memory nobody else uses. Arguments: a service that responds
 * correctly, and those whose responses never end, each with a request: `chat@origin`, `image@origin`, or
 * `video@origin`. Prints JSON: the failure of each, and by how many bytes the process grew at most.
 */
import { failureOf, hello, outcomeOf, testClient } from './testClient.ts';
import { imageGeneration } from '../../../src/api/operations/imageGeneration.ts';
import { videoGeneration } from '../../../src/api/operations/videoGeneration.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';

async function kindOf(call: string, origin: string): Promise<string | undefined> {
  const { client, dispose } = testClient(origin);
  try {
    if (call === 'image')
      return (await failureOf(client.ask(imageGeneration({ model: 'm', positive_prompt: 'p' })))).kind;
    if (call === 'video') return (await failureOf(client.ask(videoGeneration({ model: 'm' })))).kind;
    return (await outcomeOf(client.stream(chatCompletion(hello)))).failure?.kind;
  } finally {
    dispose();
  }
}

/** Sampled, because the peak memory of a process starts with its parent's. */
async function grownBytesIn(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 1);
  await work();
  clearInterval(sampling);
  return Math.max(most, process.memoryUsage.rss()) - before;
}

const [calm = '', ...attacks] = process.argv.slice(2);
// Everything that any request needs is loaded and warm before the measurement.
for (let round = 0; round < 20; round++) await kindOf('chat', calm);
const report: { kind: string | undefined; grownBytes: number }[] = [];
for (const attack of attacks) {
  const [call = '', origin = ''] = attack.split('@');
  let kind: string | undefined;
  const grownBytes = await grownBytesIn(async () => {
    kind = await kindOf(call, origin);
  });
  report.push({ kind, grownBytes });
}
process.stdout.write(JSON.stringify(report));
