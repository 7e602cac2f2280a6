import { seededRandom } from '../../service/seededRandom.ts';

/** About four characters, as everywhere in Parlance. */
export const charactersPerToken = 4;

const words =
  'the service answers with a stream of small events and each of them holds one piece of text so the page can draw what is new while the rest stays where it was which keeps every frame short even in long replies that hold lists tables and code'.split(
    ' ',
  );

export type Shape = 'reply' | 'fence' | 'list' | 'table' | 'codeParts' | 'mathParts';

/** Markdown of `tokens` tokens, the same every time; `language` is on its code fences. */
export function documentOf(tokens: number, shape: Shape = 'reply', language = 'typescript'): string {
  const random = seededRandom(`document ${shape}`);
  const word = (): string => words[Math.floor(random() * words.length)] ?? 'word';
  const some = (count: number): string => Array.from({ length: count }, word).join(' ');
  const codeLine = (index: number): string =>
    `  const ${word()}${index} = await ${word()}.${word()}(${Math.floor(random() * 1000)}, '${some(2)}'); // ${some(3)}`;
  const row = (): string => `| ${some(2)} | \`${word()}\` | ${Math.floor(random() * 1e6)} |`;
  const tableHead = '| Name | Field | Value |\n| --- | --- | ---: |\n';
  const formulaLine = (index: number): string =>
    `\\sum_{i=0}^{${index + 2}} \\frac{a_i + ${Math.floor(random() * 1000)}}{\\sqrt{x_{${index}}^2 + y}} &= \\int_0^{${index + 1}} f(t)\\,dt`;
  const lines = (count: number, make: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => make(index)).join('\n');
  const part = (index: number): string => {
    switch (shape) {
      case 'fence':
        return `${index === 0 ? `\`\`\`${language}\n` : ''}${codeLine(index)}\n`;
      case 'list':
        return `- **${word()}** ${some(8)} \`${word()}\`\n`;
      case 'table':
        return `${index === 0 ? tableHead : ''}${row()}\n`;
      case 'codeParts':
        return `${some(30)} \`${word()}(${index})\` ${some(10)}\n\n\`\`\`${language}\n${lines(4, codeLine)}\n\`\`\`\n\n`;
      case 'mathParts':
        return `${some(30)} $x_{${index}}^2 + y$ ${some(10)}\n\n$$\n\\begin{aligned}\n${lines(4, (line) => `${formulaLine(line)} \\\\`)}\n\\end{aligned}\n$$\n\n`;
      case 'reply':
        return [
          `## ${some(4)}`,
          `${some(30)} **${some(3)}** ${some(20)} \`${word()}\` ${some(15)} [${some(2)}](https://example.com/${word()}).`,
          `${some(25)} *${some(2)}* ${some(25)}`,
          lines(5, () => `- ${some(10)} \`${word()}\` ${some(4)}`),
          `\`\`\`${language}\n${lines(12, codeLine)}\n\`\`\``,
          lines(4, (item) => `${item + 1}. **${word()}**: ${some(12)}`),
          tableHead + lines(5, row),
          `> ${some(20)}`,
          '',
        ].join('\n\n');
    }
  };
  const pieces: string[] = [];
  for (let length = 0, index = 0; length < tokens * charactersPerToken; index += 1) {
    const next = part(index);
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('').slice(0, tokens * charactersPerToken);
}
