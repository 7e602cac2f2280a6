import type { ChatOptions } from '../../shared/chat.ts';

/** The end of the name of a file with a prompt. */
export const promptFileEnding = '.prompt.md';

/** Where a prompt's reply is shown or inserted. */
export const promptTargets = ['newChat', 'currentChat', 'beside', 'cursor', 'replace', 'compare'] as const;

export type PromptTarget = (typeof promptTargets)[number];

/** The conversation that a question from outside the chat is added to. */
export type ChatPlace = Extract<PromptTarget, 'newChat' | 'currentChat'>;

/** What a prompt sets for its request. Absent fields come from the settings. */
export type PromptOptions = Omit<ChatOptions, 'systemPrompt' | 'stream'>;

/** A prompt as data, either built in or from a file. */
export interface PromptDefinition {
  /** Short, for lists and progress. */
  readonly title: string;
  readonly template: string;
  /** Instead of the template if nothing is sent besides the selection; undefined if that's the same. */
  readonly bareTemplate?: string;
  /** Where the reply is shown unless the user decides otherwise. */
  readonly target: PromptTarget;
  readonly options: PromptOptions;
  /** True if someone else might have written it: a file of the open folder. */
  readonly isForeign: boolean;
  /** URI of its file, if it has one. */
  readonly file?: string;
}
