/**
 * What can go wrong between Parlance and the service, as plain data: it passes through `postMessage`, the history, and
 * JSON unchanged. Branch on `kind`. Message texts are matched in one place only, `api/wire/errorCodes.ts`.
 */
export type ApiFailure =
  | HttpFailure
  | RateLimitedFailure
  | ProxyAuthRequiredFailure
  | RedirectedFailure
  | NetworkFailure
  | TlsFailure
  | TimeoutFailure
  | ConnectionLostFailure
  | StreamErrorFailure
  | MalformedFailure
  | NotTheServiceFailure
  | EmptyAnswerFailure
  | TooLargeFailure
  | UnsupportedFailure
  | NoApiFailure
  | DownloadFailure
  | SetupFailure
  | AttachmentLostFailure
  | UnexpectedFailure;

/** The fields of the service's error envelope (spec, "Errors"), as far as it sent them. */
export interface ErrorEnvelope {
  /** The service's human-readable message, or the best text found in a body that breaks the envelope. */
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
}

/** The statuses with their own meaning. For 429, see {@link RateLimitedFailure}. */
export type HttpFailureKind =
  | 'badRequest' // 400, 422, and 403 of a content filter
  | 'unauthorized' // 401
  | 'outOfCredits' // 402, and 400, 403, and 429 that say so
  | 'forbidden' // 403, and 401 that is only about the model
  | 'modelNotFound' // 404
  | 'contextTooLong' // 413, 400, and 500 where the service names the context window
  | 'requestTooLarge' // 413 otherwise, and 429 if it's larger than the limit itself
  | 'noImageInput' // any of these if images were sent and the service says that the model doesn't accept them
  | 'serverError' // 500
  | 'backendUnavailable' // 502
  | 'notReady' // 503 while a model is loading
  | 'unavailable' // 503, and what a gateway returns when a server is down
  | 'backendTimeout' // 504
  | 'unexpectedStatus'; // any other

/** `json`: the service's own text. `page`: HTML, mostly from a gateway. `text`: anything else. */
export type ErrorBodyForm = 'json' | 'page' | 'text';

export interface HttpFailure extends ErrorEnvelope {
  readonly kind: HttpFailureKind;
  readonly status: number;
  /** No API key was sent. Only set for `unauthorized` and `forbidden`. */
  readonly isKeyless?: true;
  /** Where the message was found; absent without a body. For a page, the message is its title. */
  readonly body?: ErrorBodyForm;
  /** How long the service asks to wait, in milliseconds; seen with 503. */
  readonly retryAfterMs?: number;
}

