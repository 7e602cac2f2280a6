import * as l10n from '@vscode/l10n';
import {
  type FieldName,
  type FieldRow,
  fieldsOf,
  type FormValues,
  longestAddress,
  longestPrompt,
  longestWord,
  type MediaInput,
  type MediaKind,
  type ParametersOf,
} from '../../shared/media.ts';
import { typedNumber } from '../kit/typedNumber.ts';

/** The errors of fields, by name. */
export type Complaints = Readonly<Partial<Record<FieldName | 'model', string>>>;

export type Parsed<K extends MediaKind> =
  | { readonly kind: 'fine'; readonly parameters: ParametersOf<K> }
  | { readonly kind: 'wrong'; readonly complaints: Complaints };

/** What a field contributes: its parameters, none if it was left empty, or what's wrong with it. */
type Read = { readonly complaint: string } | { readonly set: object };

/** What a form asks for. A field that is left empty is absent. Any value of the right type is accepted. */
export function parametersOf<K extends MediaKind>(kind: K, { texts, inputs }: FormValues): Parsed<K> {
  const complaints: Partial<Record<FieldName | 'model', string>> = {};
  const parameters: object = { kind };
  const typed: Readonly<Partial<Record<string, string>>> = texts;
  const given: Readonly<Partial<Record<string, MediaInput>>> = inputs;
  const take = (name: FieldName | 'model', read: Read): void => {
    if ('complaint' in read) complaints[name] = read.complaint;
    else Object.assign(parameters, read.set);
  };
  take('model', fitting('model', typed['model'], longestWord, l10n.t('Select a model, or type its ID')));
  for (const row of fieldsOf(kind)) take(row.name, readField(row, typed[row.name], given[row.name]));
  if (Object.keys(complaints).length > 0) return { kind: 'wrong', complaints };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table gives each field its name and its type
  return { kind: 'fine', parameters: parameters as ParametersOf<K> };
}

function readField(row: FieldRow, typed = '', given?: MediaInput): Read {
  const { name } = row;
  switch (row.type) {
    case 'prompt':
      return fitting(name, typed, longestPrompt, row.isNeeded ? l10n.t('Describe what to generate') : undefined);
    case 'word':
      return fitting(name, typed, longestWord);
    case 'number': {
      const read = typedNumber(typed, row.kind);
      if (read.kind === 'invalid') return { complaint: read.message };
      return { set: read.kind === 'empty' ? {} : { [name]: read.value } };
    }
    case 'size':
      return sizeOf(typed.trim());
    case 'input':
      return inputOf(name, given);
    case 'choice':
      return { set: typed === 'on' || typed === 'off' ? { [name]: typed === 'on' } : {} };
  }
}

/** @param needed the error if it's empty; undefined if it can be. */
function fitting(name: string, typed = '', most: number, needed?: string): Read {
  const value = typed.trim();
  if (value.length > most) return { complaint: tooLongText(value, most) };
  if (value === '') return needed === undefined ? { set: {} } : { complaint: needed };
  return { set: { [name]: value } };
}

function sizeOf(typed: string): Read {
  if (typed === '') return { set: {} };
  const [, width, height] = /^(\d{1,5})\s*[x×*:]\s*(\d{1,5})$/i.exec(typed) ?? [];
  if (Number(width) >= 1 && Number(height) >= 1) return { set: { width: Number(width), height: Number(height) } };
  return { complaint: l10n.t('Width and height in pixels, for example 1024x768') };
}

function inputOf(name: string, given: MediaInput | undefined): Read {
  if (given === undefined || (given.kind === 'address' && given.url.trim() === '')) return { set: {} };
  if (given.kind === 'file') return { set: { [name]: given } };
  const url = given.url.trim();
  if (url.length > longestAddress) return { complaint: tooLongText(url, longestAddress) };
  if (/^(https?:\/\/\S+|data:\S+)$/i.test(url)) return { set: { [name]: { kind: 'address', url } } };
  return { complaint: l10n.t('A URL that starts with https://, or a file') };
}

function tooLongText(value: string, most: number): string {
  return l10n.t('Too long: {0} of {1} characters', value.length, most);
}
