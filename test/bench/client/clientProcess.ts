import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Candidate } from './candidate.ts';

/** What the benchmark asks a client's process to do. */
export interface ClientTask {
  readonly base: string;
  readonly repeats: number;
  /** Streams of each repeat; all must return the same text. */
  readonly atOnce: number;
  /** The text is a `process.hrtime` timestamp; the result is its age. */
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
  /** Microseconds, one per repeat. */
  readonly delaysUs: readonly number[];
  /** Peak memory of this process, in bytes. */
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
    // The client's bytes contain only one number, after `content`.
    if (isStamp) stamp(/"content":"\d+/.exec(chunk.toString('latin1'))?.[0] ?? '');
  };
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    texts = Array.from({ length: atOnce }, () => []);
    // Wait a moment: no real client sends a request in the very instant a response ends. By then the connection is free
    // again.
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

/** The system's own peak: `resourceUsage` starts with the parent process's memory. */
function peakBytes(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
