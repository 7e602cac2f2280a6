/** A text that has stayed in place for so many frames is taken to stay there. */
const QUIET_FRAMES = 3;
/** What still moves after these moves for a different reason, for example because a reply is being written. */
const MOST_FRAMES = 20;

/**
 * Scrolls a text to the middle, and sideways only if it's out of view there. Unlike `scrollIntoView`, this works for a
 * text that is a small part of its element, and for one far away: what lies between has an estimated height until it's
 * in view (`content-visibility`), so the text moves once more in the next frames and is followed until it stays.
 *
 * @returns ends that. The user ends it by scrolling
 */
export function showRange(range: Range, within: Element): () => void {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  let quiet = 0;
  let frames = 0;
  let top = scrollToMiddle(range, within);
  const follow = (): void => {
    if (ended.signal.aborted) return;
    frames += 1;
    if (Math.abs(range.getBoundingClientRect().top - top) < 1) {
      quiet += 1;
    } else {
      quiet = 0;
      top = scrollToMiddle(range, within);
    }
    if (quiet === QUIET_FRAMES || frames === MOST_FRAMES) end();
    else requestAnimationFrame(follow);
  };
  requestAnimationFrame(follow);
  for (const type of ['wheel', 'pointerdown'])
    document.addEventListener(type, end, { passive: true, signal: ended.signal });
  return end;
}

/** @returns the text's place in the page after it, in pixels from its top */
function scrollToMiddle(range: Range, within: Element): number {
  for (let box: Element | null = within; box !== null; box = box.parentElement) {
    const frame = box.getBoundingClientRect();
    const text = range.getBoundingClientRect();
    const toMiddle = (text.left + text.right - frame.left - frame.right) / 2;
    if (text.left < frame.left || text.right > frame.right) box.scrollLeft += toMiddle;
    box.scrollTop += (text.top + text.bottom - frame.top - frame.bottom) / 2;
  }
  return range.getBoundingClientRect().top;
}
