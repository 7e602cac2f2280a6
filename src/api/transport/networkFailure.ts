import type { ApiFailure, NetworkFailure, TlsFailure } from '../../shared/apiFailure.ts';

type NetworkReason = NetworkFailure['reason'];
type TlsReason = TlsFailure['reason'];

const networkReasons: Readonly<Record<string, NetworkReason>> = {
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EAI_NONAME: 'dns',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
};

const tlsReasons: Readonly<Record<string, TlsReason>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYetValid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_REJECTED: 'untrusted',
  CERT_SIGNATURE_FAILURE: 'untrusted',
  INVALID_CA: 'untrusted',
  INVALID_PURPOSE: 'untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongHost',
  HOSTNAME_MISMATCH: 'wrongHost',
  EPROTO: 'protocol',
  CERT_REVOKED: 'other',
  CERT_CHAIN_TOO_LONG: 'other',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'other',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'other',
};

/** Classifies a failed connection or exchange, by the error's code alone. */
export function networkFailureOf(error: unknown, host: string, mayHaveBeenSent: boolean): ApiFailure {
  const code = networkCodeOf(error);
  const tlsReason = tlsReasonOf(code);
  if (tlsReason !== undefined) return { kind: 'tls', reason: tlsReason, host, code };
  const reason = networkReasons[code] ?? (isParserCode(code) ? 'notHttp' : 'other');
  return { kind: 'network', reason, host, code, mayHaveBeenSent };
}

/** Codes of the HTTP parser: bytes arrived, so the host was reached. */
function isParserCode(code: string): boolean {
  return code.startsWith('HPE_') || code === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW';
}

/** True for codes that only occur before any byte of the request was sent. */
export function isConnectCode(code: string): boolean {
  const reason = networkReasons[code];
  return reason === 'dns' || reason === 'refused' || reason === 'unreachable' || code === 'UND_ERR_CONNECT_TIMEOUT';
}

/** True if the certificate is refused only because no authority trusted here signed it. */
export function isUnknownAuthority(error: unknown): boolean {
  const reason = tlsReasonOf(networkCodeOf(error));
  return reason === 'untrusted' || reason === 'selfSigned';
}

/** The first code found on an error, its causes, and its parts; the class name if there's none. */
export function networkCodeOf(error: unknown): string {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string' && current.code !== '') return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return error instanceof Error ? error.name : 'UNKNOWN';
}

function tlsReasonOf(code: string): TlsReason | undefined {
  return tlsReasons[code] ?? (code.startsWith('ERR_SSL_') ? 'protocol' : undefined);
}
