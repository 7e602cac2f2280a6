import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemOfUnsavedConversation } from '../../../../src/core/problems/conversationProblems.ts';
import { diskAdvice, diskTrouble } from '../../../../src/core/problems/diskAdvice.ts';
import { problemOfDisk, problemOfFile } from '../../../../src/core/problems/fileProblems.ts';
import { unsavedText } from '../../../../src/core/problems/fileTexts.ts';
import { ExperimentFile } from '../../../../src/vscode/experiments/experimentFile.ts';
import { MarksFiles } from '../../../../src/vscode/models/marksFiles.ts';
import type { FileTrouble } from '../../../../src/vscode/disk/jsonFile.ts';
import { about, hurried, withFaults } from '../../vscode/disk/faultyDisk.ts';

describe("What to do about a file that can't be saved", () => {
  const failed = (code: string) =>
    Object.assign(new Error(`${code}: what the system says, open '/data/models/x.marks.json.tmp'`), {
      code,
      path: '/data/models/x.marks.json.tmp',
    });

  it('depends on the cause, and only Windows treats "not permitted" as "in use"', () => {
    const free = 'Free up disk space before you close the window.';
    const writable = 'Make the folder writable before you close the window: /data/models';
    const inUse = 'Close programs that might be using the file before you close the window.';
    for (const [code, elsewhere, onWindows] of [
      ['ENOSPC', free, free],
      ['EDQUOT', free, free],
      ['EROFS', writable, writable],
      ['EACCES', writable, inUse],
      ['EPERM', writable, inUse],
      ['EBUSY', inUse, inUse],
    ] as const) {
      assert.equal(diskAdvice(failed(code), 'linux'), elsewhere, code);
      assert.equal(diskAdvice(failed(code), 'darwin'), elsewhere, code);
      assert.equal(diskAdvice(failed(code), 'win32'), onWindows, code);
    }
    assert.equal(diskTrouble('EIO'), 'other');
    assert.match(diskAdvice('nothing that anybody knows', 'linux'), /^Free up disk space or make the folder writable/);
  });

  it('depends on the cause when it ended what the user asked for, too', () => {
    const free = 'Free up disk space, then try again. ';
    const writable = 'Make the folder writable, then try again: /data/models ';
    const inUse = 'Close programs that might be using the file, then try again. ';
    for (const [code, elsewhere, onWindows] of [
      ['ENOSPC', free, free],
      ['EROFS', writable, writable],
      ['EPERM', writable, inUse],
      ['EBUSY', inUse, inUse],
      ['EISDIR', '', ''],
    ] as const) {
      const reason = `Reason: ${code}: what the system says`;
      assert.equal(problemOfDisk(failed(code), 'linux')?.detail, `${elsewhere}${reason}`);
      assert.equal(problemOfDisk(failed(code), 'win32')?.detail, `${onWindows}${reason}`);
    }
    const write = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    assert.equal(problemOfDisk(write, 'linux')?.detail, `${free}Reason: ENOSPC: no space left on device`);
    assert.equal(problemOfDisk(new Error('path'), 'linux'), undefined);
  });

  it("is found in VS Code's own errors of files", () => {
    const wrapped = (code: string, message: string) =>
      Object.assign(new Error(message), { name: `${code} (FileSystemError)`, code });
    const full = wrapped(
      'Unknown',
      "Unable to write file 'file:///x' (Unknown (FileSystemError): Error: ENOSPC: no space left on device, write)",
    );
    assert.deepEqual(
      [problemOfDisk(full, 'linux')?.detail, problemOfDisk(full, 'linux')?.technical],
      ['Free up disk space, then try again. Reason: ENOSPC: no space left on device', 'ENOSPC'],
    );
    const gone = wrapped('FileNotFound', 'Unable to resolve nonexistent file');
    assert.deepEqual(
      [problemOfDisk(gone, 'linux')?.detail, problemOfDisk(gone, 'linux')?.technical],
      ['Reason: Unable to resolve nonexistent file', 'FileNotFound'],
    );
  });

  it("is the same for favorites and for conversations, and neither names a file inside Parlance's data", () => {
    const error = failed('ENOSPC');
    const favorites = problemOfFile('Favorites', {
      kind: 'unsaved',
      path: '/data/models/x.marks.json',
      platform: 'linux',
      error,
    });
    for (const { detail } of [favorites, problemOfUnsavedConversation(error, 'linux')]) {
      assert.match(detail, /Free up disk space before you close the window\. Reason: ENOSPC: what the system says$/);
      assert.doesNotMatch(detail, /\/data|programs|writable/);
    }
  });

  it("is reported once for replies that don't fit on a full disk, with what was kept; they're saved once there's room", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-full-'));
    const path = join(folder, 'comparison.jsonl');
    const told: string[] = [];
    const file = new ExperimentFile(path, (error) => told.push(unsavedText('replies', error, 'linux')), true);
    const began = (runId: string) => ({ type: 'runStarted', run: runId }) as never;
    await withFaults({ open: about('comparison.jsonl', 'ENOSPC') }, async () => {
      file.append([began('one')]);
      await file.flush();
      file.append([began('two')]);
      await file.flush();
    });
    assert.deepEqual(told, [
      "Couldn't save replies of a comparison, measurement, or check. They're kept in this window and saved as soon as " +
        'possible. Free up disk space before you close the window.',
    ]);
    await file.flush();
    const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).run),
      ['one', 'two'],
    );
    file.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it("blames no other program for a full disk when a favorite can't be saved", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-full-'));
    const troubles: FileTrouble[] = [];
    const files = new MarksFiles(folder, (trouble) => troubles.push(trouble));
    await hurried(() =>
      withFaults({ rename: about('.marks.json', 'ENOSPC') }, () =>
        files.change('https://one.test/v1', (marks) => ({ ...marks, favorites: ['a'] })),
      ),
    );
    const [trouble] = troubles;
    assert.ok(trouble?.kind === 'unsaved');
    const { detail } = problemOfFile('Favorites', { ...trouble, platform: 'linux' });
    assert.match(detail, /^It's kept in this window and saved as soon as possible\. Free up disk space before/);
    assert.ok(!detail.includes(folder) && !/programs/.test(detail), detail);
    await files.settled();
    await rm(folder, { recursive: true, force: true });
  });
});
