import type { ModelDefinition } from '../models/modelDefinition.ts';
import { rowDresses } from './rowDresses.ts';

type Row = object;

/** The possible forms of a whole model list. */
const shapes = {
  list: { what: '`{object: "list", data: […]}`', body: (rows) => ({ object: 'list', data: rows }) },
  array: { what: 'a bare array', body: (rows) => rows },
  models: { what: '`{models: […]}`', body: (rows) => ({ models: rows }) },
  'data-models': { what: '`{data: {models: […]}}`', body: (rows) => ({ data: { models: rows } }) },
  'model-field': { what: 'rows with `model` in place of `id`', body: (rows) => list(rows.map(renameTo('model'))) },
  'name-field': { what: 'rows with `name` in place of `id`', body: (rows) => list(rows.map(renameTo('name'))) },
  'ids-only': { what: 'a bare array of IDs', body: (rows) => rows.map(idOf) },
  'odd-ids': {
    what: 'besides the others, IDs with no slash, with several, and with spaces',
    body: (rows) => list(rows),
  },
  duplicates: { what: 'every model twice', body: (rows) => list([...rows, ...rows]) },
} as const satisfies Readonly<
  Record<string, { readonly what: string; readonly body: (rows: readonly Row[]) => unknown }>
>;

export type CatalogShape = keyof typeof shapes;

export const catalogShapes: readonly { readonly name: CatalogShape; readonly what: string }[] = Object.entries(
  shapes,
).map(([name, { what }]) => ({ name: name as CatalogShape, what }));

interface CatalogOptions {
  readonly size: number;
  readonly listsHidden: boolean;
  readonly shape: CatalogShape;
}

/** The response to a model list request: at most `size` models, followed by the hidden ones if wanted. */
export function catalogBody(models: Iterable<ModelDefinition>, options: CatalogOptions): unknown {
  const all = [...models];
  const shown = all.filter(({ hidden }) => !hidden).slice(0, options.size);
  const hidden = all.filter((model) => model.hidden && (options.listsHidden || wantsOdd(model, options.shape)));
  return shapes[options.shape].body([...shown, ...hidden].map((model) => rowDresses[model.dress ?? 'full'](model)));
}

function wantsOdd({ id }: ModelDefinition, shape: CatalogShape): boolean {
  return shape === 'odd-ids' && !/^[\w.-]+\/[\w.-]+$/.test(id);
}

function list(rows: readonly unknown[]): object {
  return { object: 'list', data: rows };
}

function renameTo(field: string): (row: Row) => Row {
  return (row) => {
    const { id, ...rest } = row as Readonly<Record<string, unknown>>;
    return { [field]: id, ...rest };
  };
}

function idOf(row: Row): unknown {
  return 'id' in row ? row.id : undefined;
}
