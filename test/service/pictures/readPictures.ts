import type { ChatRequest } from '../chatRequest.ts';
import { readInputFile } from '../inputFile.ts';
import { invalid } from '../requestFields.ts';
import { pictureShape, type PictureShape } from './pictureShape.ts';

/** A picture that a message points at. */
export interface PictureLink {
  readonly url: string;
  /** Where in the request it stands, for errors. */
  readonly param: string;
}

/** A picture that was read. */
export interface Picture extends PictureShape {
  /** Its size in bytes. */
  readonly bytes: number;
  readonly source: 'data' | 'network';
}

/**
 * Reads all pictures of a conversation, in order.
 * @throws {ServiceError} 400 for one that cannot be read, or that is no picture
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
