import assert from 'node:assert/strict';
import { FoundMessages } from '../../../../../src/webview/chat/find/foundMessages.ts';

function found(...counts: readonly number[]): FoundMessages {
  const messages = new FoundMessages();
  messages.set(counts.map((count, index) => ({ id: `m${index}`, count })));
  return messages;
}

describe('The matches found in a conversation', () => {
  it('start with the newest, and continue in both directions, wrapping around', () => {
    const messages = found(1, 0, 2);
    assert.deepEqual([messages.position, messages.total], [0, 3]);
    const places = ([1, 1, 1, 1] as const).map((step) => [messages.next(step), messages.position]);
    assert.deepEqual(places, [
      [{ id: 'm2', index: 1 }, 3],
      [{ id: 'm0', index: 0 }, 1],
      [{ id: 'm2', index: 0 }, 2],
      [{ id: 'm2', index: 1 }, 3],
    ]);
    assert.deepEqual(
      [-1, -1, -1].map((step) => messages.next(step as -1)?.id),
      ['m2', 'm0', 'm2'],
    );
  });

  it("keep the position while more are found before it, and move it if it's gone", () => {
    const messages = found(2, 3);
    messages.next(1);
    assert.equal(messages.position, 5);
    messages.set([
      { id: 'older', count: 4 },
      { id: 'm0', count: 2 },
      { id: 'm1', count: 3 },
    ]);
    assert.deepEqual([messages.current, messages.position], [{ id: 'm1', index: 2 }, 9]);
    messages.set([{ id: 'm1', count: 1 }]);
    assert.deepEqual([messages.current, messages.position], [{ id: 'm1', index: 0 }, 1]);
    messages.set([{ id: 'm0', count: 1 }]);
    assert.deepEqual([messages.current, messages.position], [undefined, 0]);
  });

  it('skip a message that turns out to have none, in the same direction', () => {
    const after = (step: 1 | -1, ...counts: readonly number[]) => {
      const messages = found(2, 1, 2, 1);
      while (messages.current?.id !== 'm2') messages.next(step);
      messages.set(
        counts.map((count, index) => ({ id: `m${index}`, count })),
        step,
      );
      return messages.current;
    };
    assert.deepEqual(after(-1, 2, 1, 0, 1), { id: 'm1', index: 0 });
    assert.deepEqual(after(-1, 2, 0, 0, 1), { id: 'm0', index: 1 });
    assert.deepEqual(after(1, 2, 1, 0, 1), { id: 'm3', index: 0 });
    assert.deepEqual(after(1, 2, 1, 0, 0), { id: 'm0', index: 0 });
    assert.deepEqual(after(-1, 0, 0, 0, 2), { id: 'm3', index: 1 });
    assert.equal(after(1, 0, 0, 0, 0), undefined);
    assert.deepEqual(after(1, 2, 1, 2, 1), { id: 'm2', index: 0 });
  });

  it('are empty if nothing was found', () => {
    const messages = found(0);
    assert.deepEqual([messages.next(1), messages.next(-1), messages.total], [undefined, undefined, 0]);
  });
});
