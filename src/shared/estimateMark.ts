/** `≈ 261`: a figure that was counted from the text, or worked out from one that was. Every place marks it so. */
export function withEstimateMark(text: string, isEstimate: boolean): string {
  return isEstimate ? `≈ ${text}` : text;
}
