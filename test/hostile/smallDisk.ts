import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../ui/waitUntil.ts';

const run = promisify(execFile);

/**
 * A disk of a few megabytes mounted over a folder, to be filled and made read-only. Needs Linux and permission to
 * mount.
 */
export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns why it isn't possible here, in words */
  static async mount(folder: string, megabytes: number): Promise<SmallDisk | string> {
    if (process.platform !== 'linux') return 'Only Linux has disks in memory';
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    } catch (error) {
      return `No disk can be mounted: ${error instanceof Error ? error.message : String(error)}`;
    }
    return new SmallDisk(folder);
  }

  /** Leaves no room for a single byte. */
  async fill(): Promise<void> {
    const file = await open(this.#ballast, 'a');
    try {
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
        // Until this much no longer fits.
        while ((await file.write(Buffer.alloc(size)).then(({ bytesWritten }) => bytesWritten, isFull)) === size);
      }
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(this.#ballast);
  }

  async setReadOnly(isReadOnly: boolean): Promise<void> {
    // Not while a file is being written.
    await waitUntil('the disk mounted anew', () =>
      run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.#folder]).then(
        () => true,
        () => false,
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // An extension host that is shutting down might still have a file open.
    await run('umount', ['--lazy', this.#folder]);
  }

  get #ballast(): string {
    return join(this.#folder, 'ballast');
  }
}

function isFull(error: unknown): number {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 0;
  throw error;
}
