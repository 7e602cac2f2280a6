/** Identifies a version of a message: the ID of the first version, and the number of the switch to this one. */
export interface MessageVersion {
  readonly of: string;
  readonly turn: number;
}

/** The position of a message. */
export interface MessagePlace {
  /** The message before it, null for the first. If absent, the last visible message at that time. */
  readonly after?: string | null | undefined;
  /** Set for another version of a message. */
  readonly version?: MessageVersion | undefined;
}

interface Placed<M> {
  readonly message: M;
  readonly after: string | null;
  /** ID of the first version. */
  readonly first: string;
  /** Number of the switch that created it; 0 for the first version. */
  readonly started: number;
}

/**
 * The messages of a conversation as a tree, and the visible path through it. A message can have versions, each with
 * what followed it. The version selected last is on the path. The result doesn't depend on the order in which messages
 * and switches become known, or on how often.
 */
export class MessageTree<M extends { readonly id: string }> {
  readonly #all = new Map<string, Placed<M>>();
  readonly #removed = new Set<string>();
  /** For messages with several versions, by the ID of the first. */
  readonly #versions = new Map<string, Placed<M>[]>();
  /** The latest switch to each version, whether the version is known yet or not. */
  readonly #turns = new Map<string, number>();
  /** IDs of messages that are followed by one that became known earlier. */
  readonly #awaited = new Set<string>();
  #path: M[] | undefined = [];
  /** IDs of the path's messages and of the deleted ones among them, in the same order. */
  #reached = new Set<string>();

