import { maxContextLength } from '../../../shared/messageLimits.ts';

// A character has up to three bytes for each of the units that the limit counts.
const MAX_BYTES = maxContextLength * 3;

/**
 * The text of a file.
 * @returns undefined if it's longer than the limit
 * @throws if it can't be read; a dropped folder also arrives as a file
 */
export async function fileText(file: Blob): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(await file.arrayBuffer());
  return text.length > maxContextLength ? undefined : text;
}
