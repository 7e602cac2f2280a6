import { createHash } from 'node:crypto';
import type { MediaInput } from '../../shared/media.ts';
import type { InputPicture } from './makeMedia.ts';
import type { MediaFolder } from './mediaFolder.ts';

/** Keeps a copy of a file that guides a generation. */
export async function keepInput(
  { name, mediaType, bytes }: InputPicture,
  folder: Pick<MediaFolder, 'keepInput'>,
): Promise<MediaInput> {
  // By its content: a file that is chosen again is not kept twice.
  const id = createHash('sha256').update(bytes).digest('hex');
  await folder.keepInput(id, bytes);
  return { kind: 'file', id, name: name.slice(0, 200), mediaType, sizeBytes: bytes.length };
}
