import type { Random } from './random.ts';

/** The result of an operation, as far as the store itself reported it. */
export type Outcome =
  /** It's on disk. */
  | 'saved'
  /** It isn't on disk yet; this was reported, and it's kept to be saved later. */
  | 'unsaved'
  /** It was refused, which was reported: it must not happen later. */
  | 'refused'
  /** Its process was killed before it finished. */
  | 'killed'
  /** It isn't on disk, and nobody was notified. */
  | 'silent';

/** An operation with its result. */
export interface Done<Op> {
  readonly window: WindowName;
  /** A reopened window counts as another one. */
  readonly opening: number;
  readonly op: Op;
  readonly outcome: Outcome;
  readonly value?: unknown;
  /** Positions in the sequence of all starts and ends. */
  readonly began: number;
  readonly ended: number;
  /** Whether its window lived until all faults had cleared and had nothing left to save. */
  isSettled: boolean;
}

export type WindowName = 'A' | 'B';

/** What is in the folder at the end, by relative name. */
export type FolderContents = ReadonlyMap<string, Buffer>;

export interface OpenStore<Op> {
  run(op: Op): Promise<{ readonly outcome: Outcome; readonly value?: unknown }>;
  /**
   * The faults have cleared: waits as a window would.
   * @returns whether everything was saved without help
   */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Setting {
  readonly folder: string;
  /** Identifies the window. */
  readonly writer: string;
  /** Messages shown to the user or written to the log. */
  readonly report: (error: unknown) => void;
  /** Number of reports so far. */
  readonly reports: () => number;
}

/** One of the extension's stores, as the suite drives it. */
export interface StoreUnderTest<Op = unknown, Seen = unknown> {
  readonly name: string;
  /** Names of files, relative to its folder, that may exist at the end. */
  readonly files: RegExp;
  /** An operation of this window; `before` contains the schedule's earlier ones. */
  operation(
    random: Random,
    window: WindowName,
    before: readonly { readonly window: WindowName; readonly op: Op }[],
  ): Op;
  open(setting: Setting): Promise<OpenStore<Op>>;
  /** What a window sees if it opens the folder later. */
  look(setting: Setting): Promise<Seen>;
  /** @returns what is wrong, one sentence each */
  check(done: readonly Done<Op>[], seen: Seen, folder: FolderContents): readonly string[];
  /** Whether a file that isn't among `files` may exist after these operations. */
  isExpected?(name: string, done: readonly Done<Op>[]): boolean;
  /** Files that exist beforehand, damaged or from a newer version, and must not be lost. */
  damaged?(random: Random): { readonly name: string; readonly text: string };
}

/** It must exist at the end. */
export function mustHold({ outcome, isSettled }: Done<unknown>): boolean {
  return outcome === 'saved' || (outcome === 'unsaved' && isSettled);
}

/** Whether the first was certainly finished, on disk, before the second started. */
export function isBefore(first: Done<unknown>, second: Done<unknown>): boolean {
  const isSameWindow = first.window === second.window && first.opening === second.opening;
  return first.ended < second.began && (first.outcome === 'saved' || isSameWindow);
}

/** Something that is added once and can be removed, for example a favorite. */
export function checkSet<Op>(
  done: readonly Done<Op>[],
  rules: {
    readonly added: (op: Op) => string | undefined;
    readonly removes: (op: Op, item: string) => boolean;
    readonly isThere: (item: string) => boolean;
    /** Whether its text is in any file; `isThere` by default. */
    readonly isOnDisk?: (item: string) => boolean;
  },
): readonly string[] {
  const wrong: string[] = [];
  for (const add of done) {
    const item = rules.added(add.op);
    if (item === undefined) continue;
    const removals = done.filter(({ op }) => rules.removes(op, item));
    if (removals.length === 0 && mustHold(add) && !rules.isThere(item)) {
      wrong.push(`${item} was reported as ${add.outcome} in window ${add.window} and is not there`);
    }
    if (removals.some((removal) => mustHold(removal) && isBefore(add, removal))) {
      if (rules.isThere(item)) wrong.push(`${item} was removed, and is there`);
      else if (rules.isOnDisk?.(item) === true) wrong.push(`${item} was removed, and is still on disk`);
    }
  }
  return wrong;
}

/** Names of the files that contain the text. */
export function filesWith(folder: FolderContents, text: string): readonly string[] {
  return [...folder].filter(([, bytes]) => bytes.includes(text)).map(([name]) => name);
}
