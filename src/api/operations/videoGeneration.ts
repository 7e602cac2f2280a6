import { ApiError } from '../apiError.ts';
import { amount, isObject, nonEmptyString, type JsonObject } from '../decode.ts';
import type { GeneratedVideo, VideoAnswer, VideoRequest } from '../mediaTypes.ts';
import { jsonBody, textBytes, type WholeOperation } from '../operation.ts';
import { jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wholeAnswer.ts';
import { webAddress } from '../webAddress.ts';

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
    answerBytes: textBytes,
    decode: decodeVideoAnswer,
  };
}

/** @throws {ApiError} `unsupported` for the answer of a service that works with jobs, `malformed`. */
function decodeVideoAnswer(answer: WholeAnswer): VideoAnswer {
  const json = jsonOf(answer);
  const { data } = isObject(json) ? json : {};
  const rows: readonly unknown[] = Array.isArray(data) ? data : [data];
  const videos = rows.flatMap((row) => videoIn(row));
  if (videos.length === 0) throw jobFailure(answer, json) ?? malformedAnswer(answer, json);
  const created = isObject(json) ? amount(json['created']) : undefined;
  return { videos, ...(created === undefined ? {} : { created }), ...ofRequest(answer) };
}

function videoIn(row: unknown): readonly GeneratedVideo[] {
  if (!isObject(row)) return [];
  const url = webAddress(row['url']) ?? webAddress(row['video_url']);
  return url === undefined ? [] : [{ url, raw: row }];
}

function jobFailure(answer: WholeAnswer, json: unknown): ApiError | undefined {
  if (!isObject(json)) return undefined;
  const job = [json, json['data'], json['job']].filter(isObject).find(isJob);
  if (job === undefined) return undefined;
  const jobId = idOf(job);
  const jobStatus = nonEmptyString(job['status'])?.slice(0, 200) ?? '';
  return new ApiError({ kind: 'unsupported', what: 'job', jobId, jobStatus, ...ofRequest(answer) });
}

function isJob(json: JsonObject): boolean {
  return idOf(json) !== '' && typeof json['status'] === 'string';
}

function idOf(json: JsonObject): string {
  const { id } = json;
  return typeof id === 'number' ? String(id) : (nonEmptyString(id)?.slice(0, 200) ?? '');
}
