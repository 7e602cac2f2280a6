/**
 * Run by memory.test.ts in a process of its own, whose memory nobody else uses. Arguments: a service
 * that answers well, and those whose answers never end, each with what to ask: `chat@origin`,
 * `image@origin` or `video@origin`. Prints JSON: what each failed with, and by how many bytes the process grew at most
 * in the meantime.
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

/** Sampled, because the high-water mark of a process begins with that of the one that started it. */
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
// What any request needs is loaded and warm before it is measured.
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
