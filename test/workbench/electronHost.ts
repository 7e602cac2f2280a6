/**
 * `npm run test:electron`: the host suite in desktop VS Code, which @vscode/test-electron downloads. Needs a display
 * (or xvfb-run) and the internet. `-- --version 1.106.0` runs it in another version.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { cacheFolder, projectFolder } from './folders.ts';
import { startHostNetwork } from './hostNetwork.ts';
import { runScript } from './runScript.ts';
import { writeSampleWorkspace } from './sampleWorkspace.ts';
import { countsText, isSuiteResult, sumOf } from './suiteResult.ts';

const { values } = parseArgs({
  options: { version: { type: 'string', default: 'stable' }, grep: { type: 'string' } },
});

await using cleanup = new AsyncDisposableStack();
const scratch = await mkdtemp(join(tmpdir(), 'parlance-electron-'));
try {
  if ((await runScript('esbuild.config.mjs')) !== 0) throw new Error('The build failed; see above.');
  const resultFile = join(scratch, 'result.json');
  const workspace = join(scratch, 'workspace');
  await writeSampleWorkspace(workspace);
  const network = await startHostNetwork();
  cleanup.defer(() => network.close());
  await runTests({
    version: values.version,
    cachePath: cacheFolder,
    extensionDevelopmentPath: projectFolder,
    extensionTestsPath: join(projectFolder, 'out/test/host/run.mjs'),
    extensionTestsEnv: {
      PARLANCE_HOST_RESULT: resultFile,
      PARLANCE_HOST_LOGS: join(scratch, 'user', 'logs'),
      PARLANCE_HOST_GREP: values.grep,
      SERVICE_API_KEY: undefined,
      ...network.env,
    },
    launchArgs: [
      workspace,
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${join(scratch, 'user')}`,
    ],
  });
  const result: unknown = JSON.parse(await readFile(resultFile, 'utf8'));
  if (!isSuiteResult(result)) throw new Error('The host suite left a result of another form.');
  console.log(countsText(sumOf(result)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(
    'This needs a display and the internet. Without them `npm run test:host` runs the same suite in the server host.',
  );
  process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
