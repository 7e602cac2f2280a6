/** One call, or one response, between VS Code's window and the extension host. */
export type RpcMessage =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown };

/** VS Code's frames: one type byte, two numbers of its own, and the length of the body. */
const headLength = 13;
const lengthAt = 9;
const regularFrame = 1;

const messageTypes = { call: [1, 2], callOfMixed: [3, 4], answerOfJson: 9 } as const;
const argumentTypes = { text: 1, bytes: 2, objectWithBytes: 3 } as const;

/** Reads one direction of VS Code's own protocol from its web socket. Unknown parts are skipped. */
export class RpcReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the messages that this chunk completes. */
  push(chunk: Buffer): readonly RpcMessage[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: RpcMessage[] = [];
    for (;;) {
      if (this.#rest.length < headLength) return messages;
      const end = headLength + this.#rest.readUInt32BE(lengthAt);
      if (this.#rest.length < end) return messages;
      if (this.#rest[0] === regularFrame) {
        const message = readMessage(this.#rest.subarray(headLength, end));
        if (message) messages.push(message);
      }
      this.#rest = this.#rest.subarray(end);
    }
  }
}

function readMessage(body: Buffer): RpcMessage | undefined {
  try {
    const type = body.readUInt8(0);
    const id = body.readUInt32BE(1);
    if (type === messageTypes.answerOfJson) return { kind: 'answer', id, value: JSON.parse(longText(body, 5).text) };
    const isMixed = (messageTypes.callOfMixed as readonly number[]).includes(type);
    if (!isMixed && !(messageTypes.call as readonly number[]).includes(type)) return undefined;
    const nameLength = body.readUInt8(6);
    const at = 7 + nameLength;
    const method = body.toString('utf8', 7, at);
    if (!method.startsWith('$')) return undefined;
    return { kind: 'call', id, method, args: isMixed ? mixed(body, at) : JSON.parse(longText(body, at).text) };
  } catch {
    // The frames before the two sides start with calls have another form.
    return undefined;
  }
}

function longText(body: Buffer, at: number): { readonly text: string; readonly end: number } {
  const end = at + 4 + body.readUInt32BE(at);
  return { text: body.toString('utf8', at + 4, end), end };
}

function mixed(body: Buffer, start: number): readonly unknown[] {
  const args: unknown[] = [];
  let at = start + 1;
  const block = (): Buffer => {
    const from = at + 4;
    at = from + body.readUInt32BE(at);
    return body.subarray(from, at);
  };
  for (let count = body.readUInt8(start); count > 0; count -= 1) {
    const type = body.readUInt8(at);
    at += 1;
    if (type === argumentTypes.text) args.push(JSON.parse(block().toString('utf8')));
    else if (type === argumentTypes.bytes) args.push(block());
    else if (type === argumentTypes.objectWithBytes) {
      const buffers = body.readUInt32BE(at);
      at += 4;
      const value: unknown = JSON.parse(block().toString('utf8'));
      args.push({ value, buffers: Array.from({ length: buffers }, block) });
    } else args.push(undefined);
  }
  return args;
}
