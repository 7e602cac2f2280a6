import * as l10n from '@vscode/l10n';
import { parse } from 'yaml';
import { bytesText } from '../../words/bytes.ts';
import { maxFilled } from './checksFile.ts';

/** `{{name}}`, the syntax of variables in promptfoo; nothing else of its templates is supported. */
const slot = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;
const template = /\{\{|\{%|\{#/;

export type Filled<T> = { readonly value: T } | { readonly fault: string };

/** What values can refer to. */
export interface ValueSources {
  /** For `{{name}}`. */
  readonly vars: Readonly<Record<string, string>>;
  /** The text of each file that's referenced as `file://…`, or why it can't be read. */
  readonly files: ReadonlyMap<string, Filled<string>>;
}

/**
 * A text with its variables filled in. Filled-in values aren't searched for variables.
 * @param most its length, in UTF-16 units, above which it isn't filled in: a small file could stand for gigabytes
 */
export function filledSlots(text: string, vars: ValueSources['vars'], most = maxFilled): Filled<string> {
  if (!template.test(text)) return text.length > most ? tooLong() : { value: text };
  let missing: string | undefined;
  const valueOf = (name: string) => {
    const known = Object.hasOwn(vars, name) ? vars[name] : undefined;
    if (known === undefined) missing ??= name;
    return known ?? '';
  };
  let length = text.length;
  for (const [all, name = ''] of text.matchAll(slot)) length += valueOf(name).length - all.length;
  if (template.test(text.replace(slot, '')))
    return { fault: l10n.t('In templates, only {0} is supported.', '{{name}}') };
  if (missing !== undefined) return { fault: l10n.t('There\'s no variable "{0}".', missing) };
  return length > most ? tooLong() : { value: text.replace(slot, (_all, name: string) => valueOf(name)) };
}

export function tooLong(): { readonly fault: string } {
  return { fault: l10n.t("With its variables filled in, it's larger than {0}.", bytesText(maxFilled)) };
}

/** The same for the value of an expectation: text, or each text of a list. */
export function filledValue(value: unknown, sources: ValueSources): Filled<unknown> {
  if (typeof value === 'string') return filledText(value, sources, maxFilled);
  if (!Array.isArray(value)) return { value };
  const filled: unknown[] = [];
  let left = maxFilled;
  for (const item of value as readonly unknown[]) {
    const each: Filled<unknown> = typeof item === 'string' ? filledText(item, sources, left) : { value: item };
    if ('fault' in each) return each;
    if (typeof each.value === 'string') left -= each.value.length;
    filled.push(each.value);
  }
  return { value: filled };
}

function filledText(text: string, { vars, files }: ValueSources, most: number): Filled<unknown> {
  if (text.startsWith('package:')) return { fault: runsCode(text) };
  return text.startsWith('file://') ? filledFile(text, files) : filledSlots(text, vars, most);
}

/** As in promptfoo: JSON and YAML files become data, and text loses surrounding white space. */
function filledFile(reference: string, files: ValueSources['files']): Filled<unknown> {
  const path = reference.toLowerCase();
  if (/\.(?:[cm]?[jt]s|py|rb)(?::\w+)?$/.test(path)) return { fault: runsCode(reference) };
  const read = files.get(reference) ?? { fault: l10n.t("This file can't be read: {0}", reference) };
  if ('fault' in read || !/\.(?:json|ya?ml|txt)$/.test(path)) {
    return 'fault' in read
      ? read
      : { fault: l10n.t('Only .json, .yaml, and .txt files are supported: {0}', reference) };
  }
  if (path.endsWith('.txt')) return { value: read.value.trim() };
  const known = parsed.get(files) ?? new Map<string, Filled<unknown>>();
  parsed.set(files, known);
  const data = known.get(reference) ?? parsedFile(reference, read.value);
  known.set(reference, data);
  return data;
}

/** The data in files, by reference: read once, however many cases refer to it. */
const parsed = new WeakMap<ValueSources['files'], Map<string, Filled<unknown>>>();

function parsedFile(reference: string, text: string): Filled<unknown> {
  try {
    return { value: parse(text, { maxAliasCount: 100, logLevel: 'error' }) };
  } catch (error) {
    return { fault: l10n.t("This file can't be read: {0}", error instanceof Error ? error.message : reference) };
  }
}

export function runsCode(name: string): string {
  return l10n.t('"{0}" runs code, which Parlance never does. This case isn\'t run.', name);
}

export function notSupported(name: string): string {
  return l10n.t('"{0}" isn\'t supported. This case isn\'t run.', name);
}
