import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  extendedDown,
  extendedUp,
  latestWindow,
  movedWindow,
  windowAround,
} from '../../../../../src/webview/chat/transcript/messageWindow.ts';

const ids = (count: number, from = 0): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `m${from + index}` }));

describe('The message window', () => {
  it('starts with the last thirty', () => {
    assert.deepEqual(latestWindow(100), { start: 70, end: 100 });
    assert.deepEqual(latestWindow(5), { start: 0, end: 5 });
  });

  it('moves to a message that is far away, with others around it', () => {
    assert.deepEqual(windowAround(50, 100), { start: 35, end: 65 });
    assert.deepEqual(windowAround(3, 100), { start: 0, end: 18 });
    assert.deepEqual(windowAround(99, 100), { start: 84, end: 100 });
  });

  it('follows a message that is added at the visible end', () => {
    assert.deepEqual(movedWindow({ start: 70, end: 100 }, ids(100), ids(101), false), { start: 70, end: 101 });
  });

  it('stays in place when a message is added below it', () => {
    assert.deepEqual(movedWindow({ start: 10, end: 40 }, ids(100), ids(101), false), { start: 10, end: 40 });
  });

  it('takes no longer in a longer conversation when a message is added', () => {
    let looked = 0;
    const counted = (count: number) =>
      ids(count).map(({ id }) => ({
        get id() {
          looked += 1;
          return id;
        },
      }));
    const moved = movedWindow({ start: 9970, end: 10_000 }, counted(10_000), counted(10_001), false);
    assert.deepEqual(moved, { start: 9970, end: 10_001 });
    assert.ok(looked <= 60, `${looked} messages were looked at`);
  });

  it('moves along when older messages are added on top', () => {
    const after = [...ids(30, 500), ...ids(40)];
    assert.deepEqual(movedWindow({ start: 0, end: 40 }, ids(40), after, false), { start: 30, end: 70 });
  });

  it('closes the gap when messages are removed', () => {
    const after = ids(40).filter(({ id }) => id !== 'm10' && id !== 'm20');
    assert.deepEqual(movedWindow({ start: 10, end: 30 }, ids(40), after, false), { start: 10, end: 28 });
  });

  it('moves to the latest when nothing of it is left', () => {
    assert.deepEqual(movedWindow({ start: 0, end: 3 }, ids(3), ids(50, 100), false), { start: 20, end: 50 });
  });

  it('grows by thirty and never beyond two hundred', () => {
    assert.deepEqual(extendedUp({ start: 100, end: 250 }), { start: 70, end: 250 });
    assert.deepEqual(extendedUp({ start: 60, end: 250 }), { start: 30, end: 230 });
    assert.deepEqual(extendedDown({ start: 30, end: 230 }, 250), { start: 50, end: 250 });
  });

  it('drops the top only on request', () => {
    assert.deepEqual(movedWindow({ start: 0, end: 200 }, ids(200), ids(201), true), { start: 1, end: 201 });
    assert.deepEqual(movedWindow({ start: 0, end: 200 }, ids(200), ids(201), false), { start: 0, end: 201 });
  });

  it('is inside the messages after any change', () => {
    const keep = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(fc.nat(59), fc.nat(60), keep, fc.nat(5), (start, length, kept, added) => {
        const before = ids(60);
        const after = [...before.filter((_, index) => kept[index]), ...ids(added, 900)];
        const moved = movedWindow({ start, end: Math.min(60, start + length) }, before, after, true);
        assert.ok(0 <= moved.start && moved.start <= moved.end && moved.end <= after.length);
      }),
    );
  });
});
