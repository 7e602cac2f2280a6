import type { ApiFailure, ErrorBodyForm, ErrorEnvelope, HttpFailureKind } from '../../shared/apiFailure.ts';
import {
  isContextOverflow,
  isInvalidKey,
  isLoadingModel,
  isModelDenied,
  isModerated,
  isOutOfCredits,
  isUnknownModel,
  neverFits,
  saysOutOfCredits,
} from './errorCodes.ts';
import { decodeErrorEnvelope } from './errorEnvelope.ts';
import { parseJson } from './parseJson.ts';
import { requestIdOf } from './requestId.ts';
import { retryAfterMsOf, retryDelayIn } from './retryAfter.ts';
import { sampleOf } from './sample.ts';

export interface ErrorAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  /** The decoded body; empty without one. */
  readonly text: string;
  /** The request's URL, which redirects are resolved against. */
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
  413: 'requestTooLarge',
  422: 'badRequest',
  500: 'serverError',
  502: 'backendUnavailable',
  503: 'unavailable',
  504: 'backendTimeout',
  // Cloudflare's response if a server behind it fails.
  520: 'unavailable',
  521: 'unavailable',
  522: 'backendTimeout',
  523: 'unavailable',
  524: 'backendTimeout',
  525: 'unavailable',
  526: 'unavailable',
  529: 'unavailable',
  530: 'unavailable',
};

/**
 * Below 500, these mean the same no matter who sends them. With an HTML page, any other status isn't from the service.
 */
const meansTheSameAsHtml = new Set([401, 402, 413, 429]);
/** A network's sign-in page responds with it. */
const networkLogin = 511;

/** Classifies a response that isn't 2xx by its status first, and takes the best text in its body. */
export function failureOfAnswer(answer: ErrorAnswer): ApiFailure {
  const { status, header, text } = answer;
  if (status === 407) return { kind: 'proxyAuthRequired', status };
  if (isRedirect(status)) return redirectedFailure(answer);

  const isPage = looksLikeHtml(text);
  const isOfGateway = (status >= 500 && status !== networkLogin) || meansTheSameAsHtml.has(status);
  if (isPage && !isOfGateway) return notTheService(answer);

  const json = isPage ? undefined : jsonOfBody(text);
  const said = whatIsSaid(text, json, isPage, requestIdOf(header));
  const asked = retryAfterMsOf(header, answer.nowMs) ?? retryDelayIn(json);
  const retryAfter = asked === undefined ? {} : { retryAfterMs: asked };
  const kind = failureKind(status, said);
  if (kind === 'rateLimited') return { kind, status: 429, ...said, ...retryAfter };
  return { kind, status, ...said, ...retryAfter };
}

interface Said extends ErrorEnvelope {
  readonly body?: ErrorBodyForm;
}

function whatIsSaid(text: string, json: unknown, isPage: boolean, requestId: string | undefined): Said {
  if (json !== undefined) return { ...decodeErrorEnvelope(json, requestId), body: 'json' };
  const ofRequest = requestId === undefined ? {} : { requestId };
  if (isPage) return { message: pageTitle(text), body: 'page', ...ofRequest };
  if (text.trim() === '') return { message: '', ...ofRequest };
  // JSON that was cut off, by its server or by our limit, can still be read.
  const isCutJson = /^\s*[{[]/.test(text);
  const message = isCutJson ? (messageInCutJson(text) ?? sampleOf(text)) : sampleOf(text);
  return { message, body: isCutJson ? 'json' : 'text', ...ofRequest };
}

/** Some servers send the refusal of a stream as its first event. */
function jsonOfBody(text: string): unknown {
  const data = /^(?:event:[^\r\n]*[\r\n]+)?data:([^\r\n]*)/.exec(text)?.[1];
  return parseJson(data ?? text);
}

function failureKind(status: number, said: Said): HttpFailureKind | 'rateLimited' {
  const mayBeInput = status === 400 || status === 413 || status === 422 || status === 500;
  if (mayBeInput && isContextOverflow(said)) return 'contextTooLong';
  if ((status === 400 || status === 429) && isOutOfCredits(said)) return 'outOfCredits';
  if (status === 403 && saysOutOfCredits(said)) return 'outOfCredits';
  if (status === 403 && isModerated(said)) return 'badRequest';
  if (status === 429) return neverFits(said) ? 'requestTooLarge' : 'rateLimited';
  if (status === 401 && isModelDenied(said)) return 'forbidden';
  if (status === 400 && isInvalidKey(said)) return 'unauthorized';
  if (status === 400 && isUnknownModel(said)) return 'modelNotFound';
  if (status === 503 && isLoadingModel(said)) return 'notReady';
  return kinds[status] ?? 'unexpectedStatus';
}

function messageInCutJson(text: string): string | undefined {
  const quoted = /"(?:message|detail|error)"\s*:\s*("(?:[^"\\]|\\.){1,2000})/.exec(text)?.[1];
  const message = quoted === undefined ? undefined : parseJson(`${quoted.replace(/\\$/, '')}"`);
  return typeof message === 'string' ? sampleOf(message) : undefined;
}

/** Status 0 is what a browser-like `fetch` returns for a redirect that it must not follow. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status <= 399);
}

export function looksLikeHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

export function notTheService(answer: Pick<ErrorAnswer, 'status' | 'header' | 'text'>): ApiFailure {
  const contentType = sampleOf(answer.header('content-type') ?? '');
  const title = looksLikeHtml(answer.text) ? pageTitle(answer.text) : '';
  const named = title === '' ? {} : { title };
  return { kind: 'notTheService', status: answer.status, contentType, sample: sampleOf(answer.text), ...named };
}

function redirectedFailure({ status, header, url }: ErrorAnswer): ApiFailure {
  const location = header('location');
  const to = location === undefined || location === '' ? null : URL.parse(location, url.href);
  if (to === null) return { kind: 'redirected', status, toHost: '' };
  // A query might contain a token, and a login is one.
  const shown = sampleOf(`${to.protocol}//${to.host}${to.pathname}`);
  const isToHttps =
    url.protocol === 'http:' &&
    to.protocol === 'https:' &&
    url.hostname === to.hostname &&
    url.pathname === to.pathname;
  return { kind: 'redirected', status, toHost: to.host, to: shown, ...(isToHttps && { isToHttps }) };
}

/** The readable part of a page: its title, or, if that says nothing, the line that Express writes. */
function pageTitle(text: string): string {
  const title = elementText(text, 'title');
  return title === '' || title === 'Error' ? elementText(text, 'pre') || elementText(text, 'h1') || title : title;
}

function elementText(text: string, name: string): string {
  const start = text.search(new RegExp(`<${name}\\b`, 'i'));
  if (start === -1) return '';
  const open = text.indexOf('>', start);
  const close = text.indexOf('<', open);
  return open === -1 || close === -1 ? '' : sampleOf(text.slice(open + 1, close));
}
