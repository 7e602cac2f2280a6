import * as v from 'valibot';
import { parseBaseUrl } from '../../api/service/baseUrl.ts';
import { modelPurposes, type StatedModel, type StatedModels } from '../models/statedModel.ts';
import { isHeader } from './serviceHeader.ts';
import { strayFields } from './strayFields.ts';
import { emptyEntry, maxNameLength, maxServices, type ServiceEntry } from './serviceEntry.ts';
import { mainServiceId } from '../../shared/modelRef.ts';
import { isRecord } from '../../shared/isRecord.ts';

/**
 * An error in the list of services, and its position. The value itself isn't included, because it might be a misplaced
 * key.
 */
export interface ServiceFault {
  readonly why:
    | 'notAList'
    | 'tooMany'
    | 'notAService'
    | 'sameName'
    | 'sameId'
    | 'sameBaseUrl'
    | 'badBaseUrl'
    | 'unknownField'
    | 'badField'
    | 'badHeader'
    | 'badModel'
    | 'otherService';
  /** Position of the service in the list, counted from 1; absent if it's about the list itself. */
  readonly position?: number;
  /** Maximum number of services in the list. */
  readonly most?: number;
  /** Name of the field, of the header, or of the model. */
  readonly field?: string;
}

export interface ReadServices {
  readonly entries: readonly ServiceEntry[];
  /** The position of each entry in the list, counted from 1. Invalid ones are left out. */
  readonly positions: readonly number[];
  readonly faults: readonly ServiceFault[];
}

const maxAddressLength = 2048;
const address = v.pipe(v.string(), v.maxLength(maxAddressLength), v.trim());
const page = v.pipe(
  address,
  v.check((text) => text === '' || isWebPage(text)),
);
const apiChoice = v.picklist(['auto', 'native', 'compatible']);

/** The fields of an entry, each checked separately, so that an invalid one doesn't affect the others. */
const fields: {
  readonly [F in Exclude<keyof ServiceEntry, 'headers' | 'models' | 'isNativeElsewhere'>]: v.GenericSchema<
    unknown,
    ServiceEntry[F]
  >;
} = {
  id: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)),
  name: v.pipe(
    v.string(),
    v.trim(),
    v.maxLength(maxNameLength),
    v.check((text) => isName(text)),
  ),
  baseUrl: address,
  nativeUrl: address,
  nativeSegment: v.pipe(v.string(), v.regex(/^(?!\.+$)[\w.-]{1,64}$/)),
  fallbackBaseUrl: address,
  keysPage: page,
  creditsPage: page,
  inferenceLogPage: page,
  chatApi: v.picklist(['compatible', 'native']),
  imageApi: apiChoice,
  mediaApi: apiChoice,
  dailyBudget: v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0))),
};

const price = v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0)));
const statedModel: v.GenericSchema<unknown, StatedModel> = v.strictObject({
  contextWindow: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  inputPrice: price,
  outputPrice: price,
  supports: v.exactOptional(v.array(v.picklist(modelPurposes))),
});

/**
 * Reads the setting, which a user might have written by hand. Never throws: invalid parts are left out and reported.
 * @param most maximum number of services
 */
export function readServices(raw: unknown, most = maxServices): ReadServices {
  if (!Array.isArray(raw)) {
    return { entries: [], positions: [], faults: raw === undefined ? [] : [{ why: 'notAList' }] };
  }
  const faults: ServiceFault[] = raw.length > most ? [{ why: 'tooMany', most }] : [];
  const read: { readonly entry: ServiceEntry; readonly position: number }[] = [];
  const hasMain = raw.some((item) => isRecord(item) && item['id'] === mainServiceId);
  for (const [index, item] of raw.slice(0, most).entries()) {
    const position = index + 1;
    if (!isRecord(item)) {
      faults.push({ why: 'notAService', position });
      continue;
    }
    const entry = readEntry(item, hasMain ? position : index, (fault) => faults.push({ ...fault, position }));
    const same = sameAs(
      entry,
      read.map((other) => other.entry),
    );
    if (same === undefined) read.push({ entry, position });
    else faults.push({ why: same, position });
  }
  const strays = strayFields(read.map(({ entry }) => entry));
  const entries = read.map(({ entry, position }, at) => {
    const { fields: stray = [], isDerivedNative = false } = strays[at] ?? {};
    faults.push(...stray.map((field) => ({ why: 'otherService' as const, field, position })));
    const own = { ...entry, ...Object.fromEntries(stray.map((field) => [field, ''])) };
    return { ...own, isNativeElsewhere: isDerivedNative && own.nativeUrl === '' };
  });
  return { entries, positions: read.map(({ position }) => position), faults };
}

