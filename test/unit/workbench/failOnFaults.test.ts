import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { findFiles } from '../../workbench/findFiles.ts';
import { projectFolder, projectPath } from '../../workbench/folders.ts';
import { TestWorker } from '../../workbench/testWorkers.ts';

const failOnFaults = pathToFileURL(join(projectFolder, 'test/workbench/failOnFaults.ts')).href;

/** A hook after the one that looks for faults would keep what tells why a test failed. */
const source = `
  import { failOnFaults } from ${JSON.stringify(failOnFaults)};
  const faults = [];
  describe('A suite', () => {
    failOnFaults('nothing went wrong', async () => {
      if (faults[0] === 'unknown') throw new Error(faults.splice(0) + ' faults');
      return faults.splice(0);
    });
    afterEach('keep what tells why', function () {
      console.log('after: ' + this.currentTest.title + ' ' + this.currentTest.state);
    });
    it('first', () => {});
    it('second', () => void faults.push('an error in a console'));
    it('third', function () { faults.push('an error beside no test'); this.skip(); });
    it('fourth', () => void faults.push('unknown'));
    it('fifth', () => { faults.push('one more'); throw new Error('its own'); });
    it('sixth', () => {});
  });
  describe('Another suite', () => it('seventh', () => {}));
`;

describe('What goes wrong beside a test', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-faults-'));
    file = join(folder, 'some.test.mjs');
    await writeFile(file, source);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('fails that test and no other, whether it passed, was skipped, or failed', async () => {
    const worker = new TestWorker({ timeoutMs: 60_000 });
    const { passed, failed, skipped, text } = await worker.run(file);
    await worker.end();
    assert.deepEqual({ passed, failed, skipped }, { passed: 3, failed: 4, skipped: 0 }, text);
    assertReport(text);
  });

  it("does so with mocha's own command too", () => {
    const mocha = join(projectFolder, 'node_modules/mocha/bin/mocha.js');
    const { status, stdout } = spawnSync(process.execPath, [mocha, file], { cwd: projectFolder, encoding: 'utf8' });
    assert.notEqual(status, 0);
    assertReport(stdout);
  });

  it('is asserted by no hook that runs after each test: that would end the suite', async () => {
    const asserting = await Promise.all(
      (await findFiles('test/{unit,host,ui,faults,hostile}/**/*.ts')).map(async (path) => {
        const text = await readFile(path, 'utf8');
        const hooks = [...text.matchAll(/^( *)afterEach\(.*\{\n((?:\1 .*\n|\n)*)/gm)];
        return hooks.some(([, , body = '']) => /\bassert\b/.test(body)) ? [projectPath(path)] : [];
      }),
    );
    assert.deepEqual(asserting.flat(), []);
  });
});

/** Mocha colors its report where a variable such as CI or FORCE_COLOR is set. */
function assertReport(report: string): void {
  const text = stripVTControlCharacters(report);
  const beside = 'Something went wrong beside the test:';
  for (const [test, words] of [
    ['second', `${beside}\n *an error in a console`],
    ['third', `${beside}\n *an error beside no test`],
    ['fourth', `${beside}\n *Error: unknown faults`],
    ['fifth', 'Error: its own'],
    ['fifth', `${beside}\n *one more`],
  ] as const)
    assert.match(text, new RegExp(`\\d\\) A suite\\n *${test}:\\n *(?:Error: )?${words}`));
  assert.deepEqual(
    [...text.matchAll(/after: (.*)/g)].map(([, outcome]) => outcome),
    ['first passed', 'second failed', 'third failed', 'fourth failed', 'fifth failed', 'sixth passed'],
  );
  assert.match(text, /✔ seventh/);
}
