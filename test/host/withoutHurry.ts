import { surroundingWaitsMs } from '../../src/vscode/attachments/surroundings/gatherSurroundings.ts';

/**
 * Parlance leaves out the surrounding code that it doesn't find in time, and on a busy machine VS Code's search alone
 * takes longer. Until this is disposed, these waits end with what they wait for. The extension is another bundle in
 * this process, so only the timer that both share can be replaced.
 * @param waits which of them; all by default
 * @param patienceMs how long they take instead
 */
export function withoutHurry(
  waits: readonly number[] = Object.values(surroundingWaitsMs),
  patienceMs = 60_000,
): Disposable {
  const { setTimeout: inTime } = globalThis;
  const patient = (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
    inTime(work, waits.includes(ms) ? patienceMs : ms, ...given);
  globalThis.setTimeout = Object.assign(patient, inTime);
  return { [Symbol.dispose]: () => void (globalThis.setTimeout = inTime) };
}
