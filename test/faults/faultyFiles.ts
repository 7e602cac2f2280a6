import fs, { type Stats } from 'node:fs';
import files, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canFail, type CallKind, type FaultCode, type FaultPlan, noFaults } from './faultPlan.ts';
import { Random } from './random.ts';
import { fromScaled, realSleep, toScaled } from './scaledClock.ts';

type Name = keyof typeof files;
type AnyCall = (...args: unknown[]) => Promise<unknown>;

/** The original calls, for the suite's own use. */
const real = { ...files } as unknown as Readonly<Record<string, AnyCall>>;
const realOpen = files.open;
const handlePrototype = await prototypeOfHandles();
const realHandle = { ...Object.fromEntries(methodsOf(handlePrototype)) } as Readonly<Record<string, AnyCall>>;

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

/** How one schedule sees the disk. */
interface World {
  readonly folder: string;
  readonly plan: FaultPlan;
  readonly random: Random;
  readonly trace: string[];
  calls: number;
  isClear: boolean;
  lockedPath: string | undefined;
  readonly left: number[];
}

const errnos: Readonly<Record<FaultCode, number>> = {
  EBUSY: -16,
  EPERM: -1,
  EACCES: -13,
  EIO: -5,
  ENOSPC: -28,
  EROFS: -30,
};

/**
 * Puts faults between the stores and the disk, inside `node:fs/promises`: the stores don't notice. A write of a whole
 * file is split into its calls, so that each can fail or be the last.
 */
export class FaultyFiles {
  readonly #root: string;
  readonly #onPause: (call: number) => Promise<void>;
  readonly #handles = new WeakMap<FileHandle, { readonly path: string; readonly world: World }>();
  #world: World | undefined;
  /** Calls of this schedule that haven't returned. Those of an earlier one might hang forever. */
  #running = { calls: 0 };

  /** @param root calls outside this folder are passed through */
  constructor(root: string, onPause: (call: number) => Promise<void>) {
    this.#root = root + sep;
    this.#onPause = onPause;
    this.#patchPaths();
    this.#patchHandles();
    this.#forbidTheRest();
    syncBuiltinESMExports();
  }

