import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import { fileDiffs } from './gitDiff.ts';

/** Of the whole diff, in characters: about 12,000 tokens, which every chat model of today holds. */
const longestDiff = 48_000;
/** One file must not push the others out. */
const longestFile = 12_000;
/** Of the names of files that are not shown any more. */
const longestList = 8_000;
/** What it takes to say that lines are left out. */
const longestNote = 40;

/** Written by tools: what changed in them says nothing that the other files do not say. */
const generated =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|composer\.lock|go\.sum|flake\.lock|.*\.min\.(js|css)|.*\.map)$/;

const instructions = `You write git commit messages. The user gives a diff. Answer with the message alone: no quotes, no code fence, no introduction.
First line: what the change does, in the imperative, at most 72 characters, no full stop.
Where the reason or the consequences are not obvious from it, a blank line and a few short lines more. Say nothing that the diff does not show.`;

/** What of a diff is sent. */
export interface ShortDiff {
  /** Empty where nothing of it may be sent, or where there is nothing. */
  readonly text: string;
  /** The files whose content is left out because they look secret; a name is empty where it cannot be told. */
  readonly secret: readonly string[];
}

/**
 * The question for a commit message.
 *
 * @param diff as `shortDiff` gives it
 * @param begun what stands in the input box already; empty for nothing.
 */
export function commitPrompt(diff: string, begun: string): readonly ChatMessage[] {
  const start = begun.trim() === '' ? '' : `The author began like this, so keep to it:\n${begun.trim()}\n\n`;
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: `${start}${diff}` },
  ];
}

/**
 * A diff without what tools wrote or what looks secret, and each file and the whole cut where they are long; it says
 * where. Files that have no room are named alone, and those that have no room for their name are counted.
 */
export function shortDiff(diff: string): ShortDiff {
  const files = fileDiffs(diff);
  const secret = files.filter(({ isSecret }) => isSecret).map(({ names }) => plainName(names));
  const shown: string[] = [];
  const others: string[] = [];
  let left = longestDiff;
  for (const { text, names, isSecret } of files) {
    if (isSecret && names.length === 0) continue;
    const most = isSecret || names.some((name) => generated.test(name)) ? 0 : Math.min(longestFile, left);
    const short = text.length <= most ? text : leftOut(text, most - longestNote);
    if (short.length > left) others.push(plainName(names));
    else {
      shown.push(short);
      left -= short.length;
    }
  }
  return { text: shown.join('') + nameList(others), secret };
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

/** As a person knows it: where it is now, without git's own prefix. */
function plainName(names: readonly string[]): string {
  return (names.at(-1) ?? '').replace(/^[abciow12]\//, '');
}

function nameList(names: readonly string[]): string {
  if (names.length === 0) return '';
  let left = longestList;
  const fitting: string[] = [];
  for (const name of names) {
    left -= name.length + 1;
    if (left < 0) break;
    fitting.push(name);
  }
  const more = names.length - fitting.length;
  const lines = more === 0 ? fitting : [...fitting, `and ${more} more files`];
  return `Also changed, and not shown:\n${lines.join('\n')}\n`;
}

/** The head of a file's diff stays: it names the file and says whether it is new. */
function leftOut(file: string, most: number): string {
  const hunks = file.indexOf('\n@@');
  const head = hunks < 0 ? (file.split('\n', 1)[0] ?? '') : file.slice(0, hunks);
  const kept = file.slice(0, Math.max(head.length, most));
  const lines = file.slice(kept.length).split('\n').length;
  return `${kept}\n[${lines} lines left out]\n`;
}
