import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const EXAMPLE = /^`{32} example\n([\s\S]*?)^\.\n[\s\S]*?^`{32}$/gm;

/** The Markdown of all examples of the CommonMark specification. */
export function specExamples(): string[] {
  const spec = readFileSync(createRequire(import.meta.url).resolve('commonmark-spec/spec.txt'), 'utf8');
  return [...spec.replace(/\r\n?/g, '\n').matchAll(EXAMPLE)].map(([, markdown = '']) => markdown.replaceAll('→', '\t'));
}

/** What GitHub's specification adds: its examples of tables, task lists, and strikethrough. */
export const gfmExamples: readonly string[] = [
  '| foo | bar |\n| --- | --- |\n| baz | bim |\n',
  '| abc | defghi |\n:-: | -----------:\nbar | baz\n',
  '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |\n',
  '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar\n',
  '| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar\n',
  '| abc | def |\n| --- |\n| bar |\n',
  '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |\n',
  '| abc | def |\n| --- | --- |\n',
  '- [ ] foo\n- [x] bar\n',
  '- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim\n',
  '~~Hi~~ Hello, ~there~ world!\n',
  'This ~~has a\n\nnew paragraph~~.\n',
  'This will ~~~not~~~ strike.\n',
];
