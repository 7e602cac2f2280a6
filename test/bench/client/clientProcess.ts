import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Candidate } from './candidate.ts';

/** What the benchmark asks a client's process to do. */
export interface ClientTask {
  readonly base: string;
  readonly repeats: number;
  /** Streams of each repeat; their texts have to be the same. */
  readonly atOnce: number;
  /** The text is a time of `process.hrtime`, whose age is reported. */
  readonly isStamp: boolean;
}

/** The result of one task. Times are the total of all repeats. */
export interface ClientReport {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly bytes: number;
  readonly reads: number;
  /** Length of the last repeat's text. */
  readonly textDigest: string;
  /** In microseconds, one for each repeat. */
  readonly delaysUs: readonly number[];
  /** The most memory this process has had, in bytes. */
  readonly peakBytes: number;
  readonly error?: string;
}

const betweenMs = 5;

/** Serves the benchmark that started this process. */
export function serveTasks(candidate: Candidate): void {
  process.on('message', (task: ClientTask) => {
    void run(candidate, task)
      .catch((error: unknown) => ({ error: String(error) }))
      .then((report) => process.send?.(report));
  });
  process.on('disconnect', () => process.exit());
}

async function run(candidate: Candidate, { base, repeats, atOnce, isStamp }: ClientTask): Promise<ClientReport> {
  const delaysUs: number[] = [];
  let texts: readonly string[][] = [];
  let bytes = 0;
  let reads = 0;
  const stamp = (text: string): void => {
    const sent = /\d{12,}/.exec(text)?.[0];
    if (sent !== undefined) delaysUs.push(Number(process.hrtime.bigint() - BigInt(sent)) / 1000);
  };
  const onTextOf = (own: string[]) => (isStamp ? stamp : (text: string) => void own.push(text));
  const onBytes = (chunk: Buffer): void => {
    bytes += chunk.length;
    reads += 1;
    // All that a client's bytes contain is one number after `content`.
    if (isStamp) stamp(/"content":"\d+/.exec(chunk.toString('latin1'))?.[0] ?? '');
  };
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    texts = Array.from({ length: atOnce }, () => []);
    // Nobody sends a request at the very moment at which a response ends. The connection is free again by then.
    if (repeat > 0) await pause(betweenMs);
    await Promise.all(texts.map((own) => candidate.stream(base, onTextOf(own), onBytes)));
  }
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const digests = texts.map((own) => createHash('sha256').update(own.join('')).digest('hex'));
  const [textDigest = ''] = digests;
  if (digests.some((digest) => digest !== textDigest)) throw new Error('The streams gave different texts');
  return { cpuMs: (user + system) / 1000, wallMs, bytes, reads, textDigest, delaysUs, peakBytes: peakBytes() };
}

/** The system's own peak, because that of `resourceUsage` starts with the memory of the parent process. */
function peakBytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
