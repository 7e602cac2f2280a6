import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectFolder } from './folders.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a script of this project on this Node, in this terminal. Signals are forwarded to it, so that it can end what it
 * started itself.
 * @param write receives its output instead of this terminal.
 * @returns its exit code; 1 if a signal ended it.
 */
export async function runScript(
  script: string,
  args: readonly string[] = [],
  write?: (text: string) => void,
): Promise<number> {
  const stdio = write === undefined ? 'inherit' : 'pipe';
  let child: ChildProcess | undefined;
  const passOn = (signal: NodeJS.Signals): void => {
    // On Windows the console has notified it too, and a kill is never polite.
    if (process.platform !== 'win32') child?.kill(signal);
  };
  // Before it starts: on a busy machine it can be running before the next line of this script is.
  for (const signal of signals) process.on(signal, passOn);
  try {
    child = spawn(process.execPath, [script, ...args], { cwd: projectFolder, stdio });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => write?.(text));
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    // Don't start the next one after a user pressed Ctrl+C.
    if (signal !== null && signals.some((name) => name === signal)) process.exit(130);
    return code ?? 1;
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}
