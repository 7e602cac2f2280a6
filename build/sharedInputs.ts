/** Which sources become the chunk that several late files share. */
import path from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * What more than two late files need, or two if it adds no library, because the others would load that too.
 * @param lateEntries absolute paths in the system's own form.
 * @param system the form of paths; for tests, another system's.
 * @returns names of esbuild's inputs, which have slashes on every system.
 */
export function sharedInputs(
  metafile: Metafile,
  lateEntries: Iterable<string>,
  folder: string,
  system: Pick<typeof path, 'relative' | 'sep'> = path,
): readonly string[] {
  const needsOf = needsOfEntries(metafile);
  const isPlain = (input: string): boolean =>
    [...staticallyNeeded(metafile, input)].every((needed) => needed.startsWith('src/'));
  const isShared = (input: string): boolean => {
    const users = needsOf.filter((needs) => needs.has(input)).length;
    return users > 2 || (users === 2 && isPlain(input));
  };
  const ofLate = [...lateEntries].flatMap((entry) => [
    ...staticallyNeeded(metafile, system.relative(folder, entry).replaceAll(system.sep, '/')),
  ]);
  return [...new Set(ofLate)].filter((input) => input.startsWith('src/') && isShared(input));
}

/**
 * What the files that the first request loads share with each other, or with late files: the client, the transport, and
 * each operation with the code that reads its response.
 * @param lateInputs what late files share.
 */
export function clientInputs(metafile: Metafile, lateInputs: readonly string[]): readonly string[] {
  const needsOf = Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
    entryPoint?.startsWith('src/api/') === true ? [staticallyNeeded(metafile, entryPoint)] : [],
  );
  const all = new Set(needsOf.flatMap((needs) => [...needs]));
  const isShared = (input: string): boolean =>
    lateInputs.includes(input) || needsOf.filter((needs) => needs.has(input)).length > 1;
  return [...all].filter((input) => input.startsWith('src/') && isShared(input));
}

/** What more than one of the entries needs. @param entries names of esbuild's inputs */
export function inputsOfSeveral(metafile: Metafile, entries: readonly string[]): readonly string[] {
  const needsOf = entries.map((entry) => staticallyNeeded(metafile, entry));
  const all = new Set(needsOf.flatMap((needs) => [...needs]));
  return [...all].filter((input) => needsOf.filter((needs) => needs.has(input)).length > 1);
}

/** What these entries share with each other, or with others. With its libraries, which they load anyway. */
export function inputsSharedBy(metafile: Metafile, entries: readonly string[]): readonly string[] {
  const needed = entries.flatMap((entry) => [...staticallyNeeded(metafile, entry)]);
  const needsOf = needsOfEntries(metafile);
  return [...new Set(needed)].filter(
    (input) => input.startsWith('src/') && needsOf.filter((needs) => needs.has(input)).length > 1,
  );
}

function needsOfEntries(metafile: Metafile): readonly ReadonlySet<string>[] {
  return Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
    entryPoint === undefined ? [] : [staticallyNeeded(metafile, entryPoint)],
  );
}

/** What is loaded with this entry. */
export function staticallyNeeded({ inputs }: Metafile, entry: string): ReadonlySet<string> {
  // Without this, a path in another spelling would only cost speed, and nobody would notice.
  if (inputs[entry] === undefined) throw new Error(`esbuild read no ${entry}`);
  const needed = new Set([entry]);
  for (const input of needed) {
    for (const { path: imported, kind, external } of inputs[input]?.imports ?? []) {
      if (kind !== 'dynamic-import' && external !== true) needed.add(imported);
    }
  }
  return needed;
}
