import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.ts';

/** The Node that VS Code had when the oldest server came out; on a newer one its native parts don't load. */
const olderNode = '22.23.3';

/**
 * Brings the Node for the oldest server to `.vscode-test/node-<version>/`, once, from npm.
 *
 * @returns the path of its program.
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
