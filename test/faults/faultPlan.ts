import type { Random } from './random.ts';

/** What a call does to the disk, as far as it affects how the call can fail. */
export type CallKind =
  | 'openToRead'
  | 'openToWrite'
  | 'read'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'close'
  | 'rename'
  | 'unlink'
  | 'mkdir'
  | 'readdir'
  | 'stat'
  | 'utimes';

export type FaultCode = 'EBUSY' | 'EPERM' | 'EACCES' | 'EIO' | 'ENOSPC' | 'EROFS';

const locked = ['EBUSY', 'EPERM', 'EACCES'] as const;

/** The error codes that each kind of call can really fail with. */
const possible: Readonly<Record<CallKind, readonly FaultCode[]>> = {
  openToRead: [...locked, 'EIO'],
  openToWrite: [...locked, 'EIO', 'ENOSPC', 'EROFS'],
  read: ['EIO'],
  write: ['EIO', 'ENOSPC'],
  sync: ['EIO', 'ENOSPC'],
  truncate: ['EIO', 'ENOSPC', 'EPERM'],
  close: ['EIO'],
  rename: [...locked, 'EIO', 'ENOSPC', 'EROFS'],
  unlink: [...locked, 'EIO', 'EROFS'],
  mkdir: ['EACCES', 'EPERM', 'EIO', 'ENOSPC', 'EROFS'],
  readdir: ['EACCES', 'EPERM', 'EIO'],
  stat: [...locked, 'EIO'],
  utimes: ['EPERM', 'EACCES', 'EROFS'],
};

export function canFail(kind: CallKind, code: FaultCode): boolean {
  return possible[kind].includes(code);
}

/** What goes wrong in one window. Calls are counted from 1, from the moment the window opens. */
export interface FaultPlan {
  /** From call `at` on, the next `calls` calls that can fail with this code do. */
  readonly failures: readonly { readonly at: number; readonly calls: number; readonly code: FaultCode }[];
  /** From call `at` on, every call that can fail with this code does, until the fault clears. */
  readonly outage?: { readonly at: number; readonly code: FaultCode };
  /** From call `at` on, another program has the file of that call open, until the fault clears. */
  readonly locked?: { readonly at: number; readonly code: FaultCode };
  /** How many writes out of a hundred take only part of their bytes. */
  readonly shortWrites: number;
  /** Calls before which the window pauses while the other one continues. */
  readonly pauses: readonly number[];
  /** The call at which the process is killed, leaving half a write on disk. */
  readonly killAt?: number;
}

export const noFaults: FaultPlan = { failures: [], shortWrites: 0, pauses: [] };

const passing: readonly FaultCode[] = ['EBUSY', 'EPERM', 'EACCES', 'EIO', 'ENOSPC', 'EROFS'];
const lasting: readonly FaultCode[] = ['EIO', 'ENOSPC', 'EROFS', 'EACCES', 'EPERM'];

export function planOf(random: Random): FaultPlan {
  const call = (): number => Math.ceil(random.next() ** 2 * 90);
  const kind = random.next();
  const failures = (most: number): FaultPlan['failures'] =>
    Array.from({ length: random.between(1, most) }, () => ({
      at: call(),
      calls: random.pick([1, 1, 1, 2, 3, 6, 12]),
      code: random.pick(passing),
    }));
  const shortWrites = random.chance(0.4) ? random.pick([20, 60, 100]) : 0;
  const pauses = random.chance(0.4) ? Array.from({ length: random.between(1, 3) }, call) : [];
  const plan = { failures: [], shortWrites, pauses };
  if (kind < 0.15) return plan;
  if (kind < 0.55) return { ...plan, failures: failures(3) };
  if (kind < 0.7) return { ...plan, outage: { at: call(), code: random.pick(lasting) } };
  if (kind < 0.8) return { ...plan, locked: { at: call(), code: random.pick(locked) } };
  if (kind < 0.86) return { ...plan, killAt: call() };
  if (kind < 0.88) return { ...plan, failures: failures(2), killAt: call() };
  return { ...plan, failures: failures(2) };
}