/** The letters, digits, dots, and hyphens of a text, to build an ID from. */
export function idFrom(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');
  return plain.replaceAll(/^[.-]+|[.-]+$/g, '').slice(0, 48);
}

/** Whether a service can have this name. A slash would end the service's name in `service/provider/model`. */
export function isName(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what we look for
  return text.length <= maxNameLength && !/[/\u0000-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/.test(text);
}

function readEntry(
  item: Readonly<Record<string, unknown>>,
  index: number,
  tell: (fault: ServiceFault) => void,
): ServiceEntry {
  const read: { -readonly [F in keyof ServiceEntry]?: ServiceEntry[F] } = {};
  for (const [field, value] of Object.entries(item)) {
    if (field === 'headers') read.headers = readHeaders(value, tell);
    else if (field === 'models') read.models = readModels(value, tell);
    else if (!isField(field)) tell({ why: 'unknownField', field: field.slice(0, 40) });
    else {
      const checked = v.safeParse(fields[field], value);
      if (checked.success) Object.assign(read, { [field]: checked.output });
      else tell({ why: 'badField', field });
    }
  }
  const { name = '', baseUrl = '' } = read;
  // The entry stays: its box shows what was written, and what is wrong with it.
  if (baseUrl !== '' && !parseBaseUrl(baseUrl).ok) tell({ why: 'badBaseUrl' });
  return { ...emptyEntry, ...read, id: read.id ?? derivedId(name, baseUrl, index) };
}

/**
 * The ID of an entry that was written by hand without one. The first one always gets the same ID, so that its name and
 * base URL can change.
 */
function derivedId(name: string, baseUrl: string, index: number): string {
  if (index === 0) return mainServiceId;
  const parsed = parseBaseUrl(baseUrl);
  const id = idFrom(name) || (parsed.ok ? idFrom(parsed.url.host) : '');
  return id === '' || id === mainServiceId ? `${mainServiceId}-${index + 1}` : id;
}

function readHeaders(value: unknown, tell: (fault: ServiceFault) => void): Readonly<Record<string, string>> {
  if (!isRecord(value)) {
    tell({ why: 'badField', field: 'headers' });
    return {};
  }
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string' && isHeader(name, text)) headers[name.toLowerCase()] = text;
    else tell({ why: 'badHeader', field: name.slice(0, 40) });
  }
  return headers;
}

/** An invalid model doesn't affect the others. */
function readModels(value: unknown, tell: (fault: ServiceFault) => void): StatedModels {
  if (!isRecord(value)) {
    tell({ why: 'badField', field: 'models' });
    return {};
  }
  const models = new Map<string, StatedModel>();
  for (const [model, facts] of Object.entries(value)) {
    const checked = v.safeParse(statedModel, facts);
    if (checked.success && model !== '') models.set(model, checked.output);
    else tell({ why: 'badModel', field: model.slice(0, 80) });
  }
  return Object.fromEntries(models);
}

function sameAs(
  entry: ServiceEntry,
  others: readonly ServiceEntry[],
): 'sameId' | 'sameName' | 'sameBaseUrl' | undefined {
  const name = entry.name.toLowerCase();
  if (name !== '' && others.some((other) => other.name.toLowerCase() === name)) return 'sameName';
  const url = hrefOf(entry.baseUrl);
  if (url !== undefined && others.some((other) => hrefOf(other.baseUrl) === url)) return 'sameBaseUrl';
  return others.some(({ id }) => id === entry.id) ? 'sameId' : undefined;
}

function hrefOf(baseUrl: string): string | undefined {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.url.href : undefined;
}

function isField(field: string): field is keyof typeof fields {
  return Object.hasOwn(fields, field);
}

/** An http(s) URL without a login. */
function isWebPage(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '';
}
