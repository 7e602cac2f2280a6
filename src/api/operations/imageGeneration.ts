import { amount, isObject } from '../wire/decode.ts';
import { imageMediaTypeOf } from './imageMediaType.ts';
import { bareLink, bytesIn, linkIn, mediaRows } from './mediaRows.ts';
import type { GeneratedImage, ImageAnswer, ImageRequest } from '../mediaTypes.ts';
import { jsonBody, type WholeOperation } from './operation.ts';
import type { ApiForm } from '../types.ts';
import { emptyAnswer, jobError, jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wire/wholeAnswer.ts';

/** Above the cap of other JSON, because an image may be in it: 18 MiB of it, as base64. */
const imageBytes = 24 * 1024 * 1024;

/**
 * The native `POST {native_url}/v1/svcai/image/generation`, or `POST {base_url}/images/generations`
 * of compatible services.
 */
export function imageGeneration(request: ImageRequest, api: ApiForm): WholeOperation<ImageAnswer> {
  return {
    api,
    path: api === 'native' ? '/v1/{segment}/image/generation' : '/images/generations',
    method: 'POST',
    accept: 'application/json, image/*',
    body: jsonBody(api === 'native' ? request : compatibleBody(request)),
    patience: 'image',
    retried: 'media',
    answerBytes: imageBytes,
    decode: decodeImageAnswer,
  };
}

/** What the compatible API has no field for is sent under its own name: dropping it would be a silent change. */
function compatibleBody(request: ImageRequest): object {
  const { model, positive_prompt: prompt, width, height, ...rest } = request;
  if (width === undefined || height === undefined) return { model, prompt, width, height, ...rest };
  return { model, prompt, size: `${width}x${height}`, ...rest };
}

/** JSON with links or base64, a bare link, or the bytes of one image. */
function decodeImageAnswer(answer: WholeAnswer): ImageAnswer {
  if (answer.body.length === 0) throw emptyAnswer(answer);
  const raw = imageFrom(answer.body);
  if (raw !== undefined) return { images: [raw], ...ofRequest(answer) };
  const link = bareLink(answer);
  if (link !== undefined) return { images: [{ kind: 'url', url: link }], ...ofRequest(answer) };
  const json = jsonOf(answer);
  const images = mediaRows(json).flatMap((row) => imageIn(row, answer));
  if (images.length === 0) throw jobError(answer, json) ?? malformedAnswer(answer, json);
  const created = isObject(json) ? amount(json['created']) : undefined;
  return { images, ...(created === undefined ? {} : { created }), ...ofRequest(answer) };
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
