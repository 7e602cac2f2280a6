/**
 * Scrolls a text to the middle, and sideways only if it's out of view there. Unlike `scrollIntoView`, this works for a
 * text that is a small part of its element.
 */
export function showRange(range: Range, within: Element): void {
  for (let box: Element | null = within; box !== null; box = box.parentElement) {
    const frame = box.getBoundingClientRect();
    const text = range.getBoundingClientRect();
    const toMiddle = (text.left + text.right - frame.left - frame.right) / 2;
    if (text.left < frame.left || text.right > frame.right) box.scrollLeft += toMiddle;
    box.scrollTop += (text.top + text.bottom - frame.top - frame.bottom) / 2;
  }
}
