import type { ChatMessage } from '../../api/operations/chatCompletion.ts';
import { splitUnopenedThoughts } from '../../shared/text/unopenedThoughts.ts';
import { fileDiffs } from './gitDiff.ts';

/** Maximum length of the whole diff in characters: about 12,000 tokens, which fits every current chat model. */
const longestDiff = 48_000;
/** Maximum per file, so that one can't crowd out the others. */
const longestFile = 12_000;
/** Maximum total length of the names of files that aren't shown. */
const longestList = 8_000;
/** Room for the note about omitted lines. */
const longestNote = 40;

/** Generated files: their changes say nothing that the other files don't. */
const generated =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|composer\.lock|go\.sum|flake\.lock|.*\.min\.(js|css)|.*\.map)$/;

const instructions = `You write git commit messages. The user gives a diff. Answer with the message alone: no quotes, no code fence, no introduction.
First line: what the change does, in the imperative, at most 72 characters, no full stop.
Where the reason or the consequences are not obvious from it, a blank line and a few short lines more. Say nothing that the diff does not show.`;

/** The part of a diff that is sent. */
export interface ShortDiff {
  /** Empty if there's nothing to send, or nothing is allowed to be sent. */
  readonly text: string;
  /** The files whose content is left out because they might contain secrets. A name is empty if it's unknown. */
  readonly secret: readonly string[];
}

/**
 * The request for a commit message.
 * @param diff from `shortDiff`
 * @param begun the current text of the input box; empty for nothing.
 */
export function commitPrompt(diff: string, begun: string): readonly ChatMessage[] {
  const start = begun.trim() === '' ? '' : `The author began like this, so keep to it:\n${begun.trim()}\n\n`;
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: `${start}${diff}` },
  ];
}

/**
 * A diff without generated files and files that might contain secrets. Long files, and the whole diff, are cut with a
 * note. Files without room are only named, and if there's no room for the names either, counted.
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

/** The message in a reply, without a fence or quotes that a model puts around it. Works on unfinished text too. */
export function commitMessageIn(reply: string): string {
  // The input box uses no other line breaks.
  const whole = splitUnopenedThoughts(reply).text.replace(/\r\n?/g, '\n');
  const inner = whole.replace(/^\s*```[^\n]*(\n|$)/, '');
  // A message can end with a block of its own.
  const text = (inner === whole ? whole : inner.replace(/(^|\n)```\s*$/, '')).trim();
  const quoted = /^(["'`])((?:(?!\1)[^\n])*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

/** The path as users know it: where the file is now, without git's own prefix. */
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

/** The head of a file's diff is kept, because it names the file and says whether it's new. */
function leftOut(file: string, most: number): string {
  const hunks = file.indexOf('\n@@');
  const head = hunks < 0 ? (file.split('\n', 1)[0] ?? '') : file.slice(0, hunks);
  const kept = file.slice(0, Math.max(head.length, most));
  const lines = file.slice(kept.length).split('\n').length;
  return `${kept}\n[${lines} lines left out]\n`;
}
