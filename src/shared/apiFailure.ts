/**
 * What can go wrong between Parlance and the service, as plain data: it crosses `postMessage`, the
 * history and JSON unchanged. Branch on `kind`; texts are matched in one place only, `api/wire/errorCodes.ts`.
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

/** The fields of the service's error envelope (spec, "Errors"), as far as they came. */
export interface ErrorEnvelope {
  /** Human-readable text of the service, or the best text found in a body that breaks the envelope. */
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
}

/** The statuses that have a meaning of their own; 429 is {@link RateLimitedFailure}. */
export type HttpFailureKind =
  | 'badRequest' // 400, 422
  | 'unauthorized' // 401
  | 'outOfCredits' // 402, and 429 with a code that says so
  | 'forbidden' // 403
  | 'modelNotFound' // 404
  | 'contextTooLong' // 413, 400, and 500 where the service names the context window
  | 'requestTooLarge' // 413 otherwise
  | 'noImageInput' // any of these where images were sent, and the service says that the model takes none
  | 'serverError' // 500
  | 'backendUnavailable' // 502
  | 'notReady' // 503 while a model is loading
  | 'unavailable' // 503, and what a gateway answers for a server that is down
  | 'backendTimeout' // 504
  | 'unexpectedStatus'; // any other

/** `json`: the service's own word; `page`: HTML, mostly of a gateway; `text`: anything else. */
export type ErrorBodyForm = 'json' | 'page' | 'text';

export interface HttpFailure extends ErrorEnvelope {
  readonly kind: HttpFailureKind;
  readonly status: number;
  /** No API key was sent; told of `unauthorized` and `forbidden`. */
  readonly isKeyless?: true;
  /** Where the message was found; absent where there was no body. Of a page, the message is its title. */
  readonly body?: ErrorBodyForm;
  /** How long the service asks to wait, in milliseconds, when it said so; seen with 503. */
  readonly retryAfterMs?: number;
}

export interface RateLimitedFailure extends ErrorEnvelope {
  readonly kind: 'rateLimited';
  readonly status: 429;
  /** Where the message was found; absent where there was no body. Of a page, the message is its title. */
  readonly body?: ErrorBodyForm;
  /** How long the service asks to wait, in milliseconds, when it said so. */
  readonly retryAfterMs?: number;
}

/** HTTP 407: a proxy on the way wants a login. */
export interface ProxyAuthRequiredFailure {
  readonly kind: 'proxyAuthRequired';
  readonly status: 407;
}

/** Any 3xx: never followed, because the key must not travel. */
export interface RedirectedFailure {
  readonly kind: 'redirected';
  readonly status: number;
  /** Origin and path that the redirect points at; absent where the response named none. */
  readonly to?: string;
  /** The same host and path, over https in place of http. */
  readonly isToHttps?: true;
  /** Host the redirect pointed at; empty when the answer named none. */
  readonly toHost: string;
}

export interface NetworkFailure {
  readonly kind: 'network';
  /** `notHttp`: the host was reached, and what it sent is no HTTP. */
  readonly reason: 'dns' | 'refused' | 'unreachable' | 'reset' | 'proxy' | 'notHttp' | 'other';
  readonly host: string;
  /** The system's code, such as `ECONNREFUSED`. */
  readonly code: string;
  /** True when part of the request may have reached the service. */
  readonly mayHaveBeenSent: boolean;
}

export interface TlsFailure {
  readonly kind: 'tls';
  readonly reason: 'expired' | 'notYetValid' | 'selfSigned' | 'untrusted' | 'wrongHost' | 'protocol' | 'other';
  readonly host: string;
  /** OpenSSL's or Node's code, such as `CERT_HAS_EXPIRED`. */
  readonly code: string;
}

export interface TimeoutFailure {
  readonly kind: 'timeout';
  /** The timer that really fired. */
  readonly timer: 'connect' | 'firstByte' | 'silence' | 'answer';
  readonly afterMs: number;
  readonly host: string;
  /** Known once the answer's headers came. */
  readonly requestId?: string;
}

/** The answer had begun and the connection ended before the answer did. */
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

/** The service answered something that is not of the agreed form. */
export interface MalformedFailure {
  readonly kind: 'malformed';
  readonly where: 'event' | 'body';
  /** At most 200 characters of what came, control characters escaped. */
  readonly sample: string;
  readonly requestId?: string;
}

/** HTML or another foreign page where the service should be: a proxy, a portal, a wrong address. */
export interface NotTheServiceFailure {
  readonly kind: 'notTheService';
  readonly status: number;
  readonly contentType: string;
  /** At most 200 characters of what came, control characters escaped. */
  readonly sample: string;
  /** Of a page, where it has one. */
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
 * The service took the request in a way that Parlance does not follow. `job`: it answered with an id
 * to ask for later, and may have done the work and charged it.
 */
export interface UnsupportedFailure {
  readonly kind: 'unsupported';
  readonly what: 'job';
  /** The service's id of the job, so that nothing is lost; at most 200 characters. */
  readonly jobId: string;
  /** The state that the service named, such as `queued`; at most 200 characters. */
  readonly jobStatus: string;
  readonly requestId?: string;
}

/** No API of the service has a path for this, so nothing was done. */
export interface NoApiFailure extends ErrorEnvelope {
  readonly kind: 'noApi';
  readonly what: 'imageInput' | 'imageGeneration' | 'audio' | 'video' | 'models';
  /** What the last path that was asked answered with. */
  readonly status: number;
}

/** A file that was made could not be brought here. What it cost is spent; the link may still be good. */
export interface DownloadFailure {
  readonly kind: 'download';
  /**
   * `address`: one that Parlance does not load from; `redirects`: too many; `gone`: the link is good
   * no more; `status`: another refusal; `notMedia`: something else than a video or an image;
   * `tooLarge`; `disk`: it could not be written here.
   */
  readonly reason: 'address' | 'redirects' | 'gone' | 'status' | 'notMedia' | 'tooLarge' | 'disk';
  readonly host: string;
  readonly status?: number;
  /** The system's code, such as `ENOSPC`. */
  readonly code?: string;
  readonly limitBytes?: number;
}

/** Nothing was sent, because something the user must give first is missing or does not fit. */
export interface SetupFailure {
  readonly kind: 'setup';
  readonly missing:
    | 'baseUrl'
    | 'validBaseUrl'
    | 'validNativeUrl'
    | 'validLegacyUrl'
    | 'encryptedLegacyUrl'
    | 'apiKey'
    | 'savedApiKey' // one was saved, and VS Code has it no longer
    | 'validApiKey'
    | 'apiKeyForThisHost'
    | 'service' // it was removed
    | 'model';
  /** What was found instead, where that helps and holds no secret: an address, a host. */
  readonly found?: string;
  /** Of `apiKeyForThisHost`: the origin that the request would go to. */
  readonly target?: string;
}

/** Nothing was sent, because the file of something that goes with a message cannot be read. */
export interface AttachmentLostFailure {
  readonly kind: 'attachmentLost';
  /** The chip's name. */
  readonly name: string;
}

/** A bug of ours: shown as unexpected, with the log for the stack. */
export interface UnexpectedFailure {
  readonly kind: 'unexpected';
  readonly message: string;
}
