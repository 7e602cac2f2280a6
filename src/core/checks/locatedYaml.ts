import * as l10n from '@vscode/l10n';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

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

/** A small file can grow into a huge value. */
const MAX_ALIASES = 100;

/** Reads YAML, whatever is wrong with it. The root is absent for an empty file and one that can't be read. */
export function readLocatedYaml(text: string): {
  readonly root?: Located;
  readonly errors: readonly (Place & { readonly message: string })[];
} {
  // Names are compared below: the library does it for each pair.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false, merge: true });
  const errors = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    ...place(pos[0], pos[1], text),
    message: l10n.t("This isn't valid YAML: {0}", message),
  }));
  if (document.errors.length > 0 || document.contents === null) return { errors };
  const reader = new Reader(document, text);
  const root = reader.located(document.contents);
  return { root, errors: [...errors, ...reader.errors] };
}

class Reader {
  readonly errors: (Place & { readonly message: string })[] = [];
  readonly #document: Document.Parsed;
  readonly #text: string;
  #aliases = 0;

  constructor(document: Document.Parsed, text: string) {
    this.#document = document;
    this.#text = text;
  }

  /** @param at where it's used, for what an alias stands for */
  located(node: unknown, at?: Place): Located {
    const own = at ?? this.#placeOf(node);
    if (isAlias(node)) {
      this.#aliases += 1;
      const target = this.#aliases > MAX_ALIASES ? undefined : node.resolve(this.#document);
      if (target !== undefined) return this.located(target, own);
      this.errors.push({ ...own, message: l10n.t("This file has too many aliases, or one that doesn't exist.") });
      return { ...own, plain: undefined };
    }
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

  #placeOf(node: unknown): Place {
    const range = isNode(node) ? node.range : undefined;
    return place(range?.[0] ?? 0, range?.[1] ?? 0, this.#text);
  }
}

/** At least one character, and no blank lines after it. */
function place(from: number, to: number, text: string): Place {
  const start = Math.min(from, Math.max(0, text.trimEnd().length - 1));
  const end = Math.min(to, start + text.slice(start, to).trimEnd().length);
  return { from: start, to: Math.max(start + 1, end) };
}

/** The field with that name; undefined where there's none. */
export function fieldOf({ fields }: Located, name: string): LocatedField | undefined {
  return fields?.find((field) => field.name === name);
}
