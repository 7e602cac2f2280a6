/** Headers that would break a request or its response, or that the transport sets itself. */
const ownNames = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'range',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** Header names for a key, a session, or a login. Those belong in the secret storage. */
const secretName = /auth|cookie|secret|token|password|credential|session|jwt|api[-_]?key|(?:^|[-_])key$|^proxy-/;
const secretValue = /^\s*(bearer|basic|digest|negotiate)\s/i;
const maxValueLength = 1024;

/** Whether a user's own header can be sent with each request of a service: it breaks nothing, and isn't secret. */
export function isHeader(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (
    !/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(lower) ||
    ownNames.has(lower) ||
    lower.startsWith('if-') ||
    secretName.test(lower)
  )
    return false;
  return value.length <= maxValueLength && /^[\x20-\x7e]*$/.test(value) && !secretValue.test(value);
}
