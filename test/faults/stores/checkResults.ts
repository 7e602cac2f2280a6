import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { CheckResultFiles } from '../../../src/vscode/checks/results/checkResultFiles.ts';
import { checkSet, filesWith, type StoreUnderTest } from '../storeUnderTest.ts';
import { outcomeOf, waitForRetries } from './settling.ts';

interface Checking {
  readonly file: string;
  readonly caseId: string;
  readonly isDeleted?: boolean;
}

const fileNames = /^[0-9a-f]{32}\.json$/;
const files = ['file:///w/a.checks.yaml', 'file:///w/b.checks.yaml'];
// Only the text of a URI is used. oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
const address = (text: string) => ({ toString: () => text }) as vscode.Uri;

/** The case of each result that exists. */
export const checkResults: StoreUnderTest<Checking, readonly string[]> = {
  name: 'check results',
  files: fileNames,
  operation(random, _window, before) {
    const file = random.pick(files);
    const isDeleted = before.length > 0 && random.chance(0.2);
    return { file, caseId: random.uuid(), ...(isDeleted && { isDeleted }) };
  },
  open(setting) {
    const store = new CheckResultFiles(setting.folder, setting.report);
    return Promise.resolve({
      run: async ({ file, caseId, isDeleted }) => ({
        outcome: await outcomeOf(setting, async () => {
          if (isDeleted === true) {
            await store.remove(address(file));
            return;
          }
          const faults = [{ reason: `because of ${caseId}` }];
          const attempts = [{ attempt: caseId, state: 'failed' as const, score: 0, faults }];
          const cell = { fingerprint: 'f', experiment: `checks-${caseId}`, at: 1, repeats: 1, attempts };
          await store.write(address(file), [{ caseId, modelKey: 'm', cell }], () => true);
        }),
      }),
      settle: () => waitForRetries(() => store.settled()),
      close: () => store.settled(),
    });
  },
  async look({ folder, report }) {
    const experiments = await new CheckResultFiles(folder, report).experiments();
    if (experiments !== undefined) return [...experiments].map((id) => id.replace('checks-', ''));
    // A damaged file was set aside: the rest is read file by file.
    const names = (await readdir(folder)).filter((name) => fileNames.test(name));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.flatMap((text) => [...text.matchAll(/"checks-([^"]+)"/g)].map(([, caseId = '']) => caseId));
  },
  check: (done, seen, folder) =>
    checkSet(done, {
      added: ({ caseId, isDeleted }) => (isDeleted === true ? undefined : caseId),
      removes: (op, item) =>
        op.isDeleted === true && done.some((each) => each.op.caseId === item && each.op.file === op.file),
      isThere: (item) => seen.includes(item),
      isOnDisk: (item) => filesWith(folder, `because of ${item}`).length > 0,
    }),
};
