import * as l10n from '@vscode/l10n';
import { commaList } from './commaList.ts';
import type { ExpectationKind } from './expectation.ts';

interface Given {
  readonly kind: ExpectationKind;
  readonly value: unknown;
  readonly hasValue: boolean;
  readonly threshold: unknown;
}

/**
 * Why an expectation can't be decided for any reply: where promptfoo throws, and in a few cases where it would pass or
 * fail without having looked at the reply. Undefined if it can be decided.
 */
export function expectationFault({ kind, value, hasValue, threshold }: Given): string | undefined {
  switch (kind) {
    case 'equals':
      return hasValue ? undefined : l10n.t('"{0}" needs a value.', kind);
    case 'contains':
    case 'icontains':
      return isText(value) || (typeof value === 'number' && !Number.isNaN(value)) ? undefined : needsText(kind);
    case 'finish-reason':
      return typeof value === 'string' ? undefined : needsText(kind);
    case 'starts-with':
    case 'llm-rubric':
      return isText(value) ? undefined : needsText(kind);
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return isList(value) ? undefined : l10n.t('"{0}" needs a list, or text with commas.', kind);
    case 'regex':
      return regexFault(value);
    case 'is-json':
    case 'contains-json':
      return isSchema(value) ? undefined : l10n.t('"{0}" needs a JSON schema, or no value.', kind);
    case 'word-count':
      return wordCountFault(value);
    case 'latency':
    case 'cost':
      return typeof threshold === 'number' && Number.isFinite(threshold)
        ? undefined
        : l10n.t('"{0}" needs a threshold, for example {1}.', kind, kind === 'cost' ? 0.01 : 5000);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function needsText(kind: ExpectationKind): string {
  return l10n.t('"{0}" needs text as its value.', kind);
}

function isList(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && commaList(value) !== undefined;
  return Array.isArray(value) && value.every((item) => typeof item === 'string' || typeof item === 'number');
}

function isSchema(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string' || typeof value === 'object';
}

function regexFault(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return needsText('regex');
  try {
    return void new RegExp(value);
  } catch (error) {
    return l10n.t('This pattern has an error: {0}', error instanceof Error ? error.message : String(error));
  }
}

function wordCountFault(value: unknown): string | undefined {
  const fault = l10n.t('"word-count" needs a number, or "min" and "max".');
  if (typeof value === 'number') return Number.isNaN(value) ? fault : undefined;
  if (typeof value === 'string') return value.trim() === '' || Number.isNaN(Number(value)) ? fault : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fault;
  const min: unknown = Reflect.get(value, 'min') ?? undefined;
  const max: unknown = Reflect.get(value, 'max') ?? undefined;
  const areNumbers = [min, max].every((limit) => limit === undefined || typeof limit === 'number');
  if (!areNumbers || (min === undefined && max === undefined)) return fault;
  return typeof min === 'number' && typeof max === 'number' && min > max ? fault : undefined;
}
