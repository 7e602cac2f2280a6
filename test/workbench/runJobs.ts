import { availableParallelism } from 'node:os';

/** A task for a worker. Tasks of one kind can share what that worker keeps open. */
export interface Job<Worker> {
  readonly kind: string;
  run(worker: Worker): Promise<void>;
}

export interface WorkerKind<Worker> {
  open(): Worker;
  close(worker: Worker): Promise<void>;
}

/** More wouldn't be faster: VS Code, its extension host, and the browser keep one core each busy. */
export const workerCount = Math.max(1, Math.min(4, availableParallelism()));

/**
 * Runs the jobs in order, each on the next free worker. A worker is closed, and a new one opened, if a job is of a
 * different kind than the previous one.
 * @param jobs can be an iterator that another call takes from too.
 */
export async function runJobs<Worker>(
  jobs: Iterable<Job<Worker>>,
  kindOf: (kind: string) => WorkerKind<Worker>,
  count: number = workerCount,
): Promise<void> {
  const left = Iterator.from(jobs);
  const work = async (): Promise<void> => {
    let open: { readonly kind: string; readonly worker: Worker } | undefined;
    for (const job of left) {
      if (open && open.kind !== job.kind) {
        await kindOf(open.kind).close(open.worker);
        open = undefined;
      }
      open ??= { kind: job.kind, worker: kindOf(job.kind).open() };
      await job.run(open.worker);
    }
    if (open) await kindOf(open.kind).close(open.worker);
  };
  await Promise.all(Array.from({ length: count }, work));
}