  begin(folder: string, plan: FaultPlan, seed: number): void {
    this.#running = { calls: 0 };
    this.#world = {
      folder: folder + sep,
      plan,
      random: new Random(seed),
      trace: [],
      calls: 0,
      isClear: plan === noFaults,
      lockedPath: undefined,
      left: plan.failures.map(({ calls }) => calls),
    };
  }

  /** What fails until the fault clears continues from here. */
  clear(): void {
    if (this.#world !== undefined) this.#world.isClear = true;
  }

  /** Resolves when no call is on its way to the disk, and none follows at once. */
  async idle(): Promise<void> {
    let quiet = 0;
    while (quiet < 3) {
      const isQuiet = this.#running.calls === 0;
      quiet = isQuiet ? quiet + 1 : 0;
      await (isQuiet ? new Promise((resolve) => setImmediate(resolve)) : realSleep(1));
    }
  }

  get trace(): readonly string[] {
    return this.#world?.trace ?? [];
  }

  #patchPaths(): void {
    const kinds: Partial<Record<Name, CallKind>> = {
      readdir: 'readdir',
      mkdir: 'mkdir',
      rmdir: 'unlink',
      unlink: 'unlink',
      rename: 'rename',
      link: 'rename',
      truncate: 'truncate',
      utimes: 'utimes',
      stat: 'stat',
      lstat: 'stat',
      access: 'stat',
      realpath: 'stat',
    };
    const patched = files as unknown as Record<string, AnyCall>;
    for (const [name, kind] of Object.entries(kinds)) {
      patched[name] = async (path, ...rest) => {
        const world = await this.#worldOf(path);
        if (world === undefined) return real[name]?.(path, ...rest);
        if (kind !== 'mkdir' || !(await isThere(path))) {
          await this.#gate(world, kind, path, name === 'rename' || name === 'link' ? rest[0] : undefined);
        }
        if (name === 'utimes') return real[name]?.(path, ...rest.map((at) => fromScaled(timeOf(at)) / 1000));
        const result = await real[name]?.(path, ...rest);
        return name === 'stat' || name === 'lstat' ? scaled(result as Stats) : result;
      };
    }
    patched['open'] = (path, flags, mode) => this.#open(path, flags, mode);
    patched['readFile'] = (path, options) =>
      this.#whole(path, options, 'r', (handle) => handle.readFile(options as BufferEncoding), real['readFile']);
    patched['writeFile'] = (path, data, options) =>
      this.#whole(path, options, 'w', (handle) => handle.writeFile(data as string), real['writeFile'], data);
    patched['appendFile'] = (path, data, options) =>
      this.#whole(path, options, 'a', (handle) => handle.appendFile(data as string), real['appendFile'], data);
    patched['rm'] = (path, options) => this.#remove(path, options as RemoveOptions);
    patched['copyFile'] = async (from, to, mode) => {
      if ((await this.#worldOf(to)) === undefined) return void (await real['copyFile']?.(from, to, mode));
      await files.writeFile(String(to), await files.readFile(String(from)));
    };
    for (const name of [...Object.keys(kinds), 'open', 'readFile', 'writeFile', 'appendFile', 'rm', 'copyFile']) {
      const call = patched[name];
      patched[name] = async (...given) => {
        // A retry left over from an earlier schedule hangs forever, so nothing waits for it.
        if (!this.#isOfSchedule(given[0])) return call?.(...given);
        const running = this.#running;
        running.calls += 1;
        try {
          return await call?.(...given);
        } finally {
          running.calls -= 1;
        }
      };
    }
  }

  async #whole(
    path: unknown,
    options: unknown,
    flag: string,
    act: (handle: FileHandle) => Promise<unknown>,
    instead: AnyCall | undefined,
    ...data: readonly unknown[]
  ): Promise<unknown> {
    // A handle can be given instead of a path.
    if (typeof path === 'object' && path !== null && 'fd' in path) return act(path as FileHandle);
    if ((await this.#worldOf(path)) === undefined) return instead?.(path, ...data, options);
    const given = typeof options === 'object' && options !== null ? (options as { flag?: string; mode?: number }) : {};
    const handle = await files.open(path as string, given.flag ?? flag, given.mode);
    try {
      return await act(handle);
    } finally {
      await handle.close();
    }
  }

  async #open(path: unknown, flags: unknown, mode: unknown): Promise<FileHandle> {
    const world = await this.#worldOf(path);
    if (world !== undefined) await this.#gate(world, writes(flags) ? 'openToWrite' : 'openToRead', path);
    const handle = await realOpen(path as string, flags as string, mode as number);
    if (world !== undefined) this.#handles.set(handle, { path: nameOf(path), world });
    return handle;
  }

  async #remove(path: unknown, options: RemoveOptions | undefined): Promise<void> {
    const world = await this.#worldOf(path);
    const isFolder = async (): Promise<boolean> => {
      const stats = await real['lstat']?.(path).catch(() => undefined);
      return (stats as Stats | undefined)?.isDirectory() === true;
    };
    if (world !== undefined && options?.recursive === true && (await isFolder())) {
      for (const name of await files.readdir(nameOf(path))) await files.rm(nameOf(path) + sep + name, options);
      await files.rmdir(nameOf(path));
      return;
    }
    if (world === undefined) return void (await real['rm']?.(path, options));
    await this.#gate(world, 'unlink', path);
    try {
      await real['unlink']?.(path);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone || options?.force !== true) throw error;
    }
  }

  #patchHandles(): void {
    const kinds: Readonly<Record<string, CallKind>> = {
      read: 'read',
      readFile: 'read',
      sync: 'sync',
      datasync: 'sync',
      truncate: 'truncate',
      stat: 'stat',
      utimes: 'utimes',
    };
    const patched = handlePrototype as Record<string, AnyCall>;
    const world = (handle: FileHandle) => this.#handles.get(handle);
    const gate = (at: { world: World; path: string }, kind: CallKind) => this.#gate(at.world, kind, at.path);
    const current = (at: { world: World }) => this.#isCurrent(at.world);
    const part = (at: { world: World }, length: number): number => {
      const { plan, random, isClear } = at.world;
      if (isClear || length < 2 || !random.chance(plan.shortWrites / 100)) return length;
      return random.between(1, length - 1);
    };
    for (const [name, kind] of Object.entries(kinds)) {
      patched[name] = async function (this: FileHandle, ...args) {
        const at = world(this);
        if (at !== undefined) await gate(at, kind);
        const times = args.map((each) => (name === 'utimes' ? fromScaled(timeOf(each)) / 1000 : each));
        const result = await realHandle[name]?.call(this, ...times);
        return at !== undefined && name === 'stat' ? scaled(result as Stats) : result;
      };
    }
    patched['close'] = async function (this: FileHandle) {
      const at = world(this);
      // Closes it anyway, or the suite runs out of handles.
      if (at === undefined || !current(at)) return void (await realHandle['close']?.call(this));
      try {
        await gate(at, 'close');
      } finally {
        await realHandle['close']?.call(this);
      }
    };
    patched['write'] = async function (this: FileHandle, data, ...rest) {
      const at = world(this);
      if (at === undefined) return realHandle['write']?.call(this, data, ...rest);
      const [bytes, position] = bytesToWrite(data, rest);
      const length = part(at, bytes.length);
      const { plan, calls, random, isClear } = at.world;
      if (!isClear && plan.killAt === calls + 1) {
        // Killed halfway through, even if the fault clears meanwhile: the same bytes must not be written once more.
        await realHandle['write']?.call(this, bytes, 0, random.between(0, bytes.length), position);
        await die();
      }
      await gate(at, 'write');
      const written = (await realHandle['write']?.call(this, bytes, 0, length, position)) as { bytesWritten: number };
      return { bytesWritten: written.bytesWritten, buffer: data };
    };
    const writeAll = async function (this: FileHandle, data: unknown, options: unknown): Promise<unknown> {
      if (world(this) === undefined) return realHandle['appendFile']?.call(this, data, options);
      const bytes = typeof data === 'string' ? Buffer.from(data) : (data as Uint8Array);
      for (let at = 0; at < bytes.length;) {
        const { bytesWritten } = await this.write(bytes, at, bytes.length - at, null);
        at += bytesWritten;
      }
      return undefined;
    };
    patched['writeFile'] = writeAll;
    patched['appendFile'] = writeAll;
    patched['writev'] = async function (this: FileHandle, buffers, position) {
      if (world(this) === undefined) return realHandle['writev']?.call(this, buffers, position);
      const written = await this.write(Buffer.concat(buffers as Uint8Array[]), 0, undefined, position as number);
      return { ...written, buffers };
    };
  }

  /** Otherwise a store that used another function would go unnoticed. */
  #forbidTheRest(): void {
    const forbid = (holder: object, name: string): void => {
      const original = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
      Reflect.set(holder, name, (...args: unknown[]) => {
        if (this.#isInside(args[0]))
          throw new Error(`The fault suite does not know fs.${name}: teach it in faultyFiles.ts`);
        return original.apply(holder, args);
      });
    };
    const own = new Set(['watch', 'watchFile', 'unwatchFile', 'constants', 'promises', 'Stats', 'existsSync']);
    for (const [name, value] of Object.entries(fs)) {
      if (typeof value === 'function' && !own.has(name) && /^[a-z]/.test(name)) forbid(fs, name);
    }
    for (const name of ['cp', 'opendir', 'mkdtemp', 'symlink', 'chmod', 'lutimes', 'readlink', 'glob'] as const) {
      forbid(files, name);
    }
  }

  #isInside(path: unknown): boolean {
    return (typeof path === 'string' || path instanceof URL) && nameOf(path).startsWith(this.#root);
  }

  #isCurrent(world: World): boolean {
    return this.#world === world;
  }

  /** Never settles for a folder of an earlier schedule, because its window is closed. */
  #worldOf(path: unknown): Promise<World | undefined> {
    if (!this.#isInside(path)) return Promise.resolve(undefined);
    return this.#isOfSchedule(path) ? Promise.resolve(this.#world) : new Promise(() => undefined);
  }

  #isOfSchedule(path: unknown): boolean {
    return this.#world !== undefined && (nameOf(path) + sep).startsWith(this.#world.folder);
  }

  /** Called before each call: faults start here. */
  async #gate(world: World, kind: CallKind, path: unknown, second?: unknown): Promise<void> {
    if (!this.#isCurrent(world)) return new Promise(() => undefined);
    world.calls += 1;
    const call = world.calls;
    const names = [path, second]
      .filter((each) => each !== undefined)
      .map((each) => nameOf(each).slice(world.folder.length));
    const note = (what: string): void => void world.trace.push(`${call} ${kind} ${names.join(' → ')}${what}`);
    if (!world.isClear) {
      const { plan } = world;
      if (call === plan.killAt) {
        await die();
      }
      if (plan.pauses.includes(call)) {
        note(' … hangs');
        await this.#onPause(call);
      }
      const code = world.isClear ? undefined : faultOf(world, call, kind, [path, second].map(String));
      if (code !== undefined) {
        note(` ! ${code}`);
        const [from = '', to] = names;
        const message = `${code}: injected, ${kind} '${from}'${to === undefined ? '' : ` -> '${to}'`}`;
        throw Object.assign(new Error(message), { code, errno: errnos[code], syscall: kind, path: nameOf(path) });
      }
    }
    note('');
  }
}

