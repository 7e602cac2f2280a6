const callType = 1;
const answerType = 9;

/** A text preceded by its length, in this many bytes. */
export function text(value: string, lengthBytes: 1 | 4): Buffer {
  const body = Buffer.from(value);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
}

export function frame(body: Buffer, type = 1): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt8(type, 0);
  head.writeUInt32BE(body.length, 9);
  return Buffer.concat([head, body]);
}

export function start(type: number, id: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(id, 1);
  return bytes;
}

/** A call with its arguments, as VS Code writes it. */
export function call(id: number, method: string, args: readonly unknown[]): Buffer {
  return frame(Buffer.concat([start(callType, id), Buffer.of(3), text(method, 1), text(JSON.stringify(args), 4)]));
}

export function answer(id: number, value: unknown): Buffer {
  return frame(Buffer.concat([start(answerType, id), text(JSON.stringify(value), 4)]));
}
