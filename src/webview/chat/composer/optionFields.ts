import * as l10n from '@vscode/l10n';
import type { ChatOptions } from '../../../shared/chat.ts';

/** The parameters that are typed as a number. */
export type NumberOption = 'maxTokens' | 'temperature' | 'topP';

export type ParsedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'invalid'; readonly message: string };

const PLAIN_NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;

/** Reads what a person typed; a decimal comma is taken as a point. */
export function parseNumberOption(option: NumberOption, typed: string): ParsedNumber {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'empty' };
  const value = PLAIN_NUMBER.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  const message = complaint(option, value);
  return message === undefined ? { kind: 'value', value } : { kind: 'invalid', message };
}

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
  const names = ['systemPrompt', 'maxTokens', 'temperature', 'topP', 'stream'] as const;
  return names.every((name) => one[name] === other[name]);
}

function complaint(option: NumberOption, value: number): string | undefined {
  switch (option) {
    case 'maxTokens':
      return Number.isSafeInteger(value) && value >= 1 ? undefined : l10n.t('A whole number, 1 or more');
    case 'temperature':
      return value >= 0 ? undefined : l10n.t('A number, 0 or more');
    case 'topP':
      return value > 0 && value <= 1 ? undefined : l10n.t('A number above 0, at most 1');
  }
}
