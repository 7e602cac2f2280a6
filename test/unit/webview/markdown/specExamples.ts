import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const EXAMPLE = /^`{32} example\n([\s\S]*?)^\.\n[\s\S]*?^`{32}$/gm;

/** The Markdown of all examples of the CommonMark specification. */
export function specExamples(): string[] {
  const spec = readFileSync(createRequire(import.meta.url).resolve('commonmark-spec/spec.txt'), 'utf8');
  return [...spec.replace(/\r\n?/g, '\n').matchAll(EXAMPLE)].map(([, markdown = '']) => markdown.replaceAll('→', '\t'));
}
