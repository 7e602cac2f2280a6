import * as l10n from '@vscode/l10n';
import { type Alias, type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument, visit } from 'yaml';

/** Where something stands: UTF-16 units of its file. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A value of a YAML file, with the place of everything in it. */
export interface Located extends Place {
  /** As plain data. */
  readonly plain: unknown;
  /** Of a mapping, in order. */
  readonly fields?: readonly LocatedField[];
  /** Of a list. */
  readonly items?: readonly Located[];
}

export interface LocatedField {
  readonly name: string;
  /** Of the name. */
  readonly at: Place;
  readonly value: Located;
}

/** A small file can grow into a huge value: how many aliases are read, and how much all of them together stand for. */
const MAX_ALIASES = 100;
const MAX_ALIASED_VALUES = 20_000;
/** The library takes many seconds for a file of nothing but brackets. */
const MAX_BRACKETS = 1000;
/** More than anybody reads. */
const MAX_ERRORS = 200;

/** Reads YAML, whatever is wrong with it. The root is absent for an empty file and one that can't be read. */
export function readLocatedYaml(text: string): {
  readonly root?: Located;
  readonly errors: readonly (Place & { readonly message: string })[];
} {
  if (openBrackets(text) > MAX_BRACKETS) {
    const message = l10n.t("This isn't valid YAML: {0}", l10n.t('too many brackets that are never closed'));
    return { errors: [{ from: 0, to: 1, message }] };
  }
  // Names are compared below: the library does it for each pair.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false, merge: true });
  const reader = new Reader(document, text);
  const errors = [...document.errors, ...document.warnings].slice(0, MAX_ERRORS).map(({ pos, message }) => ({
    ...reader.place(pos[0], pos[1]),
    message: l10n.t("This isn't valid YAML: {0}", message),
  }));
  if (document.errors.length > 0 || document.contents === null) return { errors };
  const root = reader.located(document.contents);
  return { root, errors: [...errors, ...reader.errors] };
}

/** Those that are open at once, at the most; in quotes and comments too. */
function openBrackets(text: string): number {
  let most = 0;
  let open = 0;
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (sign === '[' || sign === '{' ? 1 : -1));
    most = Math.max(most, open);
  }
  return most;
}

class Reader {
  readonly errors: (Place & { readonly message: string })[] = [];
  readonly #text: string;
  /** Without the blank lines at its end. */
  readonly #length: number;
  readonly #targets = new Map<Alias, unknown>();
  #aliases = 0;
  #aliasedValues = 0;

  constructor(document: Document.Parsed, text: string) {
    this.#text = text;
    this.#length = text.trimEnd().length;
    const anchors = new Map<string, unknown>();
    // All at once: the library goes through the whole file for each.
    visit(document, {
      Node: (_key, node) => {
        if (isAlias(node)) this.#targets.set(node, anchors.get(node.source));
        else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  /** @param at where it's used, for what an alias stands for */
  located(node: unknown, at?: Place): Located {
    const own = at ?? this.#placeOf(node);
    if (at !== undefined) this.#aliasedValues += 1;
    if (isAlias(node)) {
      this.#aliases += 1;
      const isTooMuch = this.#aliases > MAX_ALIASES || this.#aliasedValues > MAX_ALIASED_VALUES;
      const target = isTooMuch ? undefined : this.#targets.get(node);
      return target === undefined ? this.#refused(own) : this.located(target, own);
    }
    if (at !== undefined && this.#aliasedValues > MAX_ALIASED_VALUES) return this.#refused(own);
    if (isMap(node)) {
      const fields = this.#fields(node.items, at);
      return { ...own, fields, plain: Object.fromEntries(fields.map(({ name, value }) => [name, value.plain])) };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.located(item, at));
      return { ...own, items, plain: items.map(({ plain }) => plain) };
    }
    return { ...own, plain: isScalar(node) ? node.value : undefined };
  }

  #refused(at: Place): Located {
    if (this.errors.length < MAX_ERRORS)
      this.errors.push({ ...at, message: l10n.t("This file has too many aliases, or one that doesn't exist.") });
    return { ...at, plain: undefined };
  }

  #fields(items: readonly { readonly key: unknown; readonly value: unknown }[], at?: Place): readonly LocatedField[] {
    const fields = new Map<string, LocatedField>();
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (name === '<<' && isNode(value)) {
        // What's written out counts more than what's merged in.
        for (const field of this.located(value, at).fields ?? [])
          if (!fields.has(field.name)) fields.set(field.name, field);
        continue;
      }
      const keyPlace = at ?? this.#placeOf(key);
      const own = value === null ? { ...keyPlace, plain: null } : this.located(value, at);
      if (fields.get(name)?.at === keyPlace) continue;
      fields.set(name, { name, at: keyPlace, value: own });
    }
    return [...fields.values()];
  }

  /** At least one character, and no blank lines after it. */
  place(from: number, to: number): Place {
    const start = Math.min(from, Math.max(0, this.#length - 1));
    const end = Math.min(to, start + this.#text.slice(start, to).trimEnd().length);
    return { from: start, to: Math.max(start + 1, end) };
  }

  #placeOf(node: unknown): Place {
    const range = isNode(node) ? node.range : undefined;
    return this.place(range?.[0] ?? 0, range?.[1] ?? 0);
  }
}

/** The field with that name; undefined where there's none. */
export function fieldOf({ fields }: Located, name: string): LocatedField | undefined {
  return fields?.find((field) => field.name === name);
}
