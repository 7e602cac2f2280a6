/** A table with the same keys, and with the result of `make` for each row. */
export function mapTable<K extends string, V, R>(
  table: Readonly<Record<K, V>>,
  make: (row: V, key: K) => R,
): Record<K, R> {
  const made = keysOf(table).map((key) => [key, make(table[key], key)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key of the table is in it
  return Object.fromEntries(made) as Record<K, R>;
}

/** A table that contains only what its type says. */
export function keysOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly K[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.keys forgets the type
  return Object.keys(table) as K[];
}
