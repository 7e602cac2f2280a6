/** Whether the characters of `wanted` occur in this order, the minimum that VS Code's own search requires. */
export function hasInOrder(text: string, wanted: string): boolean {
  let at = 0;
  for (const sign of wanted) {
    if (sign === ' ') continue;
    at = text.indexOf(sign, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
