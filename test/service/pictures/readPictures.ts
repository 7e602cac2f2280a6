import type { ChatRequest } from '../chatRequest.ts';
import { readInputFile } from '../inputFile.ts';
import { invalid } from '../requestFields.ts';
import { pictureShape, type PictureShape } from './pictureShape.ts';

/** An image that a message refers to. */
export interface PictureLink {
  readonly url: string;
  /** Its position in the request, for errors. */
  readonly param: string;
}

/** An image that was read. */
export interface Picture extends PictureShape {
  /** Its size in bytes. */
  readonly bytes: number;
  readonly source: 'data' | 'network';
}

/**
 * Reads all images of a conversation, in order.
 * @throws {ServiceError} 400 for one that can't be read or isn't an image
 * @throws the signal's AbortError
 */
export async function readPictures(
  { messages }: Pick<ChatRequest, 'messages'>,
  signal: AbortSignal,
): Promise<readonly Picture[]> {
  const links = messages.flatMap(({ pictures = [] }) => pictures);
  return Promise.all(links.map(({ url, param }) => readPicture(url, param, signal)));
}

/** @throws {ServiceError} 400 and the signal's AbortError, as above */
export async function readPicture(url: string, param: string, signal: AbortSignal): Promise<Picture> {
  const { bytes, source } = await readInputFile(url, param, signal);
  const shape = pictureShape(bytes);
  if (!shape) throw invalid(param, 'must be a PNG, JPEG, GIF or WebP picture.');
  return { ...shape, bytes: bytes.length, source };
}
