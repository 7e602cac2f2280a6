import { isPassing } from './diskError.ts';

const FIRST_MS = 10;
const LONGEST_MS = 500;
/** Virus scanners and backups release a file within seconds. */
const PATIENCE_MS = 5000;

/** Retries a file operation for up to 5 seconds while another program has the file locked. */
export async function retryPassing<T>(act: () => Promise<T>, also?: (error: unknown) => boolean): Promise<T> {
  let waited = 0;
  for (let delay = FIRST_MS; ; delay = Math.min(delay * 2, LONGEST_MS)) {
    try {
      return await act();
    } catch (error) {
      if (waited >= PATIENCE_MS || !(isPassing(error) || also?.(error) === true)) throw error;
    }
    await pause(delay);
    waited += delay;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