export interface RateLimitedFailure extends ErrorEnvelope {
  readonly kind: 'rateLimited';
  readonly status: 429;
  /** Where the message was found; absent without a body. For a page, the message is its title. */
  readonly body?: ErrorBodyForm;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** HTTP 407: a proxy on the way requires a login. */
export interface ProxyAuthRequiredFailure {
  readonly kind: 'proxyAuthRequired';
  readonly status: 407;
}

/** Any 3xx. Redirects are never followed, because the key must not travel. */
export interface RedirectedFailure {
  readonly kind: 'redirected';
  readonly status: number;
  /** Origin and path of the redirect's target; absent if the response named none. */
  readonly to?: string;
  /** The same host and path, over https instead of http. */
  readonly isToHttps?: true;
  /** Host of the redirect's target; empty if the response named none. */
  readonly toHost: string;
}

export interface NetworkFailure {
  readonly kind: 'network';
  /** `notHttp`: the host was reached, but what it sent isn't HTTP. */
  readonly reason: 'dns' | 'refused' | 'unreachable' | 'reset' | 'proxy' | 'notHttp' | 'other';
  readonly host: string;
  /** The system's code, for example `ECONNREFUSED`. */
  readonly code: string;
  /** True if part of the request might have reached the service. */
  readonly mayHaveBeenSent: boolean;
}

export interface TlsFailure {
  readonly kind: 'tls';
  readonly reason: 'expired' | 'notYetValid' | 'selfSigned' | 'untrusted' | 'wrongHost' | 'protocol' | 'other';
  readonly host: string;
  /** OpenSSL's or Node's code, for example `CERT_HAS_EXPIRED`. */
  readonly code: string;
}

export interface TimeoutFailure {
  readonly kind: 'timeout';
  /** The timer that fired. */
  readonly timer: 'connect' | 'firstByte' | 'silence' | 'answer';
  readonly afterMs: number;
  readonly host: string;
  /** Known once the response headers have arrived. */
  readonly requestId?: string;
}

/** The response had begun, and the connection ended before it was complete. */
export interface ConnectionLostFailure {
  readonly kind: 'connectionLost';
  readonly host: string;
  readonly code: string;
  readonly requestId?: string;
}

/** An error event inside a stream that had begun with HTTP 200. */
export interface StreamErrorFailure extends ErrorEnvelope {
  readonly kind: 'streamError';
}

/** The service's response doesn't have the expected form. */
export interface MalformedFailure {
  readonly kind: 'malformed';
  readonly where: 'event' | 'body';
  /** At most 200 characters of the response, with control characters escaped. */
  readonly sample: string;
  readonly requestId?: string;
}

/** HTML or another foreign page instead of the service: a proxy, a portal, or a wrong URL. */
export interface NotTheServiceFailure {
  readonly kind: 'notTheService';
  readonly status: number;
  readonly contentType: string;
  /** At most 200 characters of the response, with control characters escaped. */
  readonly sample: string;
  /** Title of the page, if it has one. */
  readonly title?: string;
}

export interface EmptyAnswerFailure {
  readonly kind: 'emptyAnswer';
  readonly status: number;
  readonly requestId?: string;
}

export interface TooLargeFailure {
  readonly kind: 'tooLarge';
  readonly what: 'event' | 'reply' | 'body';
  readonly limitBytes: number;
}

/**
 * The service accepted the request in a way that Parlance doesn't support. `job`: it returned an ID to poll, and might
 * have done the work and charged for it.
 */
export interface UnsupportedFailure {
  readonly kind: 'unsupported';
  readonly what: 'job';
  /** The service's ID of the job, so that the user can still find it; at most 200 characters. */
  readonly jobId: string;
  /** The state that the service reported, for example `queued`; empty if it reported none, at most 200 characters. */
  readonly jobStatus: string;
  readonly requestId?: string;
}

/** No API of the service has this path, so nothing was done. */
export interface NoApiFailure extends ErrorEnvelope {
  readonly kind: 'noApi';
  readonly what: 'imageInput' | 'imageGeneration' | 'audio' | 'video' | 'models';
  /** The response of the last path that was tried. */
  readonly status: number;
}

/** A generated file couldn't be downloaded. Its cost is spent; the link might still work. */
export interface DownloadFailure {
  readonly kind: 'download';
  /**
   * `address`: Parlance doesn't load from it. `redirects`: too many. `gone`: the link has expired. `status`: refused in
   * another way. `notMedia`: neither a video nor an image. `tooLarge`. `disk`: the file couldn't be written.
   */
  readonly reason: 'address' | 'redirects' | 'gone' | 'status' | 'notMedia' | 'tooLarge' | 'disk';
  readonly host: string;
  readonly status?: number;
  /** The system's code, for example `ENOSPC`. */
  readonly code?: string;
  readonly limitBytes?: number;
}

/** Nothing was sent, because something that the user has to provide is missing or doesn't fit. */
export interface SetupFailure {
  readonly kind: 'setup';
  readonly missing:
    | 'baseUrl'
    | 'validBaseUrl'
    | 'validNativeUrl'
    | 'validLegacyUrl'
    | 'encryptedLegacyUrl'
    | 'otherNativeUrl' // the derived native URL leads to another service
    | 'apiKey'
    | 'savedApiKey' // one was saved, but VS Code no longer has it
    | 'validApiKey'
    | 'apiKeyForThisHost'
    | 'service' // it was removed
    | 'model';
  /** What was found instead, if that helps and isn't secret: a URL or a host. */
  readonly found?: string;
  /** For `apiKeyForThisHost`: the origin that the request would go to. */
  readonly target?: string;
}

/** Nothing was sent, because the file of an attachment can't be read. */
export interface AttachmentLostFailure {
  readonly kind: 'attachmentLost';
  /** The name on the chip. */
  readonly name: string;
}

/** A bug in Parlance: shown as unexpected, with the log for the stack. */
export interface UnexpectedFailure {
  readonly kind: 'unexpected';
  readonly message: string;
}
