import { type RequestOperation, requestOperations } from '../requestOperations.ts';

/** A request as code is generated for it. */
export interface CodeRequest {
  readonly operation: RequestOperation;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The environment variable that the code reads the key from. */
  readonly keyVariable: string;
  /** The service needs no key. */
  readonly isKeyless?: boolean;
  /** Headers that the user set for the service, in lower case; never a secret. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The environment variable for a service's key. The one that Parlance itself reads has the key of the service that is
 * first in the list, which must not be sent to another one. No two services have the same variable: `a.b` has `A_B`,
 * `a-b` has `A__B`, and other marks between letters are spelled out.
 *
 * @param service its ID
 * @param first ID of the first one
 */
export function keyVariableOf(service: string, first: string): string {
  if (service === first) return 'SERVICE_API_KEY';
  const named = service.toUpperCase().replaceAll(/[.-]+/g, (marks) => {
    if (marks === '.') return '_';
    return marks === '-' ? '__' : `___${marks.replaceAll('.', 'P').replaceAll('-', 'D')}_`;
  });
  return `SERVICE_${named}_API_KEY`;
}

/** Always in the same order, without the headers that the code sets itself. */
export function ownHeaders({ headers = {} }: CodeRequest): readonly (readonly [string, string])[] {
  return Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A form with a file in it, which must be next to the code when it runs. */
export interface CodeForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The form of a transcription; undefined for JSON requests. */
export function formOf({ operation, body }: CodeRequest): CodeForm | undefined {
  if (requestOperations[operation].sends !== 'form' || body === undefined) return undefined;
  const { file, ...fields } = body;
  const { name, media_type: mediaType }: { name?: unknown; media_type?: unknown } =
    typeof file === 'object' && file !== null ? file : {};
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)])),
    // Its folder is unknown, and a name must not lead into another one.
    fileName: textOr(name, 'audio').replace(/^.*[/\\]/s, ''),
    mediaType: textOr(mediaType, 'application/octet-stream'),
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

export function isStreamed({ body }: CodeRequest): boolean {
  return body?.['stream'] === true;
}

/** The base URL, if the request is a client library's own operation, which appends this path. */
export function baseBefore(url: string, path: string): string | undefined {
  return url.endsWith(path) ? url.slice(0, -path.length) : undefined;
}

/**
 * JSON on several lines, indented from the second one. A valid literal in TypeScript and, apart from three words, in
 * Python.
 */
export function literal(value: unknown, indent: number): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Whether the response might be a file, which would mess up a terminal. */
export function savesAnswer({ operation }: CodeRequest): boolean {
  return requestOperations[operation].gives === 'file';
}

/** The name for a response that might be a file, whose type only the service knows. */
export const savedAs = 'answer.bin';

/** TypeScript for a `response` that is a file, or JSON with its URL. The service doesn't give the path a type. */
export const printedOrSaved: readonly string[] = [
  "const type = response.headers.get('content-type') ?? '';",
  'if (/json|^text\\//.test(type)) console.log(await response.text());',
  "else await writeFile(`answer.${/\\/(\\w+)/.exec(type)?.[1] ?? 'bin'}`, Buffer.from(await response.arrayBuffer()));",
];

/** TypeScript that makes `fetch` wait as long as necessary. */
export const patientFetch: readonly string[] = [
  '// npm install undici: without this, the fetch that comes with Node gives up after 300 s of silence.',
  'setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));',
];
export const patientFetchImport = "import { Agent, setGlobalDispatcher } from 'undici';";