  add(message: M, { after = this.path().at(-1)?.id ?? null, version }: MessagePlace): void {
    const { id } = message;
    // Two windows can both have a record that one of them wrote.
    if (this.#all.has(id)) return;
    const placed: Placed<M> = { message, after, first: version?.of ?? id, started: version?.turn ?? 0 };
    // Something already known about this message can change the path at any point.
    const isForeseen = this.#awaited.has(id) || this.#turns.has(id) || this.#versions.has(id);
    this.#all.set(id, placed);
    if (after !== null && !this.#all.has(after)) this.#awaited.add(after);
    if (version === undefined) this.#versions.get(id)?.unshift(placed);
    else this.#addVersion(placed, version.turn);
    const isNext = version === undefined && !isForeseen && (after === null || this.#reached.has(after));
    if (this.#path === undefined || !isNext) {
      this.#path = undefined;
      return;
    }
    this.#reached.add(id);
    if (!this.#removed.has(id)) this.#path.push(message);
  }

  /** Shows this version from now on, unless a later switch is known. */
  choose(id: string, turn: number): void {
    this.#turns.set(id, Math.max(turn, this.#turns.get(id) ?? 0));
    this.#path = undefined;
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#removed.add(id);
    this.#path = undefined;
  }

  restore(ids: readonly string[]): void {
    for (const id of ids) this.#removed.delete(id);
    this.#path = undefined;
  }

  /** The visible messages, which are also sent, oldest first. */
  path(): readonly M[] {
    this.#path ??= this.#findPath();
    return this.#path;
  }

  /** Visible or not, including deleted ones, because those can be restored. */
  all(): readonly M[] {
    return Array.from(this.#all.values(), ({ message }) => message);
  }

  /** A message that isn't deleted. */
  find(id: string): M | undefined {
    return this.#removed.has(id) ? undefined : this.#all.get(id)?.message;
  }

  /** A message, deleted or not. */
  findAny(id: string): M | undefined {
    return this.#all.get(id)?.message;
  }

  /** What precedes this message of the path, including deleted messages. Empty if it isn't on the path. */
  everyBefore(id: string): readonly M[] {
    this.path();
    if (!this.#reached.has(id)) return [];
    const ids = [...this.#reached];
    return ids.slice(0, ids.indexOf(id)).flatMap((each) => this.#all.get(each)?.message ?? []);
  }

  /** The messages that lead to this one, visible or not, nearest first. */
  leadingTo(id: string): readonly M[] {
    const found = new Map<string, M>();
    for (let at = this.#all.get(id)?.after; at !== undefined && at !== null && !found.has(at);) {
      const placed = this.#all.get(at);
      if (placed === undefined) break;
      found.set(at, placed.message);
      at = placed.after;
    }
    return [...found.values()];
  }

  /** Whether these are versions of one message, deleted or not. */
  areVersions(a: string, b: string): boolean {
    return (this.#all.get(a)?.first ?? a) === (this.#all.get(b)?.first ?? b);
  }

  /** The message before this one on the path, if any. */
  before(id: string): readonly M[] {
    const path = this.path();
    return path.slice(
      0,
      Math.max(
        0,
        path.findIndex((message) => message.id === id),
      ),
    );
  }

  /** This message and its other versions that aren't deleted, oldest first. */
  versions(id: string): readonly M[] {
    const placed = this.#all.get(id);
    if (placed === undefined) return [];
    const group = this.#versions.get(placed.first) ?? [placed];
    return group.map(({ message }) => message).filter((version) => !this.#removed.has(version.id));
  }

  /** The fields that a new version of this message, or the next switch between its versions, is recorded with. */
  nextVersion(id: string): MessageVersion {
    const of = this.#all.get(id)?.first ?? id;
    const turns = (this.#versions.get(of) ?? []).map(({ message }) => this.#turns.get(message.id) ?? 0);
    return { of, turn: 1 + Math.max(0, ...turns) };
  }

  /** The versions to select, outermost first, so that this message is on the path. */
  choicesTo(id: string): readonly string[] {
    const choices: string[] = [];
    const seen = new Set<string>();
    for (let at: string | null = id; at !== null && !seen.has(at);) {
      const placed = this.#all.get(at);
      if (placed === undefined) break;
      if (this.#chosen(placed.first, at) !== at) choices.unshift(at);
      seen.add(at);
      at = placed.after;
    }
    return choices;
  }

  #addVersion(placed: Placed<M>, turn: number): void {
    const first = this.#all.get(placed.first);
    const group = this.#versions.get(placed.first) ?? (first === undefined ? [] : [first]);
    this.#versions.set(placed.first, [...group, placed].sort(byStart));
    this.choose(placed.message.id, turn);
  }

  #findPath(): M[] {
    const path: M[] = [];
    this.#reached = new Set();
    for (const { message, after, first } of parentsFirst(this.#all)) {
      const isOnPath = after === null || !this.#all.has(after) || this.#reached.has(after);
      if (!isOnPath || this.#chosen(first, message.id) !== message.id) continue;
      this.#reached.add(message.id);
      if (!this.#removed.has(message.id)) path.push(message);
    }
    return path;
  }

  /** If all versions are deleted, the last switch still decides what follows. */
  #chosen(first: string, only: string): string {
    const group = this.#versions.get(first);
    if (group === undefined) return only;
    const ids = group.map(({ message }) => message.id);
    const present = ids.filter((id) => !this.#removed.has(id));
    return (present.length > 0 ? present : ids).reduce((best, id) => (this.#isLater(id, best) ? id : best));
  }

  #isLater(a: string, b: string): boolean {
    const difference = (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0);
    return difference > 0 || (difference === 0 && a > b);
  }
}

function byStart(a: Placed<{ readonly id: string }>, b: Placed<{ readonly id: string }>): number {
  return a.started - b.started || (a.message.id < b.message.id ? -1 : 1);
}

/** In the order in which they arrived, but each after the one it follows. */
function parentsFirst<M extends { readonly id: string }>(all: ReadonlyMap<string, Placed<M>>): readonly Placed<M>[] {
  const ordered: Placed<M>[] = [];
  const seen = new Set<string>();
  const waiting = new Map<string, Placed<M>[]>();
  for (const placed of all.values()) {
    const { after } = placed;
    if (after !== null && all.has(after) && !seen.has(after)) {
      waiting.set(after, [...(waiting.get(after) ?? []), placed]);
      continue;
    }
    const next = [placed];
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      ordered.push(one);
      seen.add(one.message.id);
      next.push(...(waiting.get(one.message.id) ?? []).toReversed());
      waiting.delete(one.message.id);
    }
  }
  // A message that follows itself is damage, so it's left out.
  return ordered;
}
