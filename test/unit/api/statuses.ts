/** Spec, "Statuses of the chat completion endpoint". */
export const statuses = [
  [400, 'badRequest', 'invalid_request_error', 'invalid_request', 'messages'],
  [401, 'unauthorized', 'authentication_error', 'missing_api_key', null],
  [402, 'outOfCredits', 'insufficient_quota', 'insufficient_quota', null],
  [403, 'forbidden', 'permission_error', 'insufficient_quota', null],
  [404, 'modelNotFound', 'invalid_request_error', 'model_not_found', 'model'],
  [413, 'contextTooLong', 'invalid_request_error', 'context_length_exceeded', 'messages'],
  [429, 'rateLimited', 'rate_limit_error', 'rate_limit_exceeded', null],
  [500, 'serverError', 'server_error', 'internal_error', null],
  [502, 'backendUnavailable', 'server_error', 'backend_unavailable', null],
  [504, 'backendTimeout', 'server_error', 'backend_error', null],
] as const;
