import type { ChatOptions } from '../../shared/chat.ts';

/** Where the reply of a prompt goes. */
export const promptTargets = ['newChat', 'currentChat', 'beside', 'cursor', 'replace', 'compare'] as const;

export type PromptTarget = (typeof promptTargets)[number];

/** Which conversation a question from outside of the chat goes to. */
export type ChatPlace = Extract<PromptTarget, 'newChat' | 'currentChat'>;

/** What a prompt sets for its request. What is absent comes from the settings. */
export type PromptOptions = Omit<ChatOptions, 'systemPrompt' | 'stream'>;

/** A prompt as data, whether built in or from a file. */
export interface PromptDefinition {
  /** Short, for lists and progress. */
  readonly title: string;
  readonly template: string;
  /** Where the reply goes unless the person says otherwise. */
  readonly target: PromptTarget;
  readonly options: PromptOptions;
  /** True where somebody else may have written it: a file of the folder that is open. */
  readonly isForeign: boolean;
}
