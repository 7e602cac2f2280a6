import { setImmediate, setTimeout } from 'node:timers/promises';

/** Maximum tokens per batch: limits the memory of one write, and the wait for a cancellation. */
const batchSize = 64;

interface Pace {
  /** Above 0; Infinity for as fast as the reader. Read before each batch, because it may change. */
  readonly tokensPerSecond: number;
  readonly signal: AbortSignal;
}

/**
 * Delivers tokens at an average rate. The clock decides how many are due, so that late timers are made up for and rates
 * above one token per timer tick come out right. Waits for `deliver` before the next batch.
 * @throws the signal's AbortError
 */
export async function paceTokens<T>(
  tokens: Iterable<T>,
  pace: Pace,
  deliver: (batch: readonly T[]) => void | Promise<void>,
): Promise<void> {
  const source = tokens[Symbol.iterator]();
  let { tokensPerSecond } = pace;
  let startedAt = performance.now();
  let delivered = 0;
  let next = source.next();
  while (!next.done) {
    if (tokensPerSecond !== pace.tokensPerSecond) {
      ({ tokensPerSecond } = pace);
      startedAt = performance.now();
      delivered = 0;
    }
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const due = tokensPerSecond === Infinity ? batchSize : Math.floor(elapsedSeconds * tokensPerSecond) + 1 - delivered;
    const batch: T[] = [];
    while (!next.done && batch.length < Math.min(due, batchSize)) {
      batch.push(next.value);
      next = source.next();
    }
    delivered += batch.length;
    if (batch.length > 0) await deliver(batch);
    if (next.done) break;
    const waitMs = startedAt + (delivered / tokensPerSecond) * 1000 - performance.now();
    if (waitMs > 0) await setTimeout(waitMs, undefined, { signal: pace.signal });
    else await setImmediate(undefined, { signal: pace.signal });
  }
}
