import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** CPU time and memory of processes, according to the system. Not on Windows. */
export class HostMeter {
  readonly #pids: readonly number[];

  constructor(pids: readonly number[]) {
    if (pids.length === 0) throw new Error('There is no extension host to measure');
    this.#pids = pids;
  }

  /** Whole seconds on macOS, hundredths on Linux. */
  cpuMs(): number {
    if (process.platform !== 'linux') return this.#sum('time', secondsOf) * 1000;
    return this.#pids.reduce((sum, pid) => sum + ticksOf(pid) * 10, 0);
  }

  residentMegabytes(): number {
    return this.#sum('rss', Number) / 1024;
  }

  #sum(column: string, read: (text: string) => number): number {
    const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', this.#pids.join(',')], { encoding: 'utf8' });
    return stdout
      .trim()
      .split('\n')
      .reduce((sum, line) => sum + read(line.trim()), 0);
  }
}

/** `1-02:03:04` or `3:04.05`. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
  const parts = (clock ?? '').split(':').map(Number);
  return Number(days) * 86_400 + parts.reduce((sum, part) => sum * 60 + part, 0);
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses can contain spaces. User and system time are the 14th and 15th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
