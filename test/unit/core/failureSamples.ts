import type { ApiFailure } from '../../../src/shared/apiFailure.ts';

type Samples = { readonly [K in ApiFailure['kind']]: readonly (ApiFailure & { readonly kind: K })[] };

const host = 'service.example';
const requestId = 'req_8f2c1a';

/** At least one failure of each kind and each reason. The type makes a missing kind an error. */
export const failureSamples: Samples = {
  badRequest: [
    {
      kind: 'badRequest',
      status: 400,
      message: 'temperature must be a number.',
      type: 'invalid_request_error',
      code: 'invalid_request',
      param: 'temperature',
      requestId,
    },
    { kind: 'badRequest', status: 400, message: 'malformed', code: 'invalid_request', param: 'messages', requestId },
    { kind: 'badRequest', status: 400, message: '' },
  ],
  unauthorized: [
    {
      kind: 'unauthorized',
      status: 401,
      message: 'Missing API key.',
      type: 'authentication_error',
      code: 'missing_api_key',
      requestId,
    },
    { kind: 'unauthorized', status: 401, message: '', isKeyless: true },
  ],
  outOfCredits: [
    {
      kind: 'outOfCredits',
      status: 402,
      message: 'Insufficient credits.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      requestId: 'req_77b0de',
    },
  ],
  forbidden: [
    {
      kind: 'forbidden',
      status: 403,
      message: 'Your plan does not include this model.',
      type: 'permission_error',
      code: 'insufficient_quota',
      requestId,
    },
    {
      kind: 'forbidden',
      status: 403,
      message: 'Key limit exceeded (total limit). Manage it using https://service.example/settings/keys',
      body: 'json',
    },
    { kind: 'forbidden', status: 403, message: 'Your plan lacks maker/model.', body: 'json' },
    { kind: 'forbidden', status: 403, message: 'Forbidden', isKeyless: true },
  ],
  modelNotFound: [
    {
      kind: 'modelNotFound',
      status: 404,
      message: 'No such model.',
      type: 'invalid_request_error',
      code: 'model_not_found',
      param: 'model',
      requestId,
    },
    { kind: 'modelNotFound', status: 404, message: 'Not Found' },
  ],
  contextTooLong: [
    {
      kind: 'contextTooLong',
      status: 413,
      message: 'The input has 140000 tokens; the model takes 131072.',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
      requestId,
    },
  ],
  noImageInput: [
    {
      kind: 'noImageInput',
      status: 500,
      message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      body: 'json',
    },
    { kind: 'noImageInput', status: 400, message: '' },
  ],
  requestTooLarge: [
    { kind: 'requestTooLarge', status: 413, message: '413 Request Entity Too Large', body: 'page' },
    { kind: 'requestTooLarge', status: 413, message: 'Request too large for tokens per minute.', body: 'json' },
  ],
  notReady: [
    { kind: 'notReady', status: 503, message: 'Loading model', type: 'unavailable_error', code: '503', body: 'json' },
  ],
  unavailable: [
    { kind: 'unavailable', status: 503, message: '503 Service Temporarily Unavailable', body: 'page' },
    { kind: 'unavailable', status: 503, message: 'no healthy upstream', body: 'text' },
  ],
  serverError: [
    { kind: 'serverError', status: 500, message: '500 Internal Server Error', body: 'page' },
    { kind: 'serverError', status: 500, message: 'boom', type: 'server_error', code: 'internal_error', requestId },
  ],
  backendUnavailable: [
    {
      kind: 'backendUnavailable',
      status: 502,
      message: 'upstream',
      type: 'server_error',
      code: 'backend_unavailable',
      requestId,
    },
  ],
  backendTimeout: [
    { kind: 'backendTimeout', status: 504, message: 'slow', type: 'server_error', code: 'backend_error', requestId },
  ],
  unexpectedStatus: [
    { kind: 'unexpectedStatus', status: 503, message: 'Maintenance until noon.' },
    { kind: 'unexpectedStatus', status: 405, message: 'Method Not Allowed', body: 'text' },
    { kind: 'unexpectedStatus', status: 415, message: 'Unsupported Media Type', body: 'json' },
    { kind: 'unexpectedStatus', status: 409, message: '' },
    { kind: 'unexpectedStatus', status: 451, message: '' },
  ],
  rateLimited: [
    {
      kind: 'rateLimited',
      status: 429,
      message: 'Slow down.',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
      retryAfterMs: 41_000,
      requestId,
    },
    { kind: 'rateLimited', status: 429, message: '', retryAfterMs: 600_500 },
    { kind: 'rateLimited', status: 429, message: '' },
  ],
  proxyAuthRequired: [{ kind: 'proxyAuthRequired', status: 407 }],
  redirected: [
    { kind: 'redirected', status: 301, toHost: 'elsewhere.example', to: 'https://elsewhere.example/login' },
    { kind: 'redirected', status: 308, toHost: host, to: 'https://service.example/v1/models', isToHttps: true },
    { kind: 'redirected', status: 302, toHost: '' },
  ],
  network: [
    { kind: 'network', reason: 'dns', host, code: 'ENOTFOUND', mayHaveBeenSent: false },
    { kind: 'network', reason: 'refused', host, code: 'ECONNREFUSED', mayHaveBeenSent: false },
    { kind: 'network', reason: 'unreachable', host, code: 'ENETUNREACH', mayHaveBeenSent: false },
    { kind: 'network', reason: 'reset', host, code: 'ECONNRESET', mayHaveBeenSent: true },
    { kind: 'network', reason: 'proxy', host: 'proxy.example:3128', code: 'UND_ERR_ABORTED', mayHaveBeenSent: false },
    { kind: 'network', reason: 'notHttp', host, code: 'HPE_INVALID_CONSTANT', mayHaveBeenSent: true },
    { kind: 'network', reason: 'other', host, code: 'EPROTO', mayHaveBeenSent: false },
    { kind: 'network', reason: 'other', host, code: 'UND_ERR', mayHaveBeenSent: true },
  ],
  tls: [
    { kind: 'tls', reason: 'expired', host, code: 'CERT_HAS_EXPIRED' },
    { kind: 'tls', reason: 'notYetValid', host, code: 'CERT_NOT_YET_VALID' },
    { kind: 'tls', reason: 'selfSigned', host, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    { kind: 'tls', reason: 'untrusted', host, code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' },
    { kind: 'tls', reason: 'wrongHost', host, code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    { kind: 'tls', reason: 'protocol', host, code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
    { kind: 'tls', reason: 'other', host, code: 'ERR_SSL_OTHER' },
  ],
  timeout: [
    { kind: 'timeout', timer: 'connect', afterMs: 10_000, host },
    { kind: 'timeout', timer: 'firstByte', afterMs: 120_000, host },
    { kind: 'timeout', timer: 'silence', afterMs: 90_000, host },
    { kind: 'timeout', timer: 'answer', afterMs: 15_000, host },
  ],
  connectionLost: [{ kind: 'connectionLost', host, code: 'ECONNRESET', requestId }],
  streamError: [
    { kind: 'streamError', message: 'The provider went away.', type: 'server_error', code: 'backend_error', requestId },
  ],
  malformed: [
    { kind: 'malformed', where: 'event', sample: '{"choices":[', requestId },
    { kind: 'malformed', where: 'body', sample: '' },
  ],
  notTheService: [
    {
      kind: 'notTheService',
      status: 200,
      contentType: 'text/html',
      sample: '<!doctype html><title>Sign in</title>',
      title: 'Sign in',
    },
  ],
  emptyAnswer: [{ kind: 'emptyAnswer', status: 204, requestId }],
  noApi: [
    { kind: 'noApi', what: 'imageInput', status: 404, message: '' },
    { kind: 'noApi', what: 'imageGeneration', status: 404, message: 'File Not Found', requestId },
    { kind: 'noApi', what: 'audio', status: 405, message: '' },
    { kind: 'noApi', what: 'video', status: 501, message: 'Not implemented' },
    { kind: 'noApi', what: 'models', status: 404, message: 'Not Found', requestId },
  ],
  tooLarge: [
    { kind: 'tooLarge', what: 'event', limitBytes: 1024 * 1024 },
    { kind: 'tooLarge', what: 'reply', limitBytes: 16 * 1024 * 1024 },
    { kind: 'tooLarge', what: 'body', limitBytes: 8 * 1024 * 1024 },
  ],
  download: [
    { kind: 'download', reason: 'address', host: '127.0.0.1' },
    { kind: 'download', reason: 'address', host: '' },
    { kind: 'download', reason: 'redirects', host: 'files.service.test' },
    { kind: 'download', reason: 'gone', host: 'files.service.test', status: 410 },
    { kind: 'download', reason: 'status', host: 'files.service.test', status: 500 },
    { kind: 'download', reason: 'notMedia', host: 'files.service.test' },
    { kind: 'download', reason: 'tooLarge', host: 'files.service.test', limitBytes: 1024 ** 3 },
    { kind: 'download', reason: 'disk', host: 'files.service.test', code: 'ENOSPC' },
    { kind: 'download', reason: 'disk', host: 'files.service.test', code: 'EACCES' },
  ],
  unsupported: [{ kind: 'unsupported', what: 'job', jobId: 'job_51c0', jobStatus: 'queued', requestId }],
  setup: [
    { kind: 'setup', missing: 'baseUrl' },
    { kind: 'setup', missing: 'validBaseUrl', found: 'htp:/service' },
    { kind: 'setup', missing: 'validNativeUrl', found: 'htps://service/api' },
    { kind: 'setup', missing: 'validLegacyUrl' },
    { kind: 'setup', missing: 'encryptedLegacyUrl', found: 'http://old.example' },
    { kind: 'setup', missing: 'otherNativeUrl', found: 'https://host.example/api' },
    { kind: 'setup', missing: 'apiKey' },
    { kind: 'setup', missing: 'savedApiKey', found: 'old.example' },
    { kind: 'setup', missing: 'validApiKey' },
    { kind: 'setup', missing: 'apiKeyForThisHost', found: 'old.example', target: 'https://new.example' },
    { kind: 'setup', missing: 'apiKeyForThisHost' },
    { kind: 'setup', missing: 'service', found: 'Work' },
    { kind: 'setup', missing: 'model' },
  ],
  attachmentLost: [{ kind: 'attachmentLost', name: 'tasks.ts' }],
  unexpected: [{ kind: 'unexpected', message: 'TypeError: x is not a function' }],
};
