import * as l10n from '@vscode/l10n';
import { isMap, isNode, parseDocument } from 'yaml';

/** The value of a field, and its position. Offsets are UTF-16 units in the front matter. */
export interface FrontMatterField {
  readonly name: string;
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** What is wrong with the whole block, in words. */
export interface FrontMatterError {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Parses the YAML between the dashes, even with errors. The only file that loads the YAML library for this. */
export function readFrontMatter(yaml: string): {
  readonly fields: readonly FrontMatterField[];
  readonly errors: readonly FrontMatterError[];
} {
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' });
  const errors = [...document.errors, ...document.warnings].map(({ pos, message }) => {
    const from = Math.min(pos[0], Math.max(0, yaml.trimEnd().length - 1));
    const to = Math.max(from + 1, Math.min(pos[1], yaml.length));
    return { message: l10n.t("This isn't valid YAML: {0}", message), from, to };
  });
  const { contents } = document;
  if (document.errors.length > 0 || contents === null) return { fields: [], errors };
  if (!isMap(contents)) {
    const message = l10n.t('Write one field per line, for example "description: …".');
    return { fields: [], errors: [...errors, { message, from: 0, to: yaml.trimEnd().length }] };
  }
  const fields = contents.items.flatMap(({ key, value }): readonly FrontMatterField[] => {
    if (!isNode(key)) return [];
    const place = isNode(value) && value.range ? value.range : key.range;
    const [from, to] = place ?? [0, 1];
    return [{ name: String(key), value: plain(), from, to: Math.max(to, from + 1) }];

    function plain(): unknown {
      try {
        // Only a few aliases, because a small file could expand to a huge value.
        return isNode(value) ? value.toJS(document, { maxAliasCount: 10 }) : value;
      } catch {
        return undefined;
      }
    }
  });
  return { fields, errors };
}
