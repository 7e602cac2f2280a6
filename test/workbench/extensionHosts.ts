import { spawnSync } from 'node:child_process';

/**
 * The IDs of the extension hosts that a process has started, directly or indirectly.
 * @param head of a process group (`processGroup.ts`); on Windows, which has no groups, of a tree.
 */
export function extensionHostsOf(head: number): number[] {
  const isWindows = process.platform === 'win32';
  const all = isWindows ? inTree(head) : inGroup(head);
  return all.filter(({ command }) => command.includes('--type=extensionHost')).map(({ pid }) => pid);
}

interface RunningProcess {
  readonly pid: number;
  /** The ID of its group, or of its parent. */
  readonly of: number;
  readonly command: string;
}

function inGroup(group: number): readonly RunningProcess[] {
  return listed('ps', ['-A', '-o', 'pid=,pgid=,args=']).filter(({ of }) => of === group);
}

function inTree(head: number): readonly RunningProcess[] {
  const line = '"$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)"';
  const script = `Get-CimInstance Win32_Process | ForEach-Object { ${line} }`;
  const all = listed('powershell.exe', ['-NoProfile', '-Command', script]);
  const found = new Set([head]);
  for (const parent of found) {
    for (const { pid, of } of all) if (of === parent) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}

function listed(command: string, args: readonly string[]): readonly RunningProcess[] {
  return spawnSync(command, args, { encoding: 'utf8' })
    .stdout.split(/\r?\n/)
    .flatMap((line) => {
      const [, pid, of, rest] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return rest === undefined ? [] : [{ pid: Number(pid), of: Number(of), command: rest }];
    });
}
