declare module 'subset-font' {
  /** @returns the font with only the glyphs of `text`. */
  export default function subsetFont(font: Uint8Array, text: string): Promise<Uint8Array>;
}
