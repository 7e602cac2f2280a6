import { bareHost, isThisMachine } from '../api/transport/proxyRoute.ts';
import { isPlainMark } from './requests/errorKind.ts';
import { type LoggedRequest, serviceOf } from './requests/requestLog.ts';

/** An error in Parlance itself. */
export interface LoggedError {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** The operation, in our own words. */
  readonly context: string;
  /** As returned by `errorKind`. */
  readonly kind: string;
}

/** The content of the report, as plain data. All of it is safe to paste in public. */
export interface DiagnosticFacts {
  /** Versions, the machine, and the kind of window, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** What is known about each service without a request, in the user's order: its URLs, its key, its models. */
  readonly services: readonly ReportedService[];
  /** Settings that differ from their defaults, in words that contain no secret. */
  readonly settings: Readonly<Record<string, string>>;
  /** Undefined if the request history can't be read. */
  readonly failures: readonly LoggedRequest[] | undefined;
  readonly errors: readonly LoggedError[];
  /** A moment, Unix time in milliseconds, as text. */
  readonly timeText: (at: number) => string;
}

export interface ReportedService {
  readonly id: string;
  readonly facts: Readonly<Record<string, string>>;
}

const commonPart = /^(?:v\d{1,2}(?:alpha|beta)?|api|openai|svcai|inference|chat|completions|models)$/;

/** Maximum number of failures in the report, newest first. */
const mostFailures = 10;

/**
 * A report to paste into an issue, in Markdown and in English, because its readers might not speak the user's language.
 * For a failure, it has the kind and the numbers, but no message: a service might quote the question, and the system a
 * path.
 */
export function diagnosticReport({
  versions,
  services,
  settings,
  failures,
  errors,
  timeText,
}: DiagnosticFacts): string {
  const parts = [
    '# Parlance diagnostics',
    list('Versions', versions),
    // By number, because a service's name might be a customer's.
    ...services.map(({ facts }, at) => list(services.length < 2 ? 'Service' : `Service ${at + 1}`, facts)),
    list('Settings that differ from the defaults', settings),
    section(
      'Latest failed requests',
      failures === undefined ? unreadable : latest(failures, timeText, placeIn(services)),
    ),
    section('Latest errors of Parlance itself', told(errors, timeText)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * The parts of a URL that help to find an error, without identifying the owner: `https, a name on the internet, port
 * 8443, path /v1`.
 */
export function reducedAddress(text: string): string {
  if (text.trim() === '') return 'not set';
  if (!URL.canParse(text)) return 'set, and not an address';
  const url = new URL(text);
  const { protocol, port, pathname, username } = url;
  return [
    protocol.slice(0, -1),
    hostKind(url),
    ...(port === '' ? [] : [`port ${port}`]),
    `path ${reducedPath(pathname)}`,
    ...(username === '' ? [] : ['with a login in it']),
  ].join(', ');
}

/** Only path segments that any service might have. Others might name an account or contain a token. */
function reducedPath(pathname: string): string {
  return pathname
    .split('/')
    .map((part) => (part === '' || commonPart.test(part) ? part : '…'))
    .join('/');
}

function hostKind(url: URL): string {
  if (isThisMachine(bareHost(url))) return 'this machine';
  const { hostname } = url;
  if (/^[\d.]+$|^\[/.test(hostname)) {
    const isPrivate = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[f[cd])/.test(hostname);
    return isPrivate ? 'an address in a private network' : 'an IP address';
  }
  return hostname.includes('.') ? 'a name' : 'a name without a domain';
}

/** ` of service 2`, if there are several. */
function placeIn(services: readonly ReportedService[]): (request: LoggedRequest) => string {
  if (services.length < 2) return () => '';
  return (request) => {
    const at = services.findIndex(({ id }) => id === serviceOf(request));
    return at === -1 ? ' of another service' : ` of service ${at + 1}`;
  };
}

function latest(
  failures: readonly LoggedRequest[],
  timeText: (at: number) => string,
  placeOf: (request: LoggedRequest) => string,
): readonly string[] {
  const rows = failures
    .toSorted((a, b) => b.at - a.at)
    .slice(0, mostFailures)
    .flatMap((request) => {
      const { at, operation, end } = request;
      if (end?.failure === undefined) return [];
      const { failure } = end;
      const numbers = ['status', 'code'].flatMap((name) => {
        const value: unknown = Reflect.get(failure, name);
        return isPlainMark(value) ? [`${name} ${value}`] : [];
      });
      return [`- ${timeText(at)} ${operation}${placeOf(request)}: ${[failure.kind, ...numbers].join(', ')}`];
    });
  return rows.length > 0 ? rows : ['None among the latest requests.'];
}

const unreadable = ["The request history can't be read."];

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
