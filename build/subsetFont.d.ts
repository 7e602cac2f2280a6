declare module 'subset-font' {
  /** @returns the font with the glyphs of `text` alone. */
  export default function subsetFont(font: Uint8Array, text: string): Promise<Uint8Array>;
}
