/** Estimated with a rule of thumb of several vendors: about one token per 28 × 28 pixels. */
export function pictureTokens({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.ceil((width * height) / 750);
}
