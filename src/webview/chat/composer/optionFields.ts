import type { ChatOptions } from '../../../shared/chat.ts';
import { chatParameterNames } from '../../../shared/chatParameters.ts';

/** The options with one of them set, or left out when `value` is undefined. */
export function withOption<K extends keyof ChatOptions>(
  options: ChatOptions,
  name: K,
  value: ChatOptions[K] | undefined,
): ChatOptions {
  const { [name]: _old, ...rest } = options;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Only the model is left: the rest is the settings' again. */
export function withoutParameters(options: ChatOptions): ChatOptions {
  return options.model === undefined ? {} : { model: options.model };
}

/** How many parameters a person set for this conversation; the model is not one. */
export function countParameters(options: ChatOptions): number {
  const { model: _model, ...parameters } = options;
  return Object.values(parameters).filter((value) => value !== undefined).length;
}

/** True where all that can be set here is the same, whatever the model is. */
export function sameParameters(one: ChatOptions, other: ChatOptions): boolean {
  const names = ['systemPrompt', 'stream', ...chatParameterNames] as const;
  return names.every((name) => one[name] === other[name]);
}
