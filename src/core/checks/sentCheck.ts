import type { ChatOptions } from '../../shared/chat.ts';
import { type ChatNumbers, chatNumbers } from '../../shared/chatParameters.ts';
import type { PromptOptions } from '../prompts/promptDefinition.ts';
import type { CheckMessage } from './checksFile.ts';

export interface SentCheck {
  readonly messages: readonly CheckMessage[];
  readonly options: ChatNumbers;
}

/** All of what's sent for a case: with the user's own settings, where neither the file nor the prompt says otherwise. */
export function sentCheck(
  {
    messages,
    options,
    hasSystemPrompt,
  }: {
    readonly messages: readonly CheckMessage[];
    readonly options: PromptOptions;
    readonly hasSystemPrompt: boolean;
  },
  defaults: ChatOptions,
): SentCheck {
  const all = { ...defaults, ...options };
  const { systemPrompt = '' } = defaults;
  const system =
    hasSystemPrompt && systemPrompt.trim() !== '' ? [{ role: 'system', content: systemPrompt } as const] : [];
  return { messages: [...system, ...messages], options: chatNumbers((name) => all[name]) };
}
