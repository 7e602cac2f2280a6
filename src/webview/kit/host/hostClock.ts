/** In ms. A page that is loading or busy takes a message late, which is no difference between clocks. */
const longestOnTheWay = 5000;

/** How much later than sent a message arrived at least, by both clocks. Any more of it was spent on the way. */
let leastMs = Infinity;

/**
 * The time on the extension host's clock, as Unix time in milliseconds. In a remote window that's another machine's, so
 * the page's own time can't be compared with times from the host.
 */
export function hostNow(): number {
  // oxlint-disable-next-line no-restricted-properties -- the one place
  return Date.now() - (leastMs === Infinity || Math.abs(leastMs) < longestOnTheWay ? 0 : leastMs);
}

/** @param sentAt what the host's clock showed when it sent the message that has just arrived; undefined if unknown */
export function heardFromHost(sentAt: number | undefined): void {
  if (sentAt === undefined) return;
  // oxlint-disable-next-line no-restricted-properties -- the one place
  leastMs = Math.min(leastMs, Date.now() - sentAt);
}
