import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DownloadSink } from '../../api/download/mediaDownload.ts';
import { isMissing } from './diskError.ts';
import { makeFolder } from './makeFolder.ts';
import { moveFile, removeFile, removeLeftover } from './removeFile.ts';
import { replaceFile } from './replaceFile.ts';
import { retryPassing } from './retryPassing.ts';

export type PartFile = DownloadSink & { close(): Promise<void> };

/**
 * The file of an incomplete download, with its ETag in a second file, so that the next attempt can continue where this
 * one stopped. Bytes without an ETag are discarded, because it isn't known what they belong to.
 */
export async function openPartFile(path: string): Promise<PartFile> {
  await makeFolder(dirname(path));
  let tag = await tagIn(path);
  const file = await retryPassing(() => open(path, constants.O_RDWR | constants.O_CREAT));
  let size = tag === undefined ? 0 : (await file.stat()).size;
  await file.truncate(size);
  const setTag = async (now: string | undefined): Promise<void> => {
    tag = now;
    if (now === undefined) await removeFile(tagOf(path));
    else await replaceFile(tagOf(path), now, { isCache: true });
  };
  return {
    get size() {
      return size;
    },
    get tag() {
      return tag;
    },
    setTag,
    head: async () => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(16), 0, 16, 0);
      return buffer.subarray(0, bytesRead);
    },
    append: async (chunk) => {
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, at, chunk.length - at, size);
        at += bytesWritten;
        size += bytesWritten;
      }
    },
    restart: async () => {
      // The tag first: it must never belong to other bytes.
      await setTag(undefined);
      await file.truncate(0);
      size = 0;
    },
    close: async () => {
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
}

/** Renames an incomplete download. */
export async function movePartFile(from: string, to: string): Promise<void> {
  await moveFile(from, to);
  await moveFile(tagOf(from), tagOf(to)).catch(() => undefined);
}

/** Turns a completed download into the final file. */
export async function endPartFile(path: string, file: string): Promise<void> {
  await moveFile(path, file);
  await removeLeftover(tagOf(path));
}

async function tagIn(path: string): Promise<string | undefined> {
  try {
    return await retryPassing(() => readFile(tagOf(path), 'utf8'));
  } catch (error) {
    // A tag that can't be read right now might belong to an hour's worth of bytes, so those stay until the next
    // attempt.
    if (!isMissing(error)) throw error;
    return undefined;
  }
}

function tagOf(path: string): string {
  return `${path}.tag`;
}
