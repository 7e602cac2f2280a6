import type { ApiFailure, HttpFailureKind } from '../shared/apiFailure.ts';
import { decodeErrorEnvelope, parseJson } from './decode.ts';
import { requestIdOf } from './requestId.ts';
import { retryAfterMsOf } from './retryAfter.ts';
import { sampleOf } from './sample.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The body, decoded; empty when there was none. */
  readonly text: string;
  /** The address that was asked, against which a redirect is resolved. */
  readonly url: URL;
  /** Unix time in milliseconds, for `retry-after` dates. */
  readonly nowMs: number;
}

const kinds: Readonly<Record<number, HttpFailureKind>> = {
  400: 'badRequest',
  401: 'unauthorized',
  402: 'outOfCredits',
  403: 'forbidden',
  404: 'modelNotFound',
  413: 'contextTooLong',
  500: 'serverError',
  502: 'backendUnavailable',
  504: 'backendTimeout',
};

/** These mean the same whoever says so; any other status on a page of HTML is not the service's word. */
const meansTheSameAsHtml = new Set([401, 402, 413, 429, 500]);

/** Judges an answer that is not 2xx by its status first, and takes the best text its body has. */
export function failureOfAnswer(answer: ErrorAnswer): ApiFailure {
  const { status, header, text } = answer;
  if (status === 407) return { kind: 'proxyAuthRequired', status };
  if (isRedirect(status)) return { kind: 'redirected', status, toHost: redirectHost(answer) };

  const requestId = requestIdOf(header);
  const isHtml = looksLikeHtml(text);
  if (isHtml && !meansTheSameAsHtml.has(status)) return notTheService(answer);
  const json = isHtml ? undefined : parseJson(text);
  const envelope =
    json === undefined
      ? { message: isHtml ? htmlTitle(text) : sampleOf(text), ...(requestId === undefined ? {} : { requestId }) }
      : decodeErrorEnvelope(json, requestId);

  const asked = retryAfterMsOf(header, answer.nowMs);
  const retryAfter = asked === undefined ? {} : { retryAfterMs: asked };
  if (status === 429) return { kind: 'rateLimited', status, ...envelope, ...retryAfter };
  return { kind: kinds[status] ?? 'unexpectedStatus', status, ...envelope, ...retryAfter };
}

/** Status 0 is how a browser-like `fetch` shows a redirect that it was told not to follow. */
export function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status <= 399);
}

export function looksLikeHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

export function notTheService(answer: Pick<ErrorAnswer, 'status' | 'header' | 'text'>): ApiFailure {
  const contentType = sampleOf(answer.header('content-type') ?? '');
  return { kind: 'notTheService', status: answer.status, contentType, sample: sampleOf(answer.text) };
}

function redirectHost(answer: ErrorAnswer): string {
  const location = answer.header('location');
  if (location === undefined || location === '') return '';
  return URL.parse(location, answer.url.href)?.host ?? '';
}

function htmlTitle(text: string): string {
  const start = text.search(/<title\b/i);
  if (start === -1) return '';
  const open = text.indexOf('>', start);
  const close = text.indexOf('<', open);
  return open === -1 || close === -1 ? '' : sampleOf(text.slice(open + 1, close));
}
