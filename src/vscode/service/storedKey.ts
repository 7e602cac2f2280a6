/** What stands in the secret storage: a key and where it may go. */
export interface StoredKey {
  readonly key: string;
  /** Origins such as `https://host:8443`, as `URL.origin` writes them. */
  readonly origins: readonly string[];
}

/** What a header can carry, and no more: anything else would end up quoted in an error text. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

export function writeStoredKey(stored: StoredKey): string {
  return JSON.stringify({ key: stored.key, origins: stored.origins });
}

/** Undefined where the text is not one of ours: it is treated like no key, never sent. */
export function readStoredKey(text: string): StoredKey | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('key' in value) || !('origins' in value)) {
    return undefined;
  }
  const { key, origins } = value;
  if (typeof key !== 'string' || !isKey(key) || !Array.isArray(origins)) {
    return undefined;
  }
  return { key, origins: origins.filter((origin) => typeof origin === 'string') };
}

/** True when this origin is one of those that are allowed; `http://host:*` allows each port of a host. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  const anyPort = `${origin.replace(/:\d+$/, '')}:*`;
  return allowed.includes(origin) || allowed.includes(anyPort);
}

/** The hosts a key was saved for, to show to a person. */
export function hostsOf(origins: readonly string[]): string {
  const hosts = origins.map((origin) => URL.parse(origin)?.host ?? origin);
  return [...new Set(hosts)].join(', ');
}
