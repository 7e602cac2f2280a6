/** A way to cut bytes into pieces. */
export interface Chunking {
  readonly name: string;
  cut(bytes: Uint8Array): readonly Uint8Array[];
}

export function everyBytes(size: number): Chunking {
  return { name: `${size}-byte chunks`, cut: (bytes) => pieces(bytes, () => size) };
}

export const wholeBody: Chunking = { name: 'the whole body', cut: (bytes) => [bytes] };

/** Pieces of 1 to 40 bytes, the same in each run. */
const randomChunks: Chunking = {
  name: 'random chunks',
  cut: (bytes) => {
    let state = 20260727;
    return pieces(bytes, () => {
      state = (state * 1103515245 + 12345) % 2147483648;
      return 1 + (state % 40);
    });
  },
};

export const chunkings: readonly Chunking[] = [everyBytes(1), everyBytes(7), randomChunks, wholeBody];

function pieces(bytes: Uint8Array, size: () => number): readonly Uint8Array[] {
  const cut: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + size(), bytes.length);
    cut.push(bytes.subarray(at, end));
    at = end;
  }
  return cut;
}
