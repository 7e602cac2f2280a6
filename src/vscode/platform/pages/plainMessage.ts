/**
 * The message as it arrives in a page: VS Code sends JSON, and bytes separately. A Buffer would arrive as an object
 * instead of bytes, because it has a `toJSON`, and a slice of a larger buffer would include all of that buffer. Anything
 * else stays the same object: a table of thousands of results isn't copied for the one that VS Code makes.
 * @throws TypeError for anything that would arrive as something else: a date, a map, a function …
 */
export function plainMessage(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'undefined':
      return value;
    case 'object':
      return value === null ? null : plainObject(value);
    default:
      throw new TypeError(`A ${typeof value} can't be sent to a page`);
  }
}

function plainObject(value: object): unknown {
  if (Array.isArray(value)) return plainList(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`A ${value.constructor.name} can't be sent to a page`);
  }
  let copy: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const plain = plainMessage(field);
    if (plain !== field) (copy ??= { ...value })[name] = plain;
  }
  return copy ?? value;
}

function plainList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [at, item] of list.entries()) {
    const plain = plainMessage(item);
    if (plain !== item) (copy ??= [...list])[at] = plain;
  }
  return copy ?? list;
}
