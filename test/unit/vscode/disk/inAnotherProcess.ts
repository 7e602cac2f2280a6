import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const disk = new URL('../../../../src/vscode/disk/', import.meta.url).href;

/**
 * Runs lines of TypeScript with the disk module's functions in a separate process.
 * @returns its output
 */
export function inAnotherProcess(
  imports: readonly string[],
  lines: string,
): { readonly pid: number; readonly done: Promise<string>; kill(): void } {
  const code = [
    ...imports.map(
      (name) =>
        `const { ${name.split(' from ')[0] ?? ''} } = await import('${disk}${name.split(' from ')[1] ?? ''}.ts');`,
    ),
    lines,
  ].join('\n');
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--no-warnings', '-e', code], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const done = new Promise<string>((resolve) => child.on('close', () => resolve(output)));
  return { pid: child.pid ?? 0, done, kill: () => child.kill('SIGKILL') };
}
