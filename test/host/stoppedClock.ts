/** Until this is disposed, `Date.now()` stands still. @param at Unix time in milliseconds */
export function stoppedClock(at: number): Disposable {
  const { now } = Date;
  Date.now = () => at;
  return { [Symbol.dispose]: () => void (Date.now = now) };
}
