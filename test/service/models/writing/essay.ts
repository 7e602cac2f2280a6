import type { Sampler } from './sampler.ts';
import type { Topic } from './topic.ts';

/** Endless Markdown, block by block; each block ends with an empty line. The asked topic comes first, without a heading. */
export function* essay(topics: readonly Topic[], asked: Topic, sampler: Sampler): Generator<string, never, undefined> {
  yield* answer(asked, sampler);
  const others = topics.filter((topic) => topic !== asked);
  for (const topic of sampler.cycle(others.length > 0 ? others : topics)) {
    yield `## ${topic.heading}\n\n`;
    yield* answer(topic, sampler);
  }
  throw new Error('The cycle ended');
}

/** Opening, code, what to know about the code; then the rest in a chosen order. */
function* answer(topic: Topic, sampler: Sampler): Generator<string, void, undefined> {
  yield `${sampler.pick(topic.openings)}\n\n`;
  // The openings lead to the first sample.
  const [first, ...otherSamples] = topic.samples;
  if (first) yield* sample(first);
  const remarks = sampler.shuffle(topic.remarks);
  yield paragraph(remarks.slice(0, 3));
  const sections: readonly (() => Iterable<string>)[] = [
    () => ['### Step by step\n\n', steps(topic)],
    () => [`### ${sampler.pick(['What to choose', 'Side by side', 'The choices'])}\n\n`, ...table(topic)],
    () => ['### Before you merge\n\n', tasks(topic)],
    () => [`> ${topic.quote}\n\n`, paragraph(remarks.slice(3))],
    ...otherSamples.map((other) => () => ['### Another form\n\n', ...sample(other)]),
  ];
  for (const section of sampler.shuffle(sections)) yield* section();
  yield paragraph([topic.reference]);
}

function paragraph(sentences: readonly string[]): string {
  return `${sentences.join(' ')}\n\n`;
}

function* sample({ lead, language, code, notes }: Topic['samples'][number]): Generator<string, void, undefined> {
  yield `${lead}\n\n`;
  yield `\`\`\`${language}\n${code}\n\`\`\`\n\n`;
  yield `${notes.map((note) => `- ${note}`).join('\n')}\n\n`;
}

function steps({ steps: list }: Topic): string {
  const lines = list.flatMap(({ text, details }, index) => [
    `${index + 1}. ${text}`,
    ...details.map((detail) => `   - ${detail}`),
  ]);
  return `${lines.join('\n')}\n\n`;
}

function* table({ table: { lead, header, rows } }: Topic): Generator<string, void, undefined> {
  yield `${lead}\n\n`;
  const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  yield `${lines.join('\n')}\n\n`;
}

function tasks({ tasks: list }: Topic): string {
  return `${list.map((task, index) => `- [${index === 0 ? 'x' : ' '}] ${task}`).join('\n')}\n\n`;
}
