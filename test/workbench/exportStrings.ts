/**
 * `npm run l10n`: writes the strings of the sources to `l10n/bundle.l10n.json`. VS Code's own tool finds them, but its
 * command reads the files in the order of the file system, which differs between machines.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { findFiles } from './findFiles.ts';
import { projectFolder } from './folders.ts';

if (import.meta.main) {
  const files = await findFiles(join(projectFolder, 'src/**/*.ts'));
  const scripts = files.map(async (file) => ({ extension: extname(file), contents: await readFile(file, 'utf8') }));
  const strings = await getL10nJson(await Promise.all(scripts));
  await writeFile(join(projectFolder, 'l10n/bundle.l10n.json'), `${JSON.stringify(strings, undefined, 2)}\n`);
}
