import { createHash } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { diskCodeOf, isMissing, isPassing } from './diskError.ts';
import { openIn } from './makeFolder.ts';
import { ownerOf, processMark } from './processMark.ts';
import { removeFile } from './removeFile.ts';
import { pause, retryPassing } from './retryPassing.ts';

/** A holder only writes one small file. If that takes this long, it hangs, or its process ID was reused. */
const STUCK_MS = 10_000;
/** Writing the owner into a lock file that was just created never takes this long. */
const NAMELESS_MS = 1000;
const PATIENCE_MS = 20_000;
/** When to try again to delete a lock that couldn't be deleted. */
const AGAIN_MS = 5000;
/** How long creating the lock can fail before we give up: we might not be allowed to write to the folder. */
const REFUSED_MS = 5000;

/** Another process took the lock because this one held it for too long. */
class LockLostError extends Error {}

export interface HeldLock {
  /** Rejects if the lock is no longer ours; the work then stops and starts over. */
  confirm(): Promise<void>;
}

interface Holder {
  /** Unique for each time the lock is taken. */
  readonly token: string;
  readonly isNamed: boolean;
  readonly isDead: boolean;
}

/**
 * Runs work that only one window at a time may do. The lock is a file that contains its owner's mark. If the owner was
 * killed, the lock is taken over at once. If the owner is alive but makes no progress for 10 seconds, the lock is taken
 * from it, so the work must call `confirm` right before anything that can't be undone. Work that lost the lock starts
 * over with the current state of the file.
 */
export async function withFileLock<T>(path: string, work: (lock: HeldLock) => Promise<T>): Promise<T> {
  for (;;) {
    const token = await take(path);
    try {
      return await work({
        confirm: async () => {
          if ((await holderOf(path))?.token !== token) throw new LockLostError(`Lost the lock ${path}`);
        },
      });
    } catch (error) {
      if (!(error instanceof LockLostError)) throw error;
    } finally {
      await release(path, token);
    }
  }
}

async function take(path: string): Promise<string> {
  const token = `${processMark()}.${crypto.randomUUID()}`;
  let seen: string | undefined;
  let seenFor = 0;
  let refusedFor = 0;
  let waited = 0;
  for (let delay = 2; ; delay = Math.min(delay * 2, 50)) {
    let refusal: unknown;
    try {
      await create(path, token);
      return token;
    } catch (error) {
      // On Windows, EPERM can also mean that the file is being deleted.
      if (diskCodeOf(error) !== 'EEXIST' && !isPassing(error)) throw error;
      if (diskCodeOf(error) !== 'EEXIST') refusal = error;
    }
    const holder = await holderOf(path);
    if (holder?.token !== seen) seenFor = 0;
    seen = holder?.token;
    if (holder !== undefined && isAbandoned(holder, seenFor)) {
      await breakLock(path, holder);
      seenFor = 0;
      continue;
    }
    if (refusal !== undefined && holder === undefined && refusedFor >= REFUSED_MS) throw refusal;
    if (waited >= PATIENCE_MS)
      throw Object.assign(new Error(`EBUSY: other windows hold the file, lock '${path}'`), { code: 'EBUSY' });
    // Random, so that two waiting windows don't keep retrying at the same moment.
    const time = delay * (0.5 + Math.random());
    await pause(time);
    seenFor += time;
    waited += time;
    refusedFor = refusal === undefined ? 0 : refusedFor + time;
  }
}

async function create(path: string, token: string): Promise<void> {
  const file = await openIn(path, 'wx');
  try {
    await file.writeFile(token);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await removeUnnamed(path, token, true);
    throw error;
  }
}

/** Deletes a lock that we created and couldn't write our mark into, now or as soon as possible. Never rejects. */
async function removeUnnamed(path: string, token: string, isNew: boolean): Promise<void> {
  const again = (): void => void setTimeout(() => void removeUnnamed(path, token, false), AGAIN_MS).unref();
  try {
    await retryPassing(async () => {
      const text = await readFile(path, 'utf8');
      // Later, an empty one might be another window's, which writes its own mark in a moment.
      const isOurs = text === '' ? isNew || (await isOld(path)) : token.startsWith(text);
      if (isOurs) await rm(path, { force: true });
      // Still without a mark: next time it has one, or is old.
      else if (text === '') again();
    });
  } catch (error) {
    if (!isMissing(error)) again();
  }
}

async function isOld(path: string): Promise<boolean> {
  return Date.now() - (await stat(path)).mtimeMs > NAMELESS_MS;
}

/** Undefined if nobody holds the lock. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const token = await retryPassing(() => readFile(path, 'utf8'));
    const owner = ownerOf(token.slice(0, token.indexOf('.')));
    if (owner !== undefined) return { token, isNamed: true, isDead: owner === 'dead' };
    // Its owner was killed before it could write its mark, or is about to write it.
    const { ino, mtimeMs } = await stat(path);
    const isDead = Date.now() - mtimeMs > NAMELESS_MS;
    return { token: `${ino} ${mtimeMs}`, isNamed: false, isDead };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isAbandoned({ isDead, isNamed }: Holder, seenForMs: number): boolean {
  return isDead || seenForMs >= (isNamed ? STUCK_MS : NAMELESS_MS);
}

/**
 * Deletes an abandoned lock. Two windows might find it at the same time, and the second must not delete the lock that
 * the first has just taken. So deleting requires another lock, named after the abandoned one's token.
 */
async function breakLock(path: string, { token }: Holder): Promise<void> {
  const name = createHash('sha256').update(token).digest('hex').slice(0, 12);
  await withFileLock(`${path}.${name}`, async () => {
    if ((await holderOf(path))?.token === token) await removeFile(path);
  });
}

async function release(path: string, token: string): Promise<void> {
  try {
    await retryPassing(async () => {
      if ((await readFile(path, 'utf8')) === token) await rm(path, { force: true });
    });
  } catch {
    // Others would take the lock over, but only after a wait each time.
    setTimeout(() => void release(path, token), AGAIN_MS).unref();
  }
}
