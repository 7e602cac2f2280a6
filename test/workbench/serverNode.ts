import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.ts';

/** The Node version of VS Code when the oldest server was released; its native parts don't load on a newer one. */
const olderNode = '22.23.3';

/**
 * Installs Node for the oldest server in `.vscode-test/node-<version>/`, once, from npm.
 * @returns the path of its executable.
 */
export async function installOlderNode(cacheFolder: string, report: (line: string) => void): Promise<string> {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const packageName = `node-${system}-${process.arch}`;
  const folder = join(cacheFolder, `node-${olderNode}`);
  const program = join(folder, 'node_modules', packageName, 'bin', system === 'win' ? 'node.exe' : 'node');
  if (existsSync(program)) return program;
  report(`Installing Node ${olderNode}, for the oldest VS Code…`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await npm(folder, ['install', '--ignore-scripts', `${packageName}@${olderNode}`]);
  return program;
}
