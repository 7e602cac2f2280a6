/** The service's ID of an exchange, from the headers that contain one; printable and bounded. */
export function requestIdOf(header: (name: string) => string | undefined): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-requestid']) {
    const id = cleanRequestId(header(name));
    if (id !== undefined) return id;
  }
  return undefined;
}

export function cleanRequestId(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const id = value.trim();
  return /^[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}
