import type { MediaBody } from '../../shared/media.ts';
import { amount, type JsonObject } from '../wire/decode.ts';
import { type FileMediaType, fileMediaTypeOf } from './fileMediaType.ts';
import { bareLink, bytesIn, factsIn, linkIn, mediaRows } from './mediaRows.ts';
import { type ApiPaths, definedFields, jsonBody, type PaidPiece, type WholeOperation } from './operation.ts';
import { jobError, jsonOf, malformedAnswer, requestIdField, type WholeAnswer } from '../wire/wholeAnswer.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** Body of a video generation (spec, VideoGenerationRequest). Absent fields aren't sent. Null is sent. */
export type VideoRequest = MediaBody<'video'>;

/** Spec, VideoGenerationResponse. */
export interface VideoAnswer {
  /** Unix time in seconds. */
  readonly created?: number;
  /** At least one. */
  readonly videos: readonly GeneratedVideo[];
  readonly requestId?: string;
}

/** `raw` is everything the service sent for this video, except the video itself. */
export type GeneratedVideo = { readonly raw: Readonly<Record<string, unknown>> } & (
  | {
      readonly kind: 'url';
      /** `http:` or `https:`, on any host, so the key must not be sent there. */
      readonly url: string;
    }
  /** The media type was detected from the bytes themselves. */
  | { readonly kind: 'bytes'; readonly url?: never; readonly mediaType: FileMediaType; readonly bytes: Uint8Array }
);

export const videoPaths: ApiPaths = { compatible: '/videos/generations' };

/** Some services send the video itself instead of a link. */
const videoBytes = 24 * 1024 * 1024;

/** `POST {base_url}/videos/generations` (spec, Create video generation). */
export function videoGeneration(request: VideoRequest): WholeOperation<VideoAnswer, 'video'> {
  return {
    name: 'video',
    model: request.model,
    ...(typeof request.prompt === 'string' && { asked: request.prompt }),
    paths: videoPaths,
    capability: 'video',
    method: 'POST',
    accept: 'application/json',
    body: () => jsonBody(request),
    patience: 'video',
    retried: 'media',
    answerBytes: videoBytes,
    decode: decodeVideoAnswer,
    kept: ({ created, videos }) => ({ ...definedFields({ created }), data: videos.map(keptRow) }),
    made: pieceOf(request),
  };
}

function pieceOf({ duration, audio, draft }: VideoRequest): PaidPiece {
  return {
    kind: 'video',
    ...(typeof duration === 'number' && { duration }),
    ...(typeof audio === 'string' && { audio }),
    ...(typeof draft === 'boolean' && { draft }),
  };
}

/** Without the video itself. */
function keptRow(video: GeneratedVideo): object {
  return video.kind === 'url' ? video.raw : { ...video.raw, media_type: video.mediaType, bytes: video.bytes.length };
}

/** @throws {ApiError} `malformed`, or `unsupported` for a service that returns jobs. */
function decodeVideoAnswer(answer: WholeAnswer): VideoAnswer {
  const raw = videoFrom(answer.body, {});
  if (raw !== undefined) return { videos: [raw], ...requestIdField(answer) };
  const link = bareLink(answer);
  if (link !== undefined) return { videos: [{ kind: 'url', url: link, raw: {} }], ...requestIdField(answer) };
  const json = jsonOf(answer);
  const videos = mediaRows(json).flatMap((row) => videoIn(row, answer));
  if (videos.length === 0) throw jobError(answer, json) ?? malformedAnswer(answer, json);
  const created = isRecord(json) ? amount(json['created']) : undefined;
  return { videos, ...(created === undefined ? {} : { created }), ...requestIdField(answer) };
}

function videoIn(row: unknown, answer: WholeAnswer): readonly GeneratedVideo[] {
  const fields = isRecord(row) ? row : {};
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
