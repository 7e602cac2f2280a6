import type { ChatMessage } from '../api/types.ts';
import { fileDiffs } from './gitDiff.ts';

/** Of the whole diff, in characters: about 12,000 tokens, which every chat model of today holds. */
const longestDiff = 48_000;
/** One file must not push the others out. */
const longestFile = 12_000;

/** Written by tools: what changed in them says nothing that the other files do not say. */
const generated =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|composer\.lock|go\.sum|flake\.lock|.*\.min\.(js|css)|.*\.map)$/;

const instructions = `You write git commit messages. The user gives a diff. Answer with the message alone: no quotes, no code fence, no introduction.
First line: what the change does, in the imperative, at most 72 characters, no full stop.
Where the reason or the consequences are not obvious from it, a blank line and a few short lines more. Say nothing that the diff does not show.`;

/**
 * The question for a commit message.
 *
 * @param begun what stands in the input box already; empty for nothing.
 */
export function commitPrompt(diff: string, begun: string): readonly ChatMessage[] {
  const start = begun.trim() === '' ? '' : `The author began like this, so keep to it:\n${begun.trim()}\n\n`;
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: `${start}${shortDiff(diff)}` },
  ];
}

/**
 * A diff without what tools wrote or what looks secret, and each file and the whole cut where they are long; it says
 * where.
 */
export function shortDiff(diff: string): string {
  let left = longestDiff;
  return fileDiffs(diff)
    .map(({ text, names, isSecret }) => {
      const most = isSecret || names.some((name) => generated.test(name)) ? 0 : Math.min(longestFile, left);
      const short = text.length <= most ? text : names.length === 0 ? '' : leftOut(text, most);
      left = Math.max(0, left - short.length);
      return short;
    })
    .join('');
}

/** The message in a reply, also where a model puts a fence or quotes around it; fit for a text that still grows. */
export function commitMessageIn(reply: string): string {
  // The box knows no other ends of lines.
  const inner = reply
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*```[^\n]*(\n|$)/, '')
    .replace(/(^|\n)```\s*$/, '');
  const text = inner.trim();
  const quoted = /^(["'`])([^\n]*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

/** The head of a file's diff stays: it names the file and says whether it is new. */
function leftOut(file: string, most: number): string {
  const hunks = file.indexOf('\n@@');
  const head = hunks < 0 ? (file.split('\n', 1)[0] ?? '') : file.slice(0, hunks);
  const kept = file.slice(0, Math.max(head.length, most));
  const lines = file.slice(kept.length).split('\n').length;
  return `${kept}\n[${lines} lines left out]\n`;
}
