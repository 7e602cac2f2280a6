import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Packages that are shipped as files, not through the bundler. */
const copied = ['@vscode/codicons'];

/**
 * Writes the licenses of everything inside the bundles, as their terms require.
 * @param metafiles what the bundler reported about each bundle
 */
export async function writeThirdPartyNotices(metafiles: readonly string[], target: string): Promise<void> {
  const names = new Set(copied);
  for (const file of metafiles) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- esbuild wrote it a moment ago
    const { inputs } = JSON.parse(await readFile(file, 'utf8')) as Metafile;
    for (const input of Object.keys(inputs)) {
      const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(input)?.[1];
      if (name !== undefined) names.add(name);
    }
  }
  const notices = await Promise.all([...names].toSorted().map(noticeOf));
  const head = 'Parlance contains the following packages. Their licenses:';
  await writeFile(target, `${[head, ...notices].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
}

async function noticeOf(name: string): Promise<string> {
  const folder = join('node_modules', name);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- npm's own file
  const { version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly author?: string | { readonly name: string };
  };
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (files.length === 0) {
    if (license !== 'MIT') throw new Error(`${name} has no license file: find its terms before shipping it`);
    texts.push(
      `Copyright (c) ${typeof author === 'object' ? author.name : (author ?? 'its authors')}\n\n${await mitTerms()}`,
    );
  }
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}

/** The terms without a copyright line, as in our own license. */
async function mitTerms(): Promise<string> {
  const own = await readFile('LICENSE', 'utf8');
  return own.slice(own.indexOf('Permission is hereby granted'));
}
