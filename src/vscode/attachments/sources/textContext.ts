import { contextBlock } from '../../../core/chat/contextBlock.ts';
import { problemOfUnreadableFile } from '../../../core/problems/attachmentProblems.ts';
import type { Taken } from '../contextSnapshot.ts';
import { maySendNamed } from '../secretFile.ts';

/** A file from outside VS Code: the page has its text, and sends its name. */
export async function textContext(name: string, text: string): Promise<Taken> {
  if (!(await maySendNamed(name))) return undefined;
  if (text.includes('\0')) return problemOfUnreadableFile(name, '');
  const block = contextBlock({ heading: `File: ${name}`, language: '', text });
  // A name alone would be the path of a file at the top of the open folder.
  return { kind: 'file', name, detail: `…/${name}`, block, isUnplaced: true };
}
