/** Which version of a message: the id of the first one, and which choice among them this is. */
export interface MessageVersion {
  readonly of: string;
  readonly turn: number;
}

/** Where a message stands. */
export interface MessagePlace {
  /** The message before it, null for the first. Where it isn't given, what is shown last when it's added. */
  readonly after?: string | null | undefined;
  /** Set for another version of a message. */
  readonly version?: MessageVersion | undefined;
}

interface Placed<M> {
  readonly message: M;
  readonly after: string | null;
  /** Id of the first version. */
  readonly first: string;
  /** The choice that started it; 0 for the first version. */
  readonly started: number;
}

/**
 * The messages of a conversation, each after another, and the path through them that is shown. A message can have
 * versions, each with what was said after it; the one that was chosen last is on the path. The order in which
 * messages and choices become known makes no difference to which are shown, nor does it matter how often.
 */
export class MessageTree<M extends { readonly id: string }> {
  readonly #all = new Map<string, Placed<M>>();
  readonly #removed = new Set<string>();
  /** Of messages that have more than one, by the id of the first. */
  readonly #versions = new Map<string, Placed<M>[]>();
  /** The latest choice of each version, whether it is known yet or not. */
  readonly #turns = new Map<string, number>();
  /** Ids that something follows which came before them. */
  readonly #awaited = new Set<string>();
  #path: M[] | undefined = [];
  /** What stands before something on the path, deleted messages included. */
  #reached = new Set<string>();

  add(message: M, { after = this.path().at(-1)?.id ?? null, version }: MessagePlace): void {
    const { id } = message;
    // Two windows may both hold a record that one of them wrote.
    if (this.#all.has(id)) return;
    const placed: Placed<M> = { message, after, first: version?.of ?? id, started: version?.turn ?? 0 };
    // What is known about this message already may change the path anywhere.
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

  /** Shows this version from now on, unless a later choice is known. */
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

  /** What is shown and sent, oldest first. */
  path(): readonly M[] {
    this.#path ??= this.#findPath();
    return this.#path;
  }

  /** Shown or not; deleted ones too, because those can come back. */
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

  /** What is on the path before this message, if that is there. */
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

  /** This message and its other versions that aren't deleted, in the order in which they began. */
  versions(id: string): readonly M[] {
    const placed = this.#all.get(id);
    if (placed === undefined) return [];
    const group = this.#versions.get(placed.first) ?? [placed];
    return group.map(({ message }) => message).filter((version) => !this.#removed.has(version.id));
  }

  /** What a further version of this message, or the next choice among them, is recorded with. */
  nextVersion(id: string): MessageVersion {
    const of = this.#all.get(id)?.first ?? id;
    const turns = (this.#versions.get(of) ?? []).map(({ message }) => this.#turns.get(message.id) ?? 0);
    return { of, turn: 1 + Math.max(0, ...turns) };
  }

  /** The versions to choose, outermost first, so that this message is on the path. */
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

  /** Of versions that are all deleted the last choice still counts, for what was said after it. */
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

/** In the order in which they came, but none before the one that it follows. */
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
  // What follows itself is damage: it's left out.
  return ordered;
}
