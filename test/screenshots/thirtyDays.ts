import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeRequestRecord, type RequestRecord } from '../../src/core/requests/requestRecord.ts';
import { seededRandom } from '../service/seededRandom.ts';
import { examples } from './exampleModels.ts';

const dayMs = 86_400_000;
/** How often each model of `examples` is used, out of ten. */
const shares = [4, 3, 1, 1, 1, 0];
const questions = [
  'Why does this test fail only on CI?',
  'Write the migration for the new column',
  'Explain the retry loop in plain words',
  'Name this function better',
  'Is there a race between these two timers?',
  'Turn this callback into async/await',
];

/**
 * Writes the request history of someone who used the models in the images for thirty days: more on weekdays, a failure
 * now and then, each model at about its own speed.
 * @param storage the folder in which Parlance keeps its files
 */
export async function writeThirtyDays(storage: string, now: number): Promise<void> {
  const random = seededRandom('thirty days');
  const records: RequestRecord[] = [];
  for (let day = 29; day >= 0; day--) {
    const noon = now - day * dayMs - 3 * 3_600_000;
    const isWeekend = [0, 6].includes(new Date(noon).getDay());
    const count = Math.round((isWeekend ? 3 : 12) + random() * (isWeekend ? 5 : 16));
    for (let place = 0; place < count; place++) {
      const at = noon - 4 * 3_600_000 + (place / count) * 6 * 3_600_000;
      records.push(...request(`example-${day}-${place}`, at, random));
    }
  }
  const folder = join(storage, 'requests');
  await mkdir(folder, { recursive: true });
  const lines = records.map((record) => `${encodeRequestRecord(record)}\n`);
  await writeFile(join(folder, `${String(Math.round(records[0]?.at ?? now)).padStart(15, '0')}.jsonl`), lines.join(''));
}

function request(id: string, at: number, random: () => number): readonly RequestRecord[] {
  const model = examples[pick(random)] ?? examples[0];
  if (!model) return [];
  const writer = 'example';
  const promptTokens = Math.round(200 + random() * 3000);
  const completionTokens = Math.round(80 + random() * 700);
  const rate = model.tokensPerSecond * (0.9 + random() * 0.2);
  const first = (model.firstTokenDelayMs / 1000) * (0.85 + random() * 0.4);
  const total = first + completionTokens / rate;
  const service = (value: number) => ({ value: Number(value.toFixed(3)), from: 'service' as const });
  const started: RequestRecord = {
    ...{ type: 'started', id, pid: 1, operation: 'chat', origin: { kind: 'chat' }, model: model.id },
    ...{ asked: questions[Math.floor(random() * questions.length)] ?? '', writer, at },
  };
  if (random() < 0.02) {
    return [started, { type: 'ended', id, outcome: 'failed', metrics: {}, status: 503, writer, at: at + 900 }];
  }
  return [
    started,
    {
      ...{ type: 'ended', id, outcome: 'done', finishReason: 'stop', status: 200, writer, at: at + total * 1000 },
      cost: promptTokens * model.price.perPromptToken + completionTokens * model.price.perCompletionToken,
      metrics: {
        ...{ timeToFirstTokenSeconds: service(first), tokensPerSecond: service(rate), totalSeconds: service(total) },
        ...{ promptTokens: service(promptTokens), completionTokens: service(completionTokens) },
      },
    },
  ];
}

function pick(random: () => number): number {
  let left = random() * shares.reduce((sum, share) => sum + share, 0);
  return Math.max(
    0,
    shares.findIndex((share) => (left -= share) < 0),
  );
}
