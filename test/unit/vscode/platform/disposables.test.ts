import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DisposableList, DisposableSlot } from '../../../../src/vscode/platform/disposables.ts';

const noting = (name: string, log: string[]) => ({ dispose: () => void log.push(name) });

describe('DisposableList', () => {
  it('disposes what it holds once, newest first', () => {
    const log: string[] = [];
    const list = new DisposableList();
    list.add(noting('first', log));
    list.add(noting('second', log));
    list.dispose();
    list.dispose();
    assert.deepEqual(log, ['second', 'first']);
  });

  it('disposes items that are added too late at once', () => {
    const log: string[] = [];
    const list = new DisposableList();
    list.dispose();
    list.add(noting('late', log));
    assert.deepEqual(log, ['late']);
    assert.equal(list.disposed, true);
  });

  it('disposes one item early and not again', () => {
    const log: string[] = [];
    const list = new DisposableList();
    const item = list.add(noting('one', log));
    list.remove(item);
    list.remove(item);
    list.dispose();
    assert.deepEqual(log, ['one']);
  });

  it('disposes the others when one throws, and still reports it', () => {
    const log: string[] = [];
    const list = new DisposableList();
    list.add(noting('first', log));
    list.add({
      dispose: () => {
        throw new Error('broken');
      },
    });
    assert.throws(() => list.dispose(), AggregateError);
    assert.deepEqual(log, ['first']);
  });
});

describe('DisposableSlot', () => {
  it('disposes what it replaces, and not what is set again', () => {
    const log: string[] = [];
    const slot = new DisposableSlot();
    const first = noting('first', log);
    slot.set(first);
    slot.set(first);
    assert.deepEqual(log, []);
    slot.set(noting('second', log));
    assert.deepEqual(log, ['first']);
    slot.dispose();
    assert.deepEqual(log, ['first', 'second']);
    assert.equal(slot.value, undefined);
  });

  it('disposes items that are added too late at once', () => {
    const log: string[] = [];
    const slot = new DisposableSlot();
    slot.dispose();
    slot.set(noting('late', log));
    assert.deepEqual(log, ['late']);
    assert.equal(slot.value, undefined);
  });
});
