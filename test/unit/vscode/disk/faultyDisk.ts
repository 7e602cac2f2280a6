import promises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

type Call = 'open' | 'readFile' | 'rename' | 'rm' | 'mkdir' | 'readdir' | 'stat';
type FileCall = 'write' | 'writeFile' | 'datasync';

/** What a call does instead: fails with this code, or only after this. Undefined lets it through. */
type Fault = (args: readonly unknown[]) => string | undefined;

const table = promises as unknown as Record<Call, (...args: unknown[]) => Promise<unknown>>;

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: on purpose`), { code });
}

/** Makes file system calls fail during the work, as another program or a full disk would. */
export async function withFaults<T>(
  faults: Partial<Record<Call | FileCall, Fault>>,
  work: () => Promise<T>,
): Promise<T> {
  const file = await open('.', 'r');
  const files = Object.getPrototypeOf(file) as Record<FileCall, (...args: unknown[]) => Promise<unknown>>;
  await file.close();
  const undo: (() => void)[] = [];
  for (const [name, fault] of Object.entries(faults)) {
    const owner = (name in files && !(name in table) ? files : name === 'writeFile' ? files : table) as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >;
    const real = owner[name];
    if (real === undefined) throw new Error(`There is no ${name}`);
    owner[name] = async function (this: unknown, ...args: unknown[]) {
      const code = fault(args);
      if (code !== undefined) throw failure(code);
      return real.apply(this, args);
    };
    undo.push(() => (owner[name] = real));
  }
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const each of undo) each();
    syncBuiltinESMExports();
  }
}

/** The first calls, this many, fail. */
export function firstCalls(count: number, code: string): Fault {
  let left = count;
  return () => {
    left -= 1;
    return left >= 0 ? code : undefined;
  };
}

/** Calls for paths with this ending fail. A pattern sees slashes on every system. */
export function about(ending: string | RegExp, code: string): Fault {
  const isMeant = (path: string): boolean =>
    typeof ending === 'string' ? path.endsWith(ending.replaceAll(sep, '/')) : ending.test(path);
  return (args) => {
    const paths = args.filter((path) => typeof path === 'string');
    return paths.some((path) => isMeant(path.replaceAll(sep, '/'))) ? code : undefined;
  };
}

/** Runs with waits a hundredth as long. */
export async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const real = globalThis.setTimeout;
  globalThis.setTimeout = ((run: () => void, ms = 0, ...rest: []) => real(run, ms / 100, ...rest)) as typeof setTimeout;
  try {
    return await work();
  } finally {
    globalThis.setTimeout = real;
  }
}
