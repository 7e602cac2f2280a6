/** An error as a service, a server, or a gateway has been seen to return it: facts from elsewhere, not our wording. */
export interface VendorError {
  readonly name: string;
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of a chat. */
  readonly call?: 'transcription' | 'chatWithImage' | 'models';
  /** Sent without an API key. */
  readonly isKeyless?: true;
  /** The context window that it states, in tokens. */
  readonly window?: number;
}

export const of = (name: string, status: number, body: unknown, headers?: VendorError['headers']): VendorError => ({
  name,
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'content-type': typeof body === 'string' ? typeOf(body) : 'application/json', ...headers },
});
const typeOf = (body: string): string => (body.trimStart().startsWith('<') ? 'text/html' : 'text/plain');
export const page = (title: string, more = ''): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n${more}</body>\r\n</html>\r\n`;
export const inStream = (name: string, status: number, body: unknown): VendorError =>
  of(name, status, `data: ${JSON.stringify(body)}\n\n`, { 'content-type': 'text/event-stream' });
export const stating = (window: number, error: VendorError): VendorError => ({ ...error, window });
export const openAi = (message: string, type: string, code: string | null, param: string | null = null) => ({
  error: { message, type, param, code },
});
