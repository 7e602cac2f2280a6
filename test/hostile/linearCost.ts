import assert from 'node:assert/strict';

/** CPU time in milliseconds that the work takes; the lowest of three. */
function costOf(work: () => void): number {
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/** Below this, the CPU clock isn't meaningful. */
const leastMs = 40;

/**
 * Fails if twice the input costs much more than twice as much.
 * @param workOn creates the input, which isn't counted.
 * @returns the work on it
 */
export function assertLinearCost(workOn: (n: number) => () => void): void {
  let n = 2000;
  let cost = costOf(workOn(n));
  while (cost < leastMs && n < 500_000) {
    n *= 2;
    cost = costOf(workOn(n));
  }
  // A busy machine disturbs one measurement; quadratic cost shows at every length.
  const found: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const twice = costOf(workOn(2 * n));
    if (twice < Math.max(cost, leastMs) * 2.6) return;
    found.push(`${Math.round(cost)} ms for ${n}, ${Math.round(twice)} ms for twice as many`);
    n *= 2;
    cost = twice;
  }
  assert.fail(found.join('; '));
}
