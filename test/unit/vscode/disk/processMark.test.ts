import assert from 'node:assert/strict';
import { isProcessAlive, mayStillRun, ownerOf, processMark } from '../../../../src/vscode/disk/processMark.ts';
import { inAnotherProcess } from './inAnotherProcess.ts';

describe('The mark of a process', () => {
  it('distinguishes this process, a live one, and one that is gone', async () => {
    assert.equal(ownerOf(processMark()), 'self');
    const child = inAnotherProcess(
      ['processMark from processMark'],
      'console.log(processMark()); setTimeout(() => {}, 60_000);',
    );
    const mark = processMark().replace(/^\d+-[0-9a-z]+/, `${child.pid}-1`);
    assert.equal(ownerOf(mark), 'alive');
    const itsOwn = await child.line();
    assert.equal(ownerOf(itsOwn), 'alive');
    child.kill();
    await child.done;
    assert.equal(ownerOf(mark), 'dead');
    assert.equal(ownerOf(itsOwn), 'dead');
  });

  it('detects that an earlier process with the same ID is gone', () => {
    assert.equal(ownerOf(processMark().replace(/-[0-9a-z]+-/, '-1-')), 'dead');
  });

  it("can't judge a process on another machine, and accepts no other text as a mark", () => {
    assert.equal(ownerOf('1-1-abcdef'), 'unknown');
    for (const text of ['', '1', '1-1', '-1-1-abcdef', 'x-1-abcdef', '1-1-abcdef.'])
      assert.equal(ownerOf(text), undefined);
  });

  it('considers a process of another user alive: EPERM', () => {
    const real = process.kill.bind(process);
    process.kill = () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    try {
      assert.equal(isProcessAlive(1), true);
      assert.equal(mayStillRun(1, Date.now(), 1000), true);
      assert.equal(mayStillRun(1, Date.now() - 2000, 1000), false);
      assert.equal(mayStillRun(process.pid, Date.now(), 1000), false);
    } finally {
      process.kill = real;
    }
  });

  it("doesn't mistake a process group for a process", () => {
    for (const pid of [0, -1, -process.pid, 1.5, Number.NaN]) assert.equal(isProcessAlive(pid), false);
  });
});
