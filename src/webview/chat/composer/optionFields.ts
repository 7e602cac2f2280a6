import { type ChatOptions, optionNames } from '../../../shared/chat.ts';

/** The options with one of them set, or removed if `value` is undefined. */
export function withOption<K extends keyof ChatOptions>(
  options: ChatOptions,
  name: K,
  value: ChatOptions[K] | undefined,
): ChatOptions {
  const { [name]: _old, ...rest } = options;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Only the model is kept. The settings decide everything else again. */
export function withoutParameters(options: ChatOptions): ChatOptions {
  return options.model === undefined ? {} : { model: options.model };
}

/** How many parameters a user set for this conversation, without the model. */
export function countParameters(options: ChatOptions): number {
  const { model: _model, ...parameters } = options;
  return Object.values(parameters).filter((value) => value !== undefined).length;
}

/** True if everything that can be set here is the same, ignoring the model. */
export function sameParameters(one: ChatOptions, other: ChatOptions): boolean {
  return optionNames.every((name) => name === 'model' || one[name] === other[name]);
}
