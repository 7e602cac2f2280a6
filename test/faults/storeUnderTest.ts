import type { Random } from './random.ts';

/** What became of an operation, as far as the store itself said so. */
export type Outcome =
  /** It is on disk. */
  | 'saved'
  /** It isn't on disk yet, was reported, and is kept to be saved later. */
  | 'unsaved'
  /** It was refused, and told so: it isn't to happen any longer. */
  | 'refused'
  /** Its process was killed in the meantime. */
  | 'killed'
  /** It isn't on disk, and nobody was told. */
  | 'silent';

/** An operation with what became of it. */
export interface Done<Op> {
  readonly window: WindowName;
  /** A window that was opened again is another one. */
  readonly opening: number;
  readonly op: Op;
  readonly outcome: Outcome;
  readonly value?: unknown;
  /** Places in the order of all beginnings and ends. */
  readonly began: number;
  readonly ended: number;
  /** Whether its window lived until all faults had cleared, and had nothing left to save then. */
  isSettled: boolean;
}

export type WindowName = 'A' | 'B';

/** What is in the folder after all: names relative to it. */
export type FolderContents = ReadonlyMap<string, Buffer>;

export interface OpenStore<Op> {
  run(op: Op): Promise<{ readonly outcome: Outcome; readonly value?: unknown }>;
  /** The faults have cleared: waits as a window would. @returns whether all was saved by itself */
  settle(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Setting {
  readonly folder: string;
  /** Names the window. */
  readonly writer: string;
  /** What the user or the log is told. */
  readonly report: (error: unknown) => void;
  /** How many reports there were so far. */
  readonly reports: () => number;
}

/** One of the extension's stores, as the suite drives it. */
export interface StoreUnderTest<Op = unknown, Seen = unknown> {
  readonly name: string;
  /** Names of files, relative to its folder, that may be there when all is done. */
  readonly files: RegExp;
  /** An operation of this window; `before` are those of the schedule so far. */
  operation(
    random: Random,
    window: WindowName,
    before: readonly { readonly window: WindowName; readonly op: Op }[],
  ): Op;
  open(setting: Setting): Promise<OpenStore<Op>>;
  /** What a window sees that opens the folder later. */
  look(setting: Setting): Promise<Seen>;
  /** @returns what is wrong, one sentence each */
  check(done: readonly Done<Op>[], seen: Seen, folder: FolderContents): readonly string[];
  /** Whether a file that isn't among `files` may be there after these operations. */
  isExpected?(name: string, done: readonly Done<Op>[]): boolean;
  /** Files that are there before, damaged or of a newer version, which must not be lost. */
  damaged?(random: Random): { readonly name: string; readonly text: string };
}

/** It must be there in the end. */
export function mustHold({ outcome, isSettled }: Done<unknown>): boolean {
  return outcome === 'saved' || (outcome === 'unsaved' && isSettled);
}

/** Whether the first had surely come to its end, on disk, before the second began. */
export function isBefore(first: Done<unknown>, second: Done<unknown>): boolean {
  const isSameWindow = first.window === second.window && first.opening === second.opening;
  return first.ended < second.began && (first.outcome === 'saved' || isSameWindow);
}

/** Something that is added once and may be taken away, such as a favorite. */
export function checkSet<Op>(
  done: readonly Done<Op>[],
  rules: {
    readonly added: (op: Op) => string | undefined;
    readonly removes: (op: Op, item: string) => boolean;
    readonly isThere: (item: string) => boolean;
    /** Whether its text is in any file; `isThere` unless given. */
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

/** Names of the files that have the text in them. */
export function filesWith(folder: FolderContents, text: string): readonly string[] {
  return [...folder].filter(([, bytes]) => bytes.includes(text)).map(([name]) => name);
}
