import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const disk = new URL('../../../../src/vscode/disk/', import.meta.url).href;

interface OtherProcess {
  readonly pid: number;
  readonly done: Promise<string>;
  line(): Promise<string>;
  go(): void;
  kill(): void;
}

/**
 * Runs lines of TypeScript with the disk module's functions in a separate process.
 * @returns `line`: resolves with the first line that it prints, or rejects if it ends without one; `done`: with its whole
 * output when it has ended; `go`: lets it pass `await go()`
 */
export function inAnotherProcess(imports: readonly string[], lines: string): OtherProcess {
  const code = [
    ...imports.map(
      (name) =>
        `const { ${name.split(' from ')[0] ?? ''} } = await import('${disk}${name.split(' from ')[1] ?? ''}.ts');`,
    ),
    "const go = () => new Promise((resolve) => process.stdin.once('data', () => resolve(process.stdin.destroy())));",
    lines,
  ].join('\n');
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--no-warnings', '-e', code], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  const first = Promise.withResolvers<string>();
  // Not everyone waits for it.
  first.promise.catch(() => undefined);
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
    const [line, rest] = output.split('\n');
    if (rest !== undefined) first.resolve(line ?? '');
  });
  const done = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
  void done.then(() => first.reject(new Error(`It ended without a line: ${output}`)));
  return {
    pid: child.pid ?? 0,
    done,
    line: () => first.promise,
    go: () => void child.stdin.end('go'),
    kill: () => child.kill('SIGKILL'),
  };
}
