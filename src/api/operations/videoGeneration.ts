import { amount, isObject, type JsonObject } from '../wire/decode.ts';
import { fileMediaTypeOf } from './fileMediaType.ts';
import { bareLink, bytesIn, factsIn, linkIn, mediaRows } from './mediaRows.ts';
import type { GeneratedVideo, VideoAnswer, VideoRequest } from '../mediaTypes.ts';
import { jsonBody, type WholeOperation } from './operation.ts';
import { jobError, jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wire/wholeAnswer.ts';

/** Some services send the video itself in place of its link. */
const videoBytes = 24 * 1024 * 1024;

/** `POST {base_url}/videos/generations` (spec, Create video generation). */
export function videoGeneration(request: VideoRequest): WholeOperation<VideoAnswer> {
  return {
    api: 'compatible',
    path: '/videos/generations',
    method: 'POST',
    accept: 'application/json',
    body: jsonBody(request),
    patience: 'video',
    retried: 'media',
    answerBytes: videoBytes,
    decode: decodeVideoAnswer,
  };
}

/** @throws {ApiError} `unsupported` for the answer of a service that works with jobs, `malformed`. */
function decodeVideoAnswer(answer: WholeAnswer): VideoAnswer {
  const raw = videoFrom(answer.body, {});
  if (raw !== undefined) return { videos: [raw], ...ofRequest(answer) };
  const link = bareLink(answer);
  if (link !== undefined) return { videos: [{ kind: 'url', url: link, raw: {} }], ...ofRequest(answer) };
  const json = jsonOf(answer);
  const videos = mediaRows(json).flatMap((row) => videoIn(row, answer));
  if (videos.length === 0) throw jobError(answer, json) ?? malformedAnswer(answer, json);
  const created = isObject(json) ? amount(json['created']) : undefined;
  return { videos, ...(created === undefined ? {} : { created }), ...ofRequest(answer) };
}

function videoIn(row: unknown, answer: WholeAnswer): readonly GeneratedVideo[] {
  const fields = isObject(row) ? row : {};
  const bytes = bytesIn(row);
  const video = bytes === undefined ? undefined : videoFrom(bytes, factsIn(row));
  if (video !== undefined) return [video];
  const url = linkIn(row, answer);
  return url === undefined ? [] : [{ kind: 'url', url, raw: fields }];
}

function videoFrom(bytes: Uint8Array, raw: JsonObject): GeneratedVideo | undefined {
  const mediaType = fileMediaTypeOf(bytes);
  return mediaType?.startsWith('video/') === true ? { kind: 'bytes', mediaType, bytes, raw } : undefined;
}
