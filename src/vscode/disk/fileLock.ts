import { createHash } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, isMissing, isPassing } from './diskError.ts';
import { makeFolder } from './makeFolder.ts';
import { ownerOf, processMark } from './processMark.ts';
import { removeFile } from './removeFile.ts';
import { pause, retryPassing } from './retryPassing.ts';

/** A holder writes one small file. One that has moved on no further for so long is stopped, or isn't who it was. */
const STUCK_MS = 10_000;
/** From making the lock's file to naming its owner in it, nothing takes so long. */
const NAMELESS_MS = 1000;
const PATIENCE_MS = 20_000;
/** A lock that couldn't be deleted is deleted after this. */
const AGAIN_MS = 5000;
/** A folder that takes no new files takes none of ours either. */
const REFUSED_MS = 5000;

/** Someone else has taken the lock, since this process held it for too long. */
class LockLostError extends Error {}

export interface HeldLock {
  /** Rejects where the lock isn't ours any longer: the work ends there and begins anew. */
  confirm(): Promise<void>;
}

interface Holder {
  /** Differs for each time the lock is taken. */
  readonly token: string;
  readonly isNamed: boolean;
  readonly isDead: boolean;
}

/**
 * Does work that only one window at a time may do. The lock is a file with its owner's mark in it. One whose owner was
 * killed is taken over at once; a live owner that doesn't move is passed over after 10 seconds, so the work has to call
 * `confirm` right before what can't be undone. Work that lost the lock begins anew, with what is there then.
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
      // On Windows, EPERM also says that it is just being deleted.
      if (codeOf(error) !== 'EEXIST' && !isPassing(error)) throw error;
      if (codeOf(error) !== 'EEXIST') refusal = error;
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
    if (waited >= PATIENCE_MS) throw Object.assign(new Error(`Other windows hold ${path}`), { code: 'EBUSY' });
    // Two that wait for each other's step don't go on in step.
    const time = delay * (0.5 + Math.random());
    await pause(time);
    seenFor += time;
    waited += time;
    refusedFor = refusal === undefined ? 0 : refusedFor + time;
  }
}

async function create(path: string, token: string): Promise<void> {
  const file = await open(path, 'wx').catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(path));
    return open(path, 'wx');
  });
  try {
    await file.writeFile(token);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    // It names no one yet. Where it can't be deleted, others pass over it.
    await removeFile(path).catch(() => undefined);
    throw error;
  }
}

/** Undefined where nobody holds it. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const token = await retryPassing(() => readFile(path, 'utf8'));
    const owner = ownerOf(token.slice(0, token.indexOf('.')));
    if (owner !== undefined) return { token, isNamed: true, isDead: owner === 'dead' };
    // Its owner was killed before writing its name, or is just about to.
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
 * Deletes a lock that was left. Two windows may find it at once, and the second must not delete the one that the first
 * has taken meanwhile: only who holds a lock named after this very holder may delete it.
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
    // The others pass over it after a while, but would wait that long each time.
    setTimeout(() => void release(path, token), AGAIN_MS).unref();
  }
}
