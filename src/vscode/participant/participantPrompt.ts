import { afterSurroundings, beforeSurroundings } from '../../core/prompts/surroundings/surroundingPieces.ts';

/** What a user attached or has selected. */
export interface PromptCode {
  readonly name: string;
  readonly language: string;
  readonly text: string;
  /** The text is only the beginning. */
  readonly isCut?: boolean;
  /** Sent with the code, but not what the question is about. */
  readonly isReference?: boolean;
}

export type CodeCommand = 'explain' | 'fix' | 'tests';

const tasks: Readonly<Record<CodeCommand, string>> = {
  explain: 'Explain this code: what it does, how, and what to watch out for.',
  fix: 'Find what is wrong with this code and fix it. Give the whole corrected code, then in short what was wrong.',
  tests:
    'Write tests for this code. Cover the edge cases. Use the test framework of the project, or else the one usual for the language.',
};

export const beforeProblems = 'Problems that the editor reports:';

/**
 * The text of one turn, with the code that it's about.
 * @param above what earlier turns sent. The active file is part of every turn, so code that was sent before is only
 * mentioned by name. Reference material that was sent before is left out.
 */
export function participantPrompt(
  command: string | undefined,
  words: string,
  code: readonly PromptCode[],
  above: readonly PromptCode[] = [],
): string {
  const task = command !== undefined && isCodeCommand(command) ? tasks[command] : '';
  const isKnown = (each: PromptCode) => above.some((earlier) => isSame(earlier, each));
  const references = code.filter((each) => each.isReference === true && !isKnown(each)).map(fenced);
  const reference = references.length === 0 ? [] : [beforeSurroundings, ...references, afterSurroundings];
  const blocks = code
    .filter(({ isReference }) => isReference !== true)
    .map((each) => (isKnown(each) ? named(each) : fenced(each)));
  return [task, words.trim(), ...reference, ...blocks].filter((part) => part !== '').join('\n\n');
}

export function isCodeCommand(command: string): command is CodeCommand {
  return Object.hasOwn(tasks, command);
}

function isSame(one: PromptCode, other: PromptCode): boolean {
  return one.name === other.name && one.text === other.text;
}

function named({ name }: PromptCode): string {
  return `${name}: the same as above`;
}

/** In a fence longer than any in the code, so that the code can't end it. */
function fenced({ name, language, text, isCut = false }: PromptCode): string {
  if (text === '') return name;
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${name}${isCut ? ' (only its start)' : ''}\n${fence}${language}\n${text}\n${fence}`;
}
