/** An address on the web as it was sent; undefined for anything else, such as `file:` or `javascript:`. */
export function webLink(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? value : undefined;
}
