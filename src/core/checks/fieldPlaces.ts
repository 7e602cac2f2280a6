/** Where a field that is written in a file of checks would belong. */
export interface FieldPlace {
  /** The field that it's below; absent at the top of the file. */
  readonly parent?: string;
  /**
   * The text that has to be in front of it, besides the existing text: spaces up to its column, or the dash of a first
   * item.
   */
  readonly prefix: string;
}

/** Fields whose value is a list of mappings. */
const lists = ['cases', 'assert', 'messages'];

/**
 * The possible places of a field on the last of these lines. There are two where a list isn't indented below its key:
 * in its last item, or after it.
 * @param lines up to where the field is written
 */
export function fieldPlaces(lines: readonly string[]): readonly FieldPlace[] {
  const { spaces, dash } = partsOfLine(lines.at(-1) ?? '');
  const above = lines.slice(0, -1);
  if (dash !== '') return [{ ...placeAt(above, spaces, true), prefix: '' }];
  const item = lastItem(above, spaces);
  if (item === undefined) return [placeAt(above, spaces, false)];
  // The editor leaves a new line at the column of the dash, where only the item can have more fields.
  const inItem = { ...placeAt(above, item.column, true), prefix: ' '.repeat(item.field - spaces) };
  const after = placeAt(above, spaces, false);
  return item.column < spaces || after.parent === inItem.parent ? [inItem] : [inItem, after];
}

/** The item of a list that a line with this indentation can be in, if its fields are further to the right. */
function lastItem(
  above: readonly string[],
  column: number,
): { readonly column: number; readonly field: number } | undefined {
  for (const line of above.toReversed()) {
    const { spaces, dash, isEmpty } = partsOfLine(line);
    if (isEmpty || spaces > column) continue;
    const field = spaces + dash.length;
    return dash !== '' && field > column ? { column: spaces, field } : undefined;
  }
  return undefined;
}

/** The field with less indentation. The dash of an item can be at the column of its list's key. */
function placeAt(above: readonly string[], column: number, isItem: boolean): FieldPlace {
  let limit = column;
  let isInItem = isItem;
  for (const line of above.toReversed()) {
    const { spaces, dash, key, isEmpty } = partsOfLine(line);
    if (isEmpty || spaces > limit || (spaces === limit && !(isInItem && dash === ''))) continue;
    if (dash === '' || spaces + dash.length < limit)
      return key === undefined ? nowhere : { parent: key, prefix: !isInItem && lists.includes(key) ? '- ' : '' };
    // The first line of the item that this field belongs to.
    limit = spaces;
    isInItem = true;
  }
  return nowhere;
}

const nowhere: FieldPlace = { prefix: '' };

function partsOfLine(line: string) {
  const [, spaces = '', dash = '', rest = ''] = /^(\s*)((?:-\s+)*)(.*)$/.exec(line) ?? [];
  const key = /^["']?([\w-]+)["']?:/.exec(rest)?.[1];
  return { spaces: spaces.length, dash, key, isEmpty: (dash + rest).trim() === '' || rest.startsWith('#') };
}
