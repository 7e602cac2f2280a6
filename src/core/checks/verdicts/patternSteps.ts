/**
 * A part of a regular expression, as far as it matters for how long matching takes. `least` is the length of the
 * shortest text that it matches.
 */
type Part = { readonly least: number } & (
  | { readonly kind: 'one' | 'start' }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'times'; readonly part: Part; readonly min: number; readonly max: number }
);

/** A pattern that was understood, or undefined for any other. */
export type KnownPattern = Part | undefined;

/** The number of ways to get somewhere: so many for each choice of how often each of the loops was run. */
interface Ways {
  readonly each: number;
  readonly loops: number;
}

/** Longer or deeper ones are left to others, and so are loops with a limit that are run more often. */
const MOST_CHARACTERS = 1000;
const MOST_GROUPS = 50;
const MOST_TURNS = 50;
const MOST_VISITS = 5000;

/**
 * Reads a pattern without flags. Undefined for one with anything but characters, classes, anchors, groups, alternatives,
 * and quantifiers: a lookaround or a backreference, for example.
 *
 * @param pattern a valid one
 */
export function knownPattern(pattern: string): KnownPattern {
  return pattern.length > MOST_CHARACTERS ? undefined : new PatternReader(pattern).read();
}

/**
 * The most steps that a backtracking matcher can take to look for a pattern in a text: each step is a character or an
 * anchor that is compared. Infinity if it's too many to count.
 *
 * A loop around something that can match in several ways, or nothing, can take forever. Any other loop consumes at least
 * one character with each turn. So a way through `k` of them is a choice of `k` numbers of turns, whose sum is at most
 * the length of the text, and there are `(length + k) over k` such choices.
 *
 * @param length of the text, in UTF-16 units
 */
export function patternSteps(pattern: KnownPattern, length: number): number {
  if (pattern === undefined) return Infinity;
  let steps = 0;
  let visits = 0;
  const count = ({ each, loops }: Ways) => {
    let choices = each;
    for (let at = 1; at <= loops; at += 1) choices *= (length + at) / at;
    return choices;
  };
  const after = (part: Part, before: Ways): Ways => {
    visits += 1;
    if (visits > MOST_VISITS) steps = Infinity;
    if (steps === Infinity) return before;
    switch (part.kind) {
      case 'one':
        steps += count(before);
        return before;
      case 'start':
        steps += count(before);
        // Nothing was skipped or consumed before it.
        return { each: before.each, loops: 0 };
      case 'all':
        return part.parts.reduce((ways, each) => after(each, ways), before);
      case 'any':
        return anyOf(part.parts.map((each) => after(each, before)));
      case 'times':
        return part.max <= MOST_TURNS ? afterTurns(part, before) : afterLoop(part.part, before);
    }
  };
  const afterTurns = ({ part, min, max }: Extract<Part, { kind: 'times' }>, before: Ways): Ways => {
    let ways = before;
    const ends = min === 0 ? [before] : [];
    for (let turn = 1; turn <= max; turn += 1) {
      ways = after(part, ways);
      if (turn >= min) ends.push(ways);
    }
    return anyOf(ends);
  };
  const afterLoop = (part: Part, before: Ways): Ways => {
    const looped = { each: before.each, loops: before.loops + 1 };
    const { each, loops } = after(part, looped);
    if (part.least === 0 || each !== looped.each || loops !== looped.loops) steps = Infinity;
    return looped;
  };
  // It's tried from each character on, which is one more loop.
  after(pattern, { each: 1, loops: 1 });
  return steps;
}

function anyOf(all: readonly Ways[]): Ways {
  return { each: all.reduce((sum, { each }) => sum + each, 0), loops: Math.max(...all.map(({ loops }) => loops)) };
}

class NotKnownError extends Error {}

class PatternReader {
  readonly #pattern: string;
  #at = 0;
  #groups = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  read(): KnownPattern {
    try {
      const part = this.#alternatives();
      return this.#at === this.#pattern.length ? part : undefined;
    } catch (error) {
      if (error instanceof NotKnownError) return undefined;
      throw error;
    }
  }

  #alternatives(): Part {
    const parts = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) parts.push(this.#sequence());
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    return { kind: 'any', parts, least: Math.min(...parts.map(({ least }) => least)) };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#pattern.length && !/[|)]/.test(this.#pattern.charAt(this.#at)))
      parts.push(this.#quantified(this.#one()));
    return { kind: 'all', parts, least: parts.reduce((sum, { least }) => sum + least, 0) };
  }

  #one(): Part {
    if (this.#take(/\^/y) !== undefined) return { kind: 'start', least: 0 };
    if (this.#take(/\$|\\[bB]/y) !== undefined) return { kind: 'one', least: 0 };
    if (this.#take(/\((?:\?:|\?<[A-Za-z_]\w*>|(?!\?))/y) !== undefined) {
      this.#groups += 1;
      if (this.#groups > MOST_GROUPS) throw new NotKnownError();
      const part = this.#alternatives();
      if (this.#take(/\)/y) === undefined) throw new NotKnownError();
      return part;
    }
    const one =
      // Without flags, `\p`, `\k`, and others mean different things in different patterns.
      this.#take(/\\(?:[dDwWsSnrtvf]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^A-Za-z\d])/y) ??
      this.#take(/\[(?:[^\]\\]|\\[^])*\]/y) ??
      this.#take(/[^\\[()|*+?]/y);
    if (one === undefined) throw new NotKnownError();
    return { kind: 'one', least: 1 };
  }

  #quantified(part: Part): Part {
    const written = this.#take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (written === undefined) return part;
    const [min = 0, max = min] =
      written[0] === '{'
        ? written
            .slice(1, written.indexOf('}'))
            .split(',')
            .map((limit) => (limit === '' ? Infinity : Number(limit)))
        : ({ '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] }[written.charAt(0)] ?? []);
    return { kind: 'times', part, min, max, least: min * part.least };
  }

  /** @param expected with the flag `y` */
  #take(expected: RegExp): string | undefined {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#pattern)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
