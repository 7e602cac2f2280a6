/** Estimated, by a rule of thumb that several makers of models give: a token for each 28 × 28 pixels or so. */
export function pictureTokens({ width, height }: { readonly width: number; readonly height: number }): number {
  return Math.ceil((width * height) / 750);
}
