/** An http or https URL, unchanged; undefined for anything else, for example `file:` or `javascript:`. */
export function webLink(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const protocol = URL.parse(value)?.protocol;
  return protocol === 'https:' || protocol === 'http:' ? value : undefined;
}
