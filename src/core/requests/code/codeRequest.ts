import { type RequestOperation, requestOperations } from '../requestOperations.ts';

/** A request as it is written down in code. */
export interface CodeRequest {
  readonly operation: RequestOperation;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The service needs no key. */
  readonly isKeyless?: boolean;
}

/** A form with a file in it, which lies beside the code when that runs. */
export interface CodeForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly fileName: string;
  readonly mediaType: string;
}

/** The form of a transcription; undefined for what is sent as JSON. */
export function formOf({ operation, body }: CodeRequest): CodeForm | undefined {
  if (requestOperations[operation].sends !== 'form' || body === undefined) return undefined;
  const { file, ...fields } = body;
  const { name, media_type: mediaType }: { name?: unknown; media_type?: unknown } =
    typeof file === 'object' && file !== null ? file : {};
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)])),
    // Its folder is not known, and a name must not lead anywhere.
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

/** The base address where the request is a client library's own operation, which appends this path. */
export function baseBefore(url: string, path: string): string | undefined {
  return url.endsWith(path) ? url.slice(0, -path.length) : undefined;
}

/** JSON over several lines, the later ones indented: a literal of both TypeScript and, but for three words, Python. */
export function literal(value: unknown, indent: number): string {
  return JSON.stringify(value, undefined, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

/** Whether the answer may be a file, which would only mess up a terminal. */
export function savesAnswer({ operation }: CodeRequest): boolean {
  return requestOperations[operation].gives === 'file';
}

/** What a shell calls an answer that may be a file: only the service knows of what kind. */
export const savedAs = 'answer.bin';

/** TypeScript about a `response` that holds a file, or JSON with its address. The service names no path with its type. */
export const printedOrSaved: readonly string[] = [
  "const type = response.headers.get('content-type') ?? '';",
  'if (/json|^text\\//.test(type)) console.log(await response.text());',
  "else await writeFile(`answer.${/\\/(\\w+)/.exec(type)?.[1] ?? 'bin'}`, Buffer.from(await response.arrayBuffer()));",
];

/** TypeScript after which `fetch` waits as long as it takes. */
export const patientFetch: readonly string[] = [
  '// npm install undici: without this, the fetch that comes with Node gives up after 300 s of silence.',
  'setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));',
];
export const patientFetchImport = "import { Agent, setGlobalDispatcher } from 'undici';";
