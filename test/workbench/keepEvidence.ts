import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { resultsFolder } from './folders.ts';
import type { VsCodeServer } from './vscodeServer.ts';

export interface Evidence {
  readonly server: VsCodeServer;
  readonly page?: Page | undefined;
  readonly consoleLines: readonly string[];
}

/** Keeps what explains a failed test, under `test-results/<name>/`. @returns that folder. */
export async function keepEvidence(name: string, { server, page, consoleLines }: Evidence): Promise<string> {
  const folder = join(resultsFolder, name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'console.log'), consoleLines.join('\n'));
  await cp(server.outputFile, join(folder, 'server.log'));
  // If VS Code could write them: its log writer is a native module that might be missing.
  await cp(join(server.dataFolder, 'data', 'logs'), join(folder, 'logs'), { recursive: true, force: true }).catch(
    () => undefined,
  );
  await page?.screenshot({ path: join(folder, 'screenshot.png'), timeout: 5_000 }).catch(() => undefined);
  return folder;
}
