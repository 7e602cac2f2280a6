import type { MediaBody } from '../../shared/media.ts';
import type { WireModel } from '../../shared/modelRef.ts';
import { amount } from '../wire/decode.ts';
import { type ImageMediaType, imageMediaTypeOf } from './imageMediaType.ts';
import { bareLink, bytesIn, linkIn, mediaRows } from './mediaRows.ts';
import { type ApiPaths, definedFields, jsonBody, type WholeOperation } from './operation.ts';
import {
  emptyAnswer,
  jobError,
  jsonOf,
  malformedAnswer,
  requestIdField,
  type WholeAnswer,
} from '../wire/wholeAnswer.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** Body of the native image generation. Absent fields aren't sent. */
export type ImageRequest = MediaBody<'image'>;

export interface ImageAnswer {
  /** Unix time in seconds. */
  readonly created?: number;
  /** At least one. */
  readonly images: readonly GeneratedImage[];
  readonly requestId?: string;
}

export type GeneratedImage =
  /** `http:` or `https:`, on any host, so the key must not be sent there. */
  | { readonly kind: 'url'; readonly url: string }
  /** The media type was detected from the bytes themselves. */
  | { readonly kind: 'bytes'; readonly mediaType: ImageMediaType; readonly bytes: Uint8Array };

export const imagePaths: ApiPaths = {
  native: '/v1/{segment}/image/generation',
  compatible: '/images/generations',
};

/** Higher than the limit for other JSON, because it can contain an image: 18 MiB of it, as base64. */
const imageBytes = 24 * 1024 * 1024;

/**
 * The native `POST {native_url}/v1/svcai/image/generation`, or `POST {base_url}/images/generations`
 * of compatible services.
 */
export function imageGeneration(request: ImageRequest): WholeOperation<ImageAnswer, 'image'> {
  return {
    name: 'image',
    model: request.model,
    asked: request.positive_prompt,
    paths: imagePaths,
    capability: 'imageGeneration',
    method: 'POST',
    accept: 'application/json, image/*',
    body: (api) => jsonBody(api === 'native' ? request : compatibleBody(request)),
    patience: 'image',
    retried: 'media',
    answerBytes: imageBytes,
    decode: decodeImageAnswer,
    kept: ({ created, images }) => ({ ...definedFields({ created }), data: images.map(keptRow) }),
    made: { kind: 'image' },
  };
}

/** Without the image itself. */
function keptRow(image: GeneratedImage): object {
  return image.kind === 'url' ? { url: image.url } : { media_type: image.mediaType, bytes: image.bytes.length };
}

/**
 * Fields that the compatible API doesn't have are sent under their own names: dropping them would silently change the
 * request.
 */
function compatibleBody(request: ImageRequest): object {
  const { model, positive_prompt: prompt, width, height, ...rest } = request;
  if (width === undefined || height === undefined) return { model, prompt, width, height, ...rest };
  return { model, prompt, size: `${width}x${height}`, ...rest };
}

/** The request that a body of either API was made from. */
export function imageRequestOf(body: { readonly model: WireModel; readonly [field: string]: unknown }): ImageRequest {
  const { model, prompt, size, ...rest } = body;
  // Only the compatible API calls it that.
  if (typeof prompt !== 'string' || 'positive_prompt' in rest) return { positive_prompt: '', ...body };
  const [, width, height] = (typeof size === 'string' && /^(\d+)x(\d+)$/.exec(size)) || [];
  const pixels = width === undefined ? { size } : { width: Number(width), height: Number(height) };
  return { model, positive_prompt: prompt, ...(size !== undefined && pixels), ...rest };
}

/** Accepts JSON with links or base64, a plain link, or the bytes of one image. */
function decodeImageAnswer(answer: WholeAnswer): ImageAnswer {
  if (answer.body.length === 0) throw emptyAnswer(answer);
  const raw = imageFrom(answer.body);
  if (raw !== undefined) return { images: [raw], ...requestIdField(answer) };
  const link = bareLink(answer);
  if (link !== undefined) return { images: [{ kind: 'url', url: link }], ...requestIdField(answer) };
  const json = jsonOf(answer);
  const images = mediaRows(json).flatMap((row) => imageIn(row, answer));
  if (images.length === 0) throw jobError(answer, json) ?? malformedAnswer(answer, json);
  const created = isRecord(json) ? amount(json['created']) : undefined;
  return { images, ...(created === undefined ? {} : { created }), ...requestIdField(answer) };
}

function imageIn(row: unknown, answer: WholeAnswer): readonly GeneratedImage[] {
  const bytes = bytesIn(row);
  const image = bytes === undefined ? undefined : imageFrom(bytes);
  if (image !== undefined) return [image];
  const url = linkIn(row, answer);
  return url === undefined ? [] : [{ kind: 'url', url }];
}

function imageFrom(bytes: Uint8Array): GeneratedImage | undefined {
  const mediaType = imageMediaTypeOf(bytes);
  return mediaType === undefined ? undefined : { kind: 'bytes', mediaType, bytes };
}