/** Like a crash: nothing else runs in this process. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

function faultOf(world: World, call: number, kind: CallKind, paths: readonly string[]): FaultCode | undefined {
  const { plan, left } = world;
  const { locked, outage } = plan;
  if (locked !== undefined && call >= locked.at) {
    world.lockedPath ??= paths[0];
    const isIt = paths.includes(world.lockedPath ?? '');
    if (isIt && canFail(kind, locked.code)) return locked.code;
  }
  // A full disk can still be read; so can a read-only one.
  if (outage !== undefined && call >= outage.at && canFail(kind, outage.code)) return outage.code;
  for (const [index, { at, code }] of plan.failures.entries()) {
    if (call < at || (left[index] ?? 0) === 0 || !canFail(kind, code)) continue;
    left[index] = (left[index] ?? 0) - 1;
    return code;
  }
  return undefined;
}

function bytesToWrite(data: unknown, rest: readonly unknown[]): [Uint8Array, number | null] {
  if (typeof data === 'string') return [Buffer.from(data), (rest[0] as number | undefined) ?? null];
  const bytes = data as Uint8Array;
  const given = typeof rest[0] === 'object' && rest[0] !== null ? (rest[0] as Record<string, number>) : undefined;
  const offset = given?.['offset'] ?? (given === undefined ? (rest[0] as number | undefined) : 0) ?? 0;
  const length = given?.['length'] ?? (rest[1] as number | undefined) ?? bytes.length - offset;
  return [
    bytes.subarray(offset, offset + length),
    given?.['position'] ?? (rest[2] as number | null | undefined) ?? null,
  ];
}

function writes(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}

function nameOf(path: unknown): string {
  return path instanceof URL ? fileURLToPath(path) : String(path);
}

function timeOf(at: unknown): number {
  return at instanceof Date ? at.getTime() : Number(at) * 1000;
}

function scaled(stats: Stats): Stats {
  for (const name of ['atimeMs', 'mtimeMs', 'ctimeMs', 'birthtimeMs'] as const) stats[name] = toScaled(stats[name]);
  return stats;
}

async function isThere(path: unknown): Promise<boolean> {
  return real['stat']!(path).then(
    () => true,
    () => false,
  );
}

async function prototypeOfHandles(): Promise<object> {
  const handle = await realOpen(process.execPath);
  // Loads lazy modules before anything is patched.
  await files.rm(`${process.execPath}.none`, { force: true, recursive: true });
  await handle.close();
  return Object.getPrototypeOf(handle) as object;
}

function methodsOf(prototype: object): readonly [string, unknown][] {
  return Object.getOwnPropertyNames(prototype)
    .filter((name) => typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function')
    .map((name) => [name, Reflect.get(prototype, name)]);
}
