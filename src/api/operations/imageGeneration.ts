import { amount, isObject, nonEmptyString } from '../decode.ts';
import { imageMediaTypeOf } from '../imageMediaType.ts';
import type { GeneratedImage, ImageAnswer, ImageRequest } from '../mediaTypes.ts';
import { jsonBody, type WholeOperation } from '../operation.ts';
import type { ApiForm } from '../types.ts';
import { emptyAnswer, jsonOf, malformedAnswer, ofRequest, type WholeAnswer } from '../wholeAnswer.ts';
import { webAddress } from '../webAddress.ts';

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

/** JSON with addresses or base64, or the bytes of one image. */
function decodeImageAnswer(answer: WholeAnswer): ImageAnswer {
  if (answer.body.length === 0) throw emptyAnswer(answer);
  const raw = imageFrom(answer.body);
  if (raw !== undefined) return { images: [raw], ...ofRequest(answer) };
  const json = jsonOf(answer);
  const { data, images: others } = isObject(json) ? json : {};
  const rows = [data, others].find((each) => Array.isArray(each)) ?? [data];
  const images = rows.flatMap((row) => imageIn(row));
  if (images.length === 0) throw malformedAnswer(answer, json);
  const created = isObject(json) ? amount(json['created']) : undefined;
  return { images, ...(created === undefined ? {} : { created }), ...ofRequest(answer) };
}

function imageIn(row: unknown): readonly GeneratedImage[] {
  const text = typeof row === 'string' ? row : undefined;
  const fields = isObject(row) ? row : {};
  const encoded = nonEmptyString(fields['b64_json']) ?? base64In(fields['url'] ?? text);
  const image = encoded === undefined ? undefined : imageFrom(Buffer.from(encoded, 'base64'));
  if (image !== undefined) return [image];
  const url = webAddress(fields['url'] ?? text);
  return url === undefined ? [] : [{ kind: 'url', url }];
}

/** The base64 of a `data:` address, or of a `b64_json` that some services write as one. */
function base64In(value: unknown): string | undefined {
  return typeof value === 'string' && /^data:image\/[a-z+.-]+;base64,/i.test(value.slice(0, 64))
    ? value.slice(value.indexOf(',') + 1)
    : undefined;
}

function imageFrom(bytes: Uint8Array): GeneratedImage | undefined {
  const mediaType = imageMediaTypeOf(bytes);
  return mediaType === undefined ? undefined : { kind: 'bytes', mediaType, bytes };
}
