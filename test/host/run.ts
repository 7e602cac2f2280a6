import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { suiteMark } from '../workbench/suiteMark.ts';
import { FaultLog } from '../workbench/faultLog.ts';
import { findFiles } from '../workbench/findFiles.ts';
import { isOurFault } from '../workbench/isOurFault.ts';
import { takePageFaults } from '../workbench/pageFaults.ts';
import { runMocha } from '../workbench/runMocha.ts';
import { sumOf } from '../workbench/suiteResult.ts';
import { watchHostErrors } from '../workbench/watchHostErrors.ts';
import { closeUntitled } from './closeUntitled.ts';

/** Of the suite's own bundles, which contain some of Parlance's code. */
const ofTheSuite = /[/\\]out[/\\]test[/\\]host/;

/**
 * VS Code calls this inside its extension host (`extensionTestsPath`). The result is written to a file named by the
 * environment, because what VS Code returns differs between its hosts.
 */
export async function run(): Promise<void> {
  const resultFile = process.env['PARLANCE_HOST_RESULT'];
  if (resultFile === undefined) throw new Error('PARLANCE_HOST_RESULT names no file for the result');
  // Suites start their own services on any port; those about the key remove it.
  process.env['SERVICE_API_KEY_ORIGINS'] = 'http://127.0.0.1:*';
  const log = new FaultLog(process.env['PARLANCE_HOST_LOGS'] ?? '');
  // A desktop VS Code has no browser that tells.
  const pageFaultsPort = Number(process.env['PARLANCE_HOST_PAGE_FAULTS'] ?? 0);
  const told: string[] = [];
  const errors = watchHostErrors((fault) => told.push(`extension host: ${fault}`));
  const built = await findFiles(join(import.meta.dirname, '**/*.test.mjs'));
  // By the paths of the source files.
  const wanted = process.env['PARLANCE_HOST_FILES']?.split(',').map((path) => basename(path, '.ts'));
  const files = built.filter((file) => wanted?.includes(basename(file, '.mjs')) ?? true);
  const takeFaults = async (): Promise<readonly string[]> => {
    // What the window said before has been heard once it has answered this.
    await vscode.commands.executeCommand('setContext', 'parlanceTest.settled', true);
    const ofPages = pageFaultsPort > 0 ? await takePageFaults(pageFaultsPort) : [];
    await errors.settle();
    const faults = [...ofPages, ...told.splice(0), ...(await log.take())];
    return faults.filter((fault) => isOurFault(fault) || ofTheSuite.test(fault));
  };
  const write = (text: string): void => console.log(suiteMark + text);
  const ofTests = await runMocha({
    files,
    grep: process.env['PARLANCE_HOST_GREP'],
    // Only a test that hangs takes this long.
    timeoutMs: 120_000,
    afterTest: takeFaults,
    afterSuite: async () => {
      await closeUntitled();
      // A chat in view would show the messages that the next suite expects as notifications.
      await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    },
    write,
  });
  const late = await takeFaults();
  if (late.length > 0) write(`Something went wrong after the last test:\n${late.join('\n')}`);
  const atEnd = { file: 'host, at its end', passed: 0, failed: 1, skipped: 0, ms: 0 };
  const result = late.length > 0 ? [...ofTests, atEnd] : ofTests;
  await writeFile(resultFile, JSON.stringify(result));
  const { failed } = sumOf(result);
  if (failed > 0) throw new Error(`${failed} failed`);
}
