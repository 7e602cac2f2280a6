import * as l10n from '@vscode/l10n';
import { isWithin, type NumberKind, numberKinds } from '../../shared/numberKinds.ts';

export type TypedNumber =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'invalid'; readonly message: string };

const plainNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;

/** Reads a typed number. A decimal comma counts as a point. */
export function typedNumber(typed: string, kind: NumberKind): TypedNumber {
  const trimmed = typed.trim();
  if (trimmed === '') return { kind: 'empty' };
  const value = plainNumber.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  return isWithin(value, numberKinds[kind]) ? { kind: 'value', value } : { kind: 'invalid', message: wanted(kind) };
}

/** The keyboard for it on a phone or tablet. */
export function inputModeOf(kind: NumberKind): 'numeric' | 'decimal' {
  return 'integer' in numberKinds[kind] ? 'numeric' : 'decimal';
}

function wanted(kind: NumberKind): string {
  const words: Readonly<Record<NumberKind, string>> = {
    count: l10n.t('A whole number, 1 or more'),
    whole: l10n.t('A whole number'),
    fromZero: l10n.t('A number, 0 or more'),
    share: l10n.t('A number above 0, at most 1'),
  };
  return words[kind];
}
