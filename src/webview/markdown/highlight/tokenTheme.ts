import type { ThemeRegistrationRaw } from '@shikijs/types';

/** Scopes of each style. Later rows and longer scopes take precedence. The styles are classes in codeColors.css. */
const SCOPES: readonly (readonly [style: string, ...scopes: readonly string[]])[] = [
  ['comment', 'comment', 'punctuation.definition.comment', 'string.quoted.docstring'],
  ['string', 'string', 'punctuation.definition.string', 'constant.other.symbol', 'markup.inline.raw', 'markup.raw'],
  [
    'regexp',
    'string.regexp',
    'constant.character.escape',
    'constant.other.character-class',
    'keyword.operator.quantifier.regexp',
  ],
  ['number', 'constant.numeric', 'keyword.other.unit', 'constant.other.color'],
  ['constant', 'variable.other.constant', 'variable.other.enummember', 'support.constant', 'entity.name.constant'],
  [
    'keyword',
    'keyword',
    'storage',
    'constant.language',
    'variable.language',
    'punctuation.definition.template-expression',
    'punctuation.section.embedded',
    'meta.preprocessor',
    'entity.name.function.preprocessor',
    'keyword.operator.new',
    'keyword.operator.expression',
    'keyword.operator.logical.python',
    'punctuation.definition.keyword',
    'entity.other.attribute-name.pseudo-class',
    'markup.bold',
  ],
  ['control', 'keyword.control', 'keyword.other.using', 'keyword.operator.delete', 'source.sql keyword'],
  ['operator', 'keyword.operator', 'storage.type.function.arrow'],
  [
    'function',
    'entity.name.function',
    'support.function',
    'meta.function-call.generic',
    'variable.function',
    'entity.name.command',
    'entity.name.label',
  ],
  [
    'type',
    'entity.name.type',
    'entity.name.class',
    'entity.name.namespace',
    'entity.other.inherited-class',
    'support.class',
    'support.type',
    'storage.type.cs',
    'storage.type.java',
    'storage.type.primitive.java',
    'meta.type.cast.expr',
  ],
  [
    'variable',
    'variable',
    'meta.object-literal.key',
    'support.variable',
    'entity.name.variable',
    'support.type.property-name',
    'source.toml keyword.key',
  ],
  [
    'tag',
    'entity.name.tag',
    'punctuation.definition.tag',
    'markup.heading',
    'entity.name.section',
    'punctuation.definition.heading',
  ],
  [
    'attribute',
    'entity.other.attribute-name',
    'entity.name.tag.css',
    'entity.name.tag.yaml',
    'entity.other.attribute-name.class.css',
    'entity.other.attribute-name.id.css',
    'support.type.property-name.css',
  ],
  ['inserted', 'markup.inserted', 'punctuation.definition.inserted'],
  ['deleted', 'markup.deleted', 'punctuation.definition.deleted', 'invalid'],
  ['changed', 'markup.changed', 'meta.diff.range', 'meta.diff.header'],
  ['plain', 'meta.template.expression', 'string source', 'string.unquoted', 'string.unquoted.plain.out.yaml'],
];

const NO_STYLE = '#000000';

/** A TextMate theme whose colors are indexes of styles. The real colors follow VS Code's theme in CSS. */
export const tokenTheme: ThemeRegistrationRaw = {
  name: 'styles',
  type: 'dark',
  fg: NO_STYLE,
  bg: NO_STYLE,
  settings: SCOPES.map(([, ...scope], index) => ({ scope, settings: { foreground: marker(index + 1) } })),
};

/** The class for a color of {@link tokenTheme}; empty for text without a style. */
export function styleClass(color: string | undefined): string {
  const index = color === undefined ? 0 : Number.parseInt(color.slice(1), 16);
  const style = SCOPES[index - 1]?.[0];
  return style === undefined || style === 'plain' ? '' : `tok-${style}`;
}

function marker(index: number): string {
  return `#${index.toString(16).padStart(6, '0')}`;
}
