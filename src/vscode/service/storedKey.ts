/** An entry in the secret storage: a key and where it's allowed. */
export interface StoredKey {
  readonly key: string;
  /** Origins as `URL.origin` writes them, for example `https://host:8443`. */
  readonly origins: readonly string[];
}

/** Only the characters that a header can contain: anything else would end up quoted in an error text. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

export function writeStoredKey(stored: StoredKey): string {
  return JSON.stringify({ key: stored.key, origins: stored.origins });
}

/** Undefined if the text isn't ours. It's then treated like a missing key, and never sent. */
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

/** True if this origin is allowed. `http://host:*` allows each port of a host. */
export function allowsOrigin(allowed: readonly string[], origin: string): boolean {
  const anyPort = `${origin.replace(/:\d+$/, '')}:*`;
  return allowed.includes(origin) || allowed.includes(anyPort);
}

/** The hosts that a key was saved for, to show to the user. */
export function hostsOf(origins: readonly string[]): string {
  const hosts = origins.map((origin) => URL.parse(origin)?.host ?? origin);
  return [...new Set(hosts)].join(', ');
}
