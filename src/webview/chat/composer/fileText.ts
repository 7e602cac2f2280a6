import { maxContextLength } from '../../../shared/messageLimits.ts';

// A character takes up to three bytes for each of the units that the limit counts.
const MAX_BYTES = maxContextLength * 3;

/**
 * The text of a file, whole.
 *
 * @returns undefined where it is longer than what can be added
 * @throws where it cannot be read: a folder that was dropped comes as a file, too
 */
export async function fileText(file: Blob): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(await file.arrayBuffer());
  return text.length > maxContextLength ? undefined : text;
}
