import { isPlainMark } from './requests/errorKind.ts';
import type { LoggedRequest } from './requests/requestLog.ts';

/** Something that went wrong in Parlance itself. */
export interface LoggedError {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** What was done, in our own words. */
  readonly context: string;
  /** As `errorKind` has it. */
  readonly kind: string;
}

/** What the report says, as plain data. All of it is to be pasted where anybody reads it. */
export interface DiagnosticFacts {
  /** What runs, by name: versions, the machine, the kind of window. */
  readonly versions: Readonly<Record<string, string>>;
  /** Of each address what matters, by what it is for. */
  readonly addresses: Readonly<Record<string, string>>;
  /** What is known without a request: the key, the list of models, the proxy. */
  readonly state: Readonly<Record<string, string>>;
  /** Settings that differ from their defaults, in words that hold no secret. */
  readonly settings: Readonly<Record<string, string>>;
  /** Undefined where the log of requests cannot be read. */
  readonly failures: readonly LoggedRequest[] | undefined;
  readonly errors: readonly LoggedError[];
  /** A moment, Unix time in milliseconds, as text. */
  readonly timeText: (at: number) => string;
}

const commonPart = /^(?:v\d{1,2}(?:alpha|beta)?|api|openai|svcai|inference|chat|completions|models)$/;

/** Newest of the failures that are told. */
const mostFailures = 10;

/**
 * A report to paste into an issue, in Markdown and in English, because those who read it may not speak the
 * person's language. Of a failure it has its kind and its numbers, and none of its words: a service may
 * quote in them what was asked, and the system a path.
 */
export function diagnosticReport({
  versions,
  addresses,
  state,
  settings,
  failures,
  errors,
  timeText,
}: DiagnosticFacts): string {
  const parts = [
    '# Parlance diagnostics',
    list('Versions', versions),
    list('Service', { ...addresses, ...state }),
    list('Settings that differ from the defaults', settings),
    section('Latest failed requests', failures === undefined ? unreadable : latest(failures, timeText)),
    section('Latest errors of Parlance itself', told(errors, timeText)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * What of an address matters to find a fault, without saying whose it is: `https, a name on the internet,
 * port 8443, path /v1`.
 */
export function reducedAddress(text: string): string {
  if (text.trim() === '') return 'not set';
  if (!URL.canParse(text)) return 'set, and not an address';
  const { protocol, hostname, port, pathname, username } = new URL(text);
  return [
    protocol.slice(0, -1),
    hostKind(hostname),
    ...(port === '' ? [] : [`port ${port}`]),
    `path ${reducedPath(pathname)}`,
    ...(username === '' ? [] : ['with a login in it']),
  ].join(', ');
}

/** Of the parts those that every service may have: any other may name an account or hold a token. */
function reducedPath(pathname: string): string {
  return pathname
    .split('/')
    .map((part) => (part === '' || commonPart.test(part) ? part : '…'))
    .join('/');
}

function hostKind(hostname: string): string {
  if (/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return 'this machine';
  if (/^[\d.]+$|^\[/.test(hostname)) {
    const isPrivate = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[f[cd])/.test(hostname);
    return isPrivate ? 'an address in a private network' : 'an IP address';
  }
  return hostname.includes('.') ? 'a name' : 'a name without a domain';
}

function latest(failures: readonly LoggedRequest[], timeText: (at: number) => string): readonly string[] {
  const rows = failures
    .toSorted((a, b) => b.at - a.at)
    .slice(0, mostFailures)
    .flatMap(({ at, operation, end }) => {
      if (end?.failure === undefined) return [];
      const { failure } = end;
      const numbers = ['status', 'code'].flatMap((name) => {
        const value: unknown = Reflect.get(failure, name);
        return isPlainMark(value) ? [`${name} ${value}`] : [];
      });
      return [`- ${timeText(at)} ${operation}: ${[failure.kind, ...numbers].join(', ')}`];
    });
  return rows.length > 0 ? rows : ['None among the latest requests.'];
}

const unreadable = ['The log of requests cannot be read.'];

function told(errors: readonly LoggedError[], timeText: (at: number) => string): readonly string[] {
  const rows = errors
    .toSorted((a, b) => b.at - a.at)
    .map(({ at, context, kind }) => `- ${timeText(at)} ${context}: ${kind}`);
  return rows.length > 0 ? rows : ['None since the window opened.'];
}

function list(title: string, facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
  return section(title, rows.length > 0 ? rows : ['None.']);
}

function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, '', ...lines].join('\n');
}
