import { isWorthAnother } from '../../api/download/isWorthAnother.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { MediaParameters } from '../../shared/media.ts';
import type { MediaRecord } from './mediaRecord.ts';

/** One run, according to its records. Times are Unix times in milliseconds. */
export interface MediaRun {
  readonly id: string;
  readonly parameters: MediaParameters;
  /** The window and process that started it. */
  readonly writer: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly outcome?: 'made' | 'stopped' | 'failed' | 'unknown';
  readonly endedAt?: number;
  readonly failure?: ApiFailure;
  readonly requestId?: string;
  readonly unsent?: boolean;
  /** What the service says it charged. */
  readonly cost?: number;
  /** Its cost by the model list's prices. */
  readonly estimate?: number;
  readonly outputs: readonly MediaOutput[];
  readonly isDeleted: boolean;
  readonly deletedAt?: number;
}

export interface MediaOutput {
  readonly url?: string;
  /** File name in the media folder. */
  readonly file?: string;
  readonly mediaType?: string;
  readonly sizeBytes?: number;
  /** Why there's no file, according to the last attempt. */
  readonly failure?: ApiFailure;
  /** The user stopped the download. */
  readonly isSetAside?: boolean;
}

const usualOf = 9;

/** All runs, built from records in the order in which they were written. */
export class MediaLibrary {
  readonly #runs = new Map<string, MediaRun>();
  /** When runs were deleted whose start isn't known. */
  readonly #remains = new Map<string, number>();

  /** @returns the run that changed. */
  apply(record: MediaRecord): MediaRun | undefined {
    const before = this.#runs.get(record.id);
    const after = record.type === 'started' ? (before ?? begun(record)) : before && changed(before, record);
    if (after !== undefined) this.#runs.set(record.id, after);
    else if (record.type === 'deleted') this.#remains.set(record.id, record.at);
    else if (record.type === 'restored') this.#remains.delete(record.id);
    return after;
  }

  get(id: string): MediaRun | undefined {
    return this.#runs.get(id);
  }

  /** Newest first, without deleted ones. */
  runs(): readonly MediaRun[] {
    return [...this.#runs.values()].filter(({ isDeleted }) => !isDeleted).toSorted((a, b) => b.startedAt - a.startedAt);
  }

  deleted(): readonly MediaRun[] {
    return [...this.#runs.values()].filter(({ isDeleted }) => isDeleted);
  }

  /** IDs of what was deleted before that time, including what was erased only partly because its window was killed. */
  deletedBefore(time: number): readonly string[] {
    const runs = this.deleted().map(({ id, deletedAt }) => [id, deletedAt] as const);
    return [...runs, ...this.#remains].flatMap(([id, at]) => (at !== undefined && at < time ? [id] : []));
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.#runs.delete(id);
      this.#remains.delete(id);
    }
  }

  /** How long this model took recently: the median of its last runs of this kind, in seconds. */
  usualSeconds({ model, kind, ...rest }: MediaParameters): number | undefined {
    const isDraft = 'draft' in rest && rest.draft;
    const times: number[] = [];
    for (const { parameters, outcome, startedAt, endedAt } of this.#newestFirst()) {
      if (outcome !== 'made' || endedAt === undefined) continue;
      const isAlike = parameters.kind === kind && parameters.model === model && isDraftOf(parameters) === isDraft;
      if (isAlike) times.push((endedAt - startedAt) / 1000);
      if (times.length === usualOf) break;
    }
    const sorted = times.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  }

  #newestFirst(): readonly MediaRun[] {
    return [...this.#runs.values()].toReversed();
  }
}

/** Outputs with a link but no file, unless another attempt would fail too or the user stopped the download. */
export function unfetched({ outcome, outputs }: MediaRun): readonly number[] {
  if (outcome !== 'made') return [];
  return outputs.flatMap(({ url, file, failure, isSetAside }, index) =>
    url !== undefined && file === undefined && (failure === undefined || isWorthAnother(failure)) && isSetAside !== true
      ? [index]
      : [],
  );
}

export function isDraftOf(parameters: MediaParameters): boolean {
  return 'draft' in parameters && parameters.draft;
}

function begun(record: Extract<MediaRecord, { type: 'started' }>): MediaRun {
  const { id, parameters, writer, pid, at, estimate } = record;
  const known = estimate === undefined ? {} : { estimate };
  return { id, parameters, writer, pid, startedAt: at, outputs: [], isDeleted: false, ...known };
}

function changed(run: MediaRun, record: Exclude<MediaRecord, { type: 'started' }>): MediaRun {
  switch (record.type) {
    case 'made': {
      const { outputs, requestId, cost, at } = record;
      // The response did arrive, although another window had considered it lost.
      const { failure: _failure, ...rest } = run;
      return {
        ...rest,
        outcome: 'made',
        endedAt: at,
        outputs,
        ...(requestId !== undefined && { requestId }),
        ...(cost !== undefined && { cost }),
      };
    }
    case 'saved': {
      const { file, mediaType, sizeBytes } = record;
      return withOutput(run, record.output, ({ url }) => ({
        ...(url !== undefined && { url }),
        file,
        mediaType,
        sizeBytes,
      }));
    }
    case 'notSaved':
      return withOutput(run, record.output, (output) => ({ ...output, failure: record.failure }));
    case 'setAside':
      return withOutput(run, record.output, (output) => ({ ...output, isSetAside: true }));
    case 'ended': {
      if (run.outcome === 'made') return run;
      const { outcome, failure, requestId, unsent, at } = record;
      return {
        ...run,
        outcome,
        endedAt: at,
        ...(failure !== undefined && { failure }),
        ...(requestId !== undefined && { requestId }),
        ...(unsent !== undefined && { unsent }),
      };
    }
    case 'deleted':
      return { ...run, isDeleted: true, deletedAt: record.at };
    case 'restored':
      return { ...run, isDeleted: false };
  }
}

function withOutput(run: MediaRun, index: number, change: (output: MediaOutput) => MediaOutput): MediaRun {
  return { ...run, outputs: run.outputs.map((output, at) => (at === index ? change(output) : output)) };
}
