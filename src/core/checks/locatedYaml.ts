import * as l10n from '@vscode/l10n';
import {
  boolCoreTag,
  COLLECTION_STYLE,
  type Event,
  EVENT_ID,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from 'js-yaml';

/** A range in a file, in UTF-16 units. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A value of a YAML file, with the positions of everything in it. */
export interface Located extends Place {
  /** As plain data. */
  readonly plain: unknown;
  /** For a mapping, in order. */
  readonly fields?: readonly LocatedField[];
  /** For a list. */
  readonly items?: readonly Located[];
}

export interface LocatedField {
  readonly name: string;
  /** Position of the name. */
  readonly at: Place;
  readonly value: Located;
}

type Fault = Place & { readonly message: string };
type Scalar = Extract<Event, { readonly type: typeof EVENT_ID.SCALAR }>;
type Collection = Extract<Event, { readonly type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>;

/**
 * A small file can expand to a huge value, so these limit the number of aliases and the total size of what they stand
 * for.
 */
const MAX_ALIASES = 100;
const MAX_ALIASED_VALUES = 20_000;
/** More errors than anyone reads. */
const MAX_ERRORS = 200;

/**
 * Reads YAML, whatever is wrong with it. The root is absent for an empty file and one that can't be read.
 *
 * Uses the events of js-yaml, which have the position of each value and take a tenth of the time of a whole syntax
 * tree: a file of a thousand cases is read again after each pause in typing.
 */
export function readLocatedYaml(text: string): { readonly root?: Located; readonly errors: readonly Fault[] } {
  let events: readonly Event[];
  try {
    events = parseEvents(text, {});
  } catch (error) {
    const from = Math.min((error instanceof YAMLException && error.mark?.position) || 0, Math.max(0, text.length - 1));
    const said = error instanceof YAMLException ? error.reason : String(error);
    const reason = said.includes('maxDepth') ? l10n.t("it's nested too deeply") : said;
    return { errors: [{ from, to: from + 1, message: invalid(reason) }] };
  }
  const reader = new Reader(text, events);
  const root = reader.root();
  return { ...(root !== undefined && { root }), errors: reader.errors };
}

function invalid(reason: string): string {
  return l10n.t("This isn't valid YAML: {0}", reason);
}

/** A list or a mapping. Few of them are needed as plain data. */
class LocatedList implements Located {
  readonly from: number;
  readonly to: number;
  readonly items: readonly Located[];
  #plain: readonly unknown[] | undefined;

  constructor({ from, to }: Place, items: readonly Located[]) {
    this.from = from;
    this.to = to;
    this.items = items;
  }

  get plain(): readonly unknown[] {
    return (this.#plain ??= this.items.map(({ plain }) => plain));
  }
}

class LocatedMapping implements Located {
  readonly from: number;
  readonly to: number;
  readonly fields: readonly LocatedField[];
  #plain: Readonly<Record<string, unknown>> | undefined;

  constructor({ from, to }: Place, fields: readonly LocatedField[]) {
    this.from = from;
    this.to = to;
    this.fields = fields;
  }

  get plain(): Readonly<Record<string, unknown>> {
    return (this.#plain ??= Object.fromEntries(this.fields.map(({ name, value }) => [name, value.plain])));
  }
}

class Reader {
  readonly errors: Fault[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, Located>();
  #next = 0;
  #aliases = 0;
  #aliasedValues = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  root(): Located | undefined {
    const documents = this.#events.filter(({ type }) => type === EVENT_ID.DOCUMENT);
    if (documents.length > 1) {
      this.#fault({ from: 0, to: 1 }, invalid(l10n.t('it has more than one document')));
      return undefined;
    }
    this.#next = 1;
    const first = this.#events[1];
    const isEmpty = first === undefined || first.type === EVENT_ID.POP || isBlank(first);
    return isEmpty ? undefined : this.#value({ from: 0, to: 1 });
  }

  /** @param before the element it's the value of, whose position is used if it has none */
  #value(before: Place): Located {
    const event = this.#events[this.#next];
    this.#next += 1;
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, this.#scalar(event, before));
      case EVENT_ID.SEQUENCE:
        return this.#anchored(event, this.#sequence(event));
      case EVENT_ID.MAPPING:
        return this.#anchored(event, this.#mapping(event));
      case EVENT_ID.ALIAS:
        return this.#alias(event.anchorStart, event.anchorEnd);
      default:
        return { ...before, plain: null };
    }
  }

  #scalar(event: Scalar, before: Place): Located {
    const place = isBlank(event) ? before : this.#placeOf(event);
    const text = getScalarValue(this.#text, event);
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd);
    if (tag === '') return { ...place, plain: event.style === SCALAR_STYLE.PLAIN ? implicit(text) : text };
    if (!/^!(?:!(?:str|int|float|bool|null))?$/.test(tag)) this.#fault(place, invalid(tag));
    return { ...place, plain: tag === '!' || tag === '!!str' ? text : implicit(text) };
  }

  #sequence(event: Collection): Located {
    const items: Located[] = [];
    while (!this.#isOver()) items.push(this.#value(this.#after(event, items.at(-1))));
    return new LocatedList(this.#span(event, items.at(-1)), items);
  }

  #mapping(event: Collection): Located {
    const fields = new Map<string, LocatedField>();
    const merged: LocatedField[] = [];
    let last: Located | undefined;
    while (!this.#isOver()) {
      const key = this.#value(this.#after(event, last));
      const value = this.#value(key);
      last = value;
      const name = key.fields === undefined && key.items === undefined ? String(key.plain) : '';
      if (name === '<<') for (const each of value.items ?? [value]) merged.push(...(each.fields ?? []));
      else if (fields.has(name)) this.#fault(key, l10n.t('"{0}" appears twice. Only one of them would count.', name));
      else fields.set(name, { name, at: { from: key.from, to: key.to }, value });
    }
    // Explicit fields override merged ones.
    for (const field of merged) if (!fields.has(field.name)) fields.set(field.name, field);
    return new LocatedMapping(this.#span(event, last), [...fields.values()]);
  }

  #alias(start: number, end: number): Located {
    const place = { from: Math.max(0, start - 1), to: end };
    this.#aliases += 1;
    const target = this.#aliases > MAX_ALIASES ? undefined : this.#anchors.get(this.#text.slice(start, end));
    return target === undefined ? this.#refused(place) : this.#moved(target, place);
  }

  /** The value of an alias, where it's used. */
  #moved(target: Located, place: Place): Located {
    this.#aliasedValues += 1;
    if (this.#aliasedValues > MAX_ALIASED_VALUES) return this.#refused(place);
    const { plain } = target;
    const fields = target.fields?.map(({ name, value }) => ({ name, at: place, value: this.#moved(value, place) }));
    const items = target.items?.map((item) => this.#moved(item, place));
    return { ...place, plain, ...(fields !== undefined && { fields }), ...(items !== undefined && { items }) };
  }

  #refused(at: Place): Located {
    this.#fault(at, l10n.t("This file has too many aliases, or one that doesn't exist."));
    return { ...at, plain: undefined };
  }

  #anchored({ anchorStart, anchorEnd }: Scalar | Collection, value: Located): Located {
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), value);
    return value;
  }

  /** Moves past the end of a collection if that's next. */
  #isOver(): boolean {
    const event = this.#events[this.#next];
    if (event !== undefined && event.type !== EVENT_ID.POP) return false;
    this.#next += 1;
    return true;
  }

  #after({ start }: Collection, last: Place | undefined): Place {
    const from = last === undefined ? start : last.to;
    return { from, to: from + 1 };
  }

  #span({ start, style }: Collection, last: Place | undefined): Place {
    const end = last?.to ?? start + 1;
    if (style === COLLECTION_STYLE.BLOCK) return { from: start, to: end };
    // Whether there are only spaces, commas, and comments before its bracket.
    const bracket = /(?:[\s,]|#[^\n]*)*[\]}]/y;
    bracket.lastIndex = end;
    return { from: start, to: bracket.test(this.#text) ? bracket.lastIndex : end };
  }

  /** With its quotes, and without the blank lines after it. */
  #placeOf({ valueStart, valueEnd, style }: Scalar): Place {
    const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
    if (isQuoted) return { from: valueStart - 1, to: valueEnd + 1 };
    const length = this.#text.slice(valueStart, valueEnd).trimEnd().length;
    return { from: valueStart, to: valueStart + Math.max(1, length) };
  }

  #fault({ from, to }: Place, message: string): void {
    if (this.errors.length < MAX_ERRORS) this.errors.push({ from, to, message });
  }
}

/** There's no text where a value could be. */
function isBlank(event: Event): boolean {
  return event.type === EVENT_ID.SCALAR && event.valueStart < 0;
}

/** The meaning of plain text: a number, a keyword like `true`, or just the text. */
function implicit(text: string): unknown {
  if (!/^(?:$|[-+.\d~nNtTfF])/.test(text)) return text;
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value: unknown = tag.resolve(text, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}

/** The field with that name; undefined if there's none. */
export function fieldOf({ fields }: Located, name: string): LocatedField | undefined {
  return fields?.find((field) => field.name === name);
}

/** Whether nothing is written there. */
export function isNull(value: Located): boolean {
  return value.fields === undefined && value.items === undefined && value.plain === null;
}
