/** The error table of the specification, and other statuses that services of this kind return. */
const errorTable: Readonly<Record<number, { readonly type: string; readonly code: string; readonly param?: string }>> =
  {
    400: { type: 'invalid_request_error', code: 'invalid_request' },
    401: { type: 'authentication_error', code: 'missing_api_key' },
    402: { type: 'insufficient_quota', code: 'insufficient_quota' },
    403: { type: 'permission_error', code: 'insufficient_quota' },
    404: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
    405: { type: 'invalid_request_error', code: 'method_not_allowed' },
    408: { type: 'invalid_request_error', code: 'request_timeout' },
    410: { type: 'invalid_request_error', code: 'gone' },
    413: { type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
    418: { type: 'invalid_request_error', code: 'teapot' },
    429: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    500: { type: 'server_error', code: 'internal_error' },
    502: { type: 'server_error', code: 'backend_unavailable' },
    503: { type: 'server_error', code: 'overloaded' },
    504: { type: 'server_error', code: 'backend_error' },
  };

interface ServiceErrorDetails {
  /** Overrides the table's `code`. */
  readonly code?: string;
  /** Overrides the table's `param`. */
  readonly param?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Plain data of an error envelope, without its request ID. */
export interface ErrorFields {
  readonly message: string;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
}

/** An error response of the service; type, code, and param come from the specification's table. */
export class ServiceError extends Error {
  readonly status: number;
  readonly fields: ErrorFields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, details: ServiceErrorDetails = {}) {
    super(message);
    this.name = 'ServiceError';
    const row = errorTable[status];
    if (!row) throw new RangeError(`No error of the service has the status ${status}`);
    this.status = status;
    this.fields = {
      message,
      type: row.type,
      code: details.code ?? row.code,
      param: details.param === undefined ? (row.param ?? null) : details.param,
    };
    this.headers = details.headers ?? {};
  }
}

/** The body of an error response (spec, "Errors"). */
export function errorEnvelope(fields: ErrorFields, requestId: string): { readonly error: object } {
  return { error: { ...fields, request_id: requestId } };
}
