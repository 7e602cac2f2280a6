import assert from 'node:assert/strict';
import { RpcReader } from '../../workbench/rpcReader.ts';
import { answer, call, frame, start, text } from './rpcFrames.ts';

const run = call(7, '$run', ['a', { b: 1 }]);
const mixed = frame(
  Buffer.concat([
    start(3, 8),
    Buffer.of(3),
    text('$onMessage', 1),
    Buffer.of(3),
    Buffer.of(1),
    text('"h"', 4),
    Buffer.of(3, 0, 0, 0, 1),
    text('{"x":1}', 4),
    text('ab', 4),
    Buffer.of(4),
  ]),
);
const reply = answer(7, { c: 2 });

describe('The calls between the window and the extension host', () => {
  it('are read with their arguments, including bytes, and with their results', () => {
    assert.deepEqual(new RpcReader().push(Buffer.concat([run, mixed, reply])), [
      { kind: 'call', id: 7, method: '$run', args: ['a', { b: 1 }] },
      {
        kind: 'call',
        id: 8,
        method: '$onMessage',
        args: ['h', { value: { x: 1 }, buffers: [Buffer.from('ab')] }, undefined],
      },
      { kind: 'answer', id: 7, value: { c: 2 } },
    ]);
  });

  it('are read however the socket cuts them', () => {
    const whole = Buffer.concat([run, mixed, reply]);
    const reader = new RpcReader();
    const messages = [...whole].flatMap((byte) => reader.push(Buffer.of(byte)));
    assert.deepEqual(messages, new RpcReader().push(whole));
  });

  it('are found between frames of other kinds', () => {
    const other = [frame(Buffer.from('not a call')), frame(start(5, 7)), frame(Buffer.alloc(0), 3)];
    assert.deepEqual(
      new RpcReader().push(Buffer.concat([...other, run])).map(({ id }) => id),
      [7],
    );
  });
});
