/**
 * For `--import`: time passes in this process when its parent sends a number of milliseconds, and not before. It answers
 * with the same number.
 */
import { holdTime } from './heldTime.ts';

const time = holdTime();
process.on('message', (ms) => {
  time.pass(Number(ms));
  process.send?.(ms);
});
// The script ends when it's done.
process.channel?.unref();
