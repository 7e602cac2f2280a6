import { ApiError } from '../apiError.ts';
import { looksLikeHtml, notTheService } from './errorBody.ts';
import { decodeErrorEnvelope, hasError } from './errorEnvelope.ts';
import { mediaJobFailureOf } from './jobAnswer.ts';
import { parseJson } from './parseJson.ts';
import { requestIdOf } from './requestId.ts';
import { sampleOf } from './sample.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** A 2xx response that arrived in one piece. */
export interface WholeAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
  /** The request's URL, which links without a host are resolved against. */
  readonly url: URL;
}

/**
 * The response as JSON.
 * @throws {ApiError} `emptyAnswer`, `notTheService` for HTML, `malformed` for anything else that isn't JSON,
 * `streamError` for an error envelope that arrived with a good status.
 */
export function jsonOf(answer: WholeAnswer): unknown {
  const text = new TextDecoder().decode(answer.body);
  if (text.trim() === '') throw emptyAnswer(answer);
  const json = parseJson(text);
  if (json === undefined) {
    if (looksLikeHtml(text)) throw new ApiError(notTheService({ ...answer, text }));
    throw malformedAnswer(answer, text);
  }
  // Google's services send an error in a list of one. A model list can be a plain list too.
  const [only]: readonly unknown[] = Array.isArray(json) && json.length === 1 ? json : [];
  const isError = isRecord(only) ? 'error' in only && hasError(only) : isRecord(json) && hasError(json);
  if (isError) {
    throw new ApiError({ kind: 'streamError', ...decodeErrorEnvelope(json, requestIdOf(answer.header)) });
  }
  return json;
}

/** Undefined if the response isn't from a service that works with jobs. */
export function jobError(answer: WholeAnswer, json: unknown): ApiError | undefined {
  const failure = mediaJobFailureOf(json, requestIdOf(answer.header));
  return failure === undefined ? undefined : new ApiError(failure);
}

export function emptyAnswer(answer: WholeAnswer): ApiError {
  return new ApiError({ kind: 'emptyAnswer', status: answer.status, ...requestIdField(answer) });
}

/** @param what the text that couldn't be understood, or the JSON. */
export function malformedAnswer(answer: WholeAnswer, what: unknown): ApiError {
  const text = typeof what === 'string' ? what : JSON.stringify(what);
  return new ApiError({ kind: 'malformed', where: 'body', sample: sampleOf(text), ...requestIdField(answer) });
}

export function requestIdField(answer: WholeAnswer): { readonly requestId?: string } {
  const requestId = requestIdOf(answer.header);
  return requestId === undefined ? {} : { requestId };
}
