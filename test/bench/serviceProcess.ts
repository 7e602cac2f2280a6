import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '../workbench/folders.ts';

/**
 * The local service in its own process.
 * @param options its flags
 */
export async function startService(flagged: Readonly<Record<string, number>>): Promise<{
  readonly child: ChildProcess;
  readonly addresses: { readonly baseUrl: URL; readonly nativeUrl: URL; readonly apiKey: string };
}> {
  const options = { port: 0, ...flagged };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [join(projectFolder, 'test/service/main.ts'), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name = '', value = ''] = /^ {2}(.+?) {2,}(\S+)$/.exec(line) ?? [];
    said.set(name, value);
    if (said.has('API key')) break;
  }
  return {
    child,
    addresses: {
      baseUrl: new URL(said.get('base address') ?? ''),
      nativeUrl: new URL(said.get('native address') ?? ''),
      apiKey: said.get('API key') ?? '',
    },
  };
}
