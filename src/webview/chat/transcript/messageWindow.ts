/** The part of the transcript that is in the page: indexes of messages, `end` excluded. */
export interface MessageWindow {
  readonly start: number;
  readonly end: number;
}

const PAGE = 30;
const LIMIT = 200;

/** The newest messages. */
export function latestWindow(count: number): MessageWindow {
  return { start: Math.max(0, count - PAGE), end: count };
}

/** A page with one message in its middle. */
export function windowAround(index: number, count: number): MessageWindow {
  return { start: Math.max(0, index - PAGE / 2), end: Math.min(count, index + PAGE / 2) };
}

/** One page more above. What is more than 200 below it is removed. */
export function extendedUp(window: MessageWindow): MessageWindow {
  const start = Math.max(0, window.start - PAGE);
  return { start, end: Math.min(window.end, start + LIMIT) };
}

/** One page more below. What is more than 200 above it is removed. */
export function extendedDown(window: MessageWindow, count: number): MessageWindow {
  const end = Math.min(count, window.end + PAGE);
  return { start: Math.max(window.start, end - LIMIT), end };
}

interface Identified {
  readonly id: string;
}

/** The same messages after the list has changed. New ones at the end are only added if the end was shown. */
export function movedWindow(
  window: MessageWindow,
  before: readonly Identified[],
  after: readonly Identified[],
  trim: boolean,
): MessageWindow {
  const isAtEnd = window.end === before.length;
  const inWindow = before.slice(window.start, window.end);
  // If messages were only added at the end, the indexes stay the same.
  if (inWindow.length > 0 && inWindow.every(({ id }, index) => id === after[window.start + index]?.id)) {
    return trimmed(window.start, isAtEnd ? after.length : window.end, trim);
  }
  const indexOf = new Map(after.map(({ id }, index) => [id, index]));
  const shown = inWindow.filter(({ id }) => indexOf.has(id));
  const first = shown[0]?.id;
  const last = shown.at(-1)?.id;
  if (first === undefined || last === undefined) return latestWindow(after.length);
  const start = indexOf.get(first) ?? 0;
  const end = isAtEnd ? after.length : (indexOf.get(last) ?? 0) + 1;
  return trimmed(start, end, trim);
}

function trimmed(start: number, end: number, trim: boolean): MessageWindow {
  return { start: trim ? Math.max(start, end - LIMIT) : start, end };
}
