import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxPictureBytes, maxPictureSourceBytes, maxContextLength } from '../../../shared/messageLimits.ts';
import type { Problem } from '../../../shared/problem.ts';
import { additionProblems } from '../../../words/additionProblems.ts';

// A character has up to three bytes for each of the units that the limit counts.
const MAX_BYTES = maxContextLength * 3;

/** Limits of attachments. */
export interface Addition {
  readonly conversationId: string;
  readonly id: string;
  /** Longest side in pixels, above which an image is scaled down. */
  readonly maxPictureEdge: number;
}

/** What the host gets for a file that was dropped or pasted, or why it can't be added. */
export type ReadAddition = Extract<ToHost, { type: 'addPicture' | 'addText' }> | { readonly problem: Problem };

/** Reads an image, and scales it down if it's large. @param name for display */
export async function readPicture(file: File, name: string, addition: Addition): Promise<ReadAddition> {
  const { maxPictureEdge, ...place } = addition;
  try {
    if (file.size > maxPictureSourceBytes) throw new Error('too large');
    const { scaledPicture } = await import('./scaledPicture.ts');
    const picture = await scaledPicture(file, maxPictureEdge);
    if (picture.bytes.length > maxPictureBytes) throw new Error('too large');
    return { type: 'addPicture', ...place, name: name.slice(0, 300), ...picture };
  } catch {
    return { problem: additionProblems.noPicture(name) };
  }
}

/** Reads any other file as text. */
export async function readText(file: File, { conversationId, id }: Addition): Promise<ReadAddition> {
  const { name } = file;
  try {
    const text = await fileText(file);
    if (text === undefined) return { problem: additionProblems.tooLong(name) };
    return { type: 'addText', conversationId, id, name: name.slice(0, 300), text };
  } catch {
    return { problem: additionProblems.unreadable(name) };
  }
}

/**
 * The text of a file.
 * @returns undefined if it's longer than the limit
 * @throws if it can't be read; a dropped folder also arrives as a file
 */
async function fileText(file: Blob): Promise<string | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(await file.arrayBuffer());
  return text.length > maxContextLength ? undefined : text;
}
