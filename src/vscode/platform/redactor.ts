import { patternOf } from '../../shared/text/findText.ts';

const mark = '[key]';

// For secrets that aren't in the list: our own headers, or a login in a configured URL.
const bearer = /\b(bearer(?:\s+|%20))[\w.~+/=-]{16,}/gi;
const header = /\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?)[^\s"',;]+/gi;
const login = /:\/\/[^\s/?#@"']+@/g;

/** Shorter keys are removed only as whole words: by chance, they're part of others. */
const longEnough = 8;

function withoutKeys(text: string, secrets: readonly string[]): string {
  // Longest first, so that none is cut in half by another.
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form.length < longEnough ? asWord(form) : form, mark), text);
}

function asWord(form: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${patternOf(form)}(?![\p{L}\p{N}_])`, 'gu');
}

/** Removes secrets from a text that is about to be written or shown, in every form that they can have. */
export function redact(text: string, secrets: readonly string[]): string {
  return withoutKeys(text, secrets)
    .replace(header, `$1${mark}`)
    .replace(bearer, `$1${mark}`)
    .replace(login, '://[login]@');
}

/** One secret unchanged, in JSON, in a URL, and in base64. */
function formsOf(secret: string): readonly string[] {
  if (secret === '') {
    return [];
  }
  const bytes = new TextEncoder().encode(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    btoa(String.fromCharCode(...bytes)).replace(/=+$/, ''),
  ];
}

/** What examples for local servers give as a key, because a client demands one. */
const placeholders: ReadonlySet<string> = new Set(
  (
    'anything api-key api_key apikey dummy empty example fake llama llama-cpp llama.cpp lm-studio lmstudio local ' +
    'localhost no-api-key no-key no-key-needed no-key-required none not-needed not-required not-used null ollama ' +
    'placeholder secret sk-no-key-needed sk-no-key-required test token unused vllm your-api-key your_api_key'
  ).split(' '),
);

/**
 * Placeholders and keys of up to three characters aren't: `ollama` is in hosts, model IDs, and texts, which would be
 * sent again with something else in its place.
 */
function isSecret(key: string): boolean {
  return key.length > 3 && !placeholders.has(key.toLowerCase());
}

/**
 * The only redactor, which all output passes through. It learns each key that's a secret when it's read. The keys stay
 * in this closure, where no log, no object inspector, and no JSON finds them.
 */
export interface Redactor {
  readonly learn: (secret: string) => void;
  readonly clean: (text: string) => string;
  /** The same for every string inside plain data, for example an ApiFailure. */
  readonly cleanData: <T>(data: T) => T;
  /**
   * The same, but only for known keys, so that a user's own text about a header stays unchanged. For text that is sent
   * again.
   */
  readonly cleanKeys: <T>(data: T) => T;
}

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  const clean = (text: string) => redact(text, [...secrets]);
  return {
    learn: (secret) => {
      if (isSecret(secret)) {
        secrets.add(secret);
      }
    },
    clean,
    cleanData: (data) => mapTexts(data, clean),
    cleanKeys: (data) => mapTexts(data, (text) => withoutKeys(text, [...secrets])),
  };
}

function mapTexts<T>(data: T, clean: (text: string) => string): T;
function mapTexts(data: unknown, clean: (text: string) => string): unknown {
  if (typeof data === 'string') {
    return clean(data);
  }
  if (Array.isArray(data)) {
    return data.map((item: unknown) => mapTexts(item, clean));
  }
  if (typeof data === 'object' && data !== null) {
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, clean)]));
  }
  return data;
}
