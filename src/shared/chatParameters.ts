import { keysOf } from './mapTable.ts';
import type { NumberKind } from './numberKinds.ts';

interface ChatParameter {
  /** Its name in a request, and in the front matter of a prompt. */
  readonly wire: string;
  readonly kind: NumberKind;
  /** For a prompt's front matter. */
  readonly example: number;
}

/**
 * The numbers a user can set for a chat. Everything else is derived from this table: what a conversation stores, the
 * settings, the fields of the page, the front matter of prompts, and what is sent. A number that isn't set isn't sent.
 */
export const chatParameters = {
  maxTokens: { wire: 'max_tokens', kind: 'count', example: 800 },
  temperature: { wire: 'temperature', kind: 'fromZero', example: 0.2 },
  topP: { wire: 'top_p', kind: 'share', example: 0.9 },
} as const satisfies Readonly<Record<string, ChatParameter>>;

export type ChatParameterName = keyof typeof chatParameters;
export const chatParameterNames = keysOf(chatParameters);
export const chatParameterFields = chatParameterNames.map((name) => chatParameters[name].wire);

/** Absent if it isn't set. */
export type ChatNumbers = { readonly [K in ChatParameterName]?: number };

/** The same, named as in a request's body. */
export type ChatNumberFields = { readonly [K in ChatParameterName as (typeof chatParameters)[K]['wire']]?: number };

/** For a request's body. Numbers that aren't set are left out. */
export function chatNumberFields(numbers: ChatNumbers): ChatNumberFields {
  const fields: { -readonly [K in keyof ChatNumberFields]: number } = {};
  for (const name of chatParameterNames) {
    const value = numbers[name];
    if (value !== undefined) fields[chatParameters[name].wire] = value;
  }
  return fields;
}

/** The parameters that `valueOf` has a number for. */
export function chatNumbers(valueOf: (name: ChatParameterName) => unknown): ChatNumbers {
  const numbers: { -readonly [K in ChatParameterName]?: number } = {};
  for (const name of chatParameterNames) {
    const value = valueOf(name);
    if (typeof value === 'number' && Number.isFinite(value)) numbers[name] = value;
  }
  return numbers;
}
