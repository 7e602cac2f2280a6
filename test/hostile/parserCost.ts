import assert from 'node:assert/strict';
import { drawStreamed } from '../unit/webview/markdown/treeSink.ts';

/** CPU time in milliseconds that the stream needs for a text in pieces of this length; the lowest of three. */
function parserCost(text: string, pieceChars: number): number {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceChars) pieces.push(text.slice(at, at + pieceChars));
  const costs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    drawStreamed(pieces);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/** Below this, the CPU clock isn't meaningful. */
const leastMs = 40;

/** Fails if twice the input costs much more than twice as much. */
export function assertLinear(input: (n: number) => string): void {
  let n = 2000;
  let cost = parserCost(input(n), 4096);
  while (cost < leastMs && n < 500_000) {
    n *= 2;
    cost = parserCost(input(n), 4096);
  }
  // A busy machine disturbs one measurement; quadratic cost shows at every length.
  const found: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const twice = parserCost(input(2 * n), 4096);
    if (twice < Math.max(cost, leastMs) * 2.6) return;
    found.push(`${Math.round(cost)} ms for ${n}, ${Math.round(twice)} ms for twice as many`);
    n *= 2;
    cost = twice;
  }
  assert.fail(found.join('; '));
}
