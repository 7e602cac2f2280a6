import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';

/**
 * Reads the `.gitignore` of a folder in the root, `''` for the root itself. Undefined if there's none. Never rejects.
 */
export type ReadRules = (folder: string) => Promise<string | undefined>;

/**
 * Limits for rules, because anyone might have written them to block the window: their cost grows with their number and,
 * for each `**` in a rule, with the depth of a path. A `**` at the end costs nothing more.
 */
const ruleLimits = { rules: 1000, characters: 256 * 1024, anyDepths: 2, depth: 60 };

/** Rules that are ignored, because there are too many or they're too slow to test. */
export type OnDropped = (folder: string, rules: readonly string[]) => void;

/** Number of paths that are tested before the event loop gets a turn. */
const PATHS_A_TURN = 20;

/** What `.gitignore` files and VS Code's `files.exclude` exclude from one root folder. Paths use `/`. */
export class IgnoreRules {
  readonly #read: ReadRules;
  readonly #mayHave: (folder: string) => boolean;
  readonly #onDropped: OnDropped;
  readonly #rules = new Map<string, Promise<Ignore | undefined>>();
  readonly #excluded = ignore({ allowRelativePaths: true });
  #paths = 0;
  #turn = Promise.resolve();

  /**
   * @param excluded VS Code globs
   * @param mayHave false for a folder that is known to have no `.gitignore`, so that it isn't read
   */
  constructor(
    excluded: readonly string[],
    read: ReadRules,
    mayHave: (folder: string) => boolean = () => true,
    onDropped: OnDropped = () => undefined,
  ) {
    this.#read = read;
    this.#mayHave = mayHave;
    this.#onDropped = onDropped;
    this.#excluded.add('.git');
    // A VS Code glob is relative to the folder. A git pattern without a slash matches at any depth.
    for (const pattern of boundedRules(excluded).taken) {
      this.#excluded.add(pattern.includes('/') ? pattern : `/${pattern}`);
    }
  }

  /** Whether `files.exclude` itself excludes the name. */
  excludes(path: string): boolean {
    return this.#excluded.ignores(path);
  }

  /** A listing of this folder had no `.gitignore`, so there's no need to look for one. */
  hasNone(folder: string): void {
    this.#rules.set(folder, Promise.resolve(undefined));
  }

  /**
   * Paths deeper than in any real project count as ignored.
   * @param isFolder true for a folder, because some rules only apply to folders
   */
  async has(path: string, isFolder: boolean): Promise<boolean> {
    const ending = isFolder ? '/' : '';
    const parts = path.split('/');
    if (parts.length > ruleLimits.depth || this.#excluded.ignores(path + ending)) return true;
    // All at once, because each might be a round trip to another machine.
    const all = await Promise.all(parts.map((_part, depth) => this.#rulesOf(parts.slice(0, depth).join('/'))));
    await this.#myTurn();
    let ignored = false;
    for (const [depth, rules] of all.entries()) {
      if (rules === undefined) continue;
      const result = rules.test(parts.slice(depth).join('/') + ending);
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }

  /** Many are needed at once. */
  #myTurn(): Promise<void> {
    this.#paths += 1;
    if (this.#paths % PATHS_A_TURN === 0) this.#turn = this.#turn.then(() => nextTurn());
    return this.#turn;
  }

  #rulesOf(folder: string): Promise<Ignore | undefined> {
    const known = this.#rules.get(folder);
    if (known !== undefined) return known;
    const text = this.#mayHave(folder) ? this.#read(folder) : Promise.resolve(undefined);
    const rules = text.then((lines) => (lines === undefined ? undefined : ignore().add(this.#rulesIn(lines, folder))));
    this.#rules.set(folder, rules);
    return rules;
  }

  #rulesIn(text: string, folder: string): readonly string[] {
    const lines = text.slice(0, ruleLimits.characters).split(/\r?\n/);
    const { taken, dropped } = boundedRules(lines.filter((line) => line.trim() !== '' && !line.startsWith('#')));
    const rest = text.length > ruleLimits.characters ? [text.slice(ruleLimits.characters)] : [];
    if (dropped.length + rest.length > 0) this.#onDropped(folder, [...dropped, ...rest]);
    return taken;
  }
}

function boundedRules(rules: readonly string[]): {
  readonly taken: readonly string[];
  readonly dropped: readonly string[];
} {
  const simple = rules.map(simplified);
  const quick = simple.filter((rule) => !isSlow(rule));
  return {
    taken: quick.slice(0, ruleLimits.rules),
    dropped: [...simple.filter(isSlow), ...quick.slice(ruleLimits.rules)],
  };
}

/** The same rule with a single `**` for several in a row: `a/**\/**\/b` is `a/**\/b`, and `a/**\/**` is `a/**`. */
function simplified(rule: string): string {
  return rule.replaceAll(/(?<=^!?|\/)(?:\*\*\/){2,}/g, '**/').replace(/(?<=[^/])\/\*\*\/\*\*(?=\/?$)/, '/**');
}

function isSlow(rule: string): boolean {
  const inside = rule.replace(/\/\*\*\/?$/, '');
  return (inside.match(/\*{2,}/g)?.length ?? 0) > ruleLimits.anyDepths;
}
