/** Side of a macroblock in pixels. */
export const macroblockSize = 16;

/** A picture of flat macroblocks, row by row from the top left; colours in YCbCr of BT.601, limited range. */
export interface Mosaic {
  readonly columns: number;
  readonly rows: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

/** A grey mosaic that covers `width` × `height` pixels. */
export function createMosaic(width: number, height: number): Mosaic {
  const columns = Math.ceil(width / macroblockSize);
  const rows = Math.ceil(height / macroblockSize);
  const plane = (): Uint8Array => new Uint8Array(columns * rows).fill(128);
  return { columns, rows, y: plane(), u: plane(), v: plane() };
}
