import {
  createJavaScriptRegexEngine,
  defaultJavaScriptRegexConstructor,
  JavaScriptScanner,
} from '@shikijs/engine-javascript';
import type { RegexEngine } from '@shikijs/types';

/** Thrown out of a tokenizer that needs regular expressions which are not compiled yet. */
export class PatternsMissing extends Error {
  readonly patterns: readonly string[];

  constructor(patterns: readonly string[]) {
    super('patterns are not compiled yet');
    this.patterns = patterns;
  }
}

/** Translating a longer pattern takes several frames; it then never matches. The longest lists all CSS properties. */
const MAX_PATTERN_CHARS = 16_000;
/** Idle time may never come while text streams in. */
const IDLE_TIMEOUT_MS = 100;
const SLICE_MS = 4;
/** The browser compiles a pattern at the first use, and again, to machine code, at the second. */
const COMPILING_USES = 2;

/**
 * Compiles the regular expressions of grammars in idle slices. A grammar has some hundred of them,
 * and translating those that its first line needs at once would hold the page for 60 ms and more.
 */
export class PatternCompiler {
  readonly engine: RegexEngine;
  /** An error stands for a pattern that cannot be translated: it never matches. */
  readonly #compiled = new Map<string, RegExp | Error>();
  #queue: string[] = [];
  /** A pattern that was translated, and how often it still has to be used. */
  #fresh: { readonly pattern: string; readonly regexp: RegExp; uses: number } | undefined;

  constructor() {
    this.engine = {
      createString: createJavaScriptRegexEngine().createString,
      createScanner: (patterns) => this.#createScanner(patterns),
    };
  }

  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#fresh !== undefined;
  }

  compile(patterns: readonly string[]): void {
    const wasIdle = !this.isBusy;
    this.#queue.push(...patterns);
    if (wasIdle && this.isBusy) this.#schedule();
  }

  #createScanner(patterns: readonly (string | RegExp)[]): JavaScriptScanner {
    const missing = patterns
      .filter((pattern) => typeof pattern === 'string')
      .filter((pattern) => !this.#compiled.has(pattern));
    if (missing.length > 0) throw new PatternsMissing(missing);
    return new JavaScriptScanner([...patterns], {
      forgiving: true,
      cache: this.#compiled,
      regexConstructor: translate,
    });
  }

  #schedule(): void {
    requestIdleCallback(
      (idle) => this.#compileSlice(performance.now() + Math.max(SLICE_MS, Math.min(idle.timeRemaining(), 10))),
      {
        timeout: IDLE_TIMEOUT_MS,
      },
    );
  }

  #compileSlice(deadlineMs: number): void {
    do this.#step();
    while (this.isBusy && performance.now() < deadlineMs);
    if (this.isBusy) this.#schedule();
  }

  /** A part of one pattern: translating it and each of its first uses may take a frame by itself. */
  #step(): void {
    const fresh = this.#fresh;
    if (fresh !== undefined) {
      use(fresh.regexp);
      fresh.uses -= 1;
      if (fresh.uses > 0) return;
      this.#compiled.set(fresh.pattern, fresh.regexp);
      this.#fresh = undefined;
      return;
    }
    const pattern = this.#queue.pop();
    if (pattern === undefined || this.#compiled.has(pattern)) return;
    const regexp = tryToTranslate(pattern);
    if (regexp instanceof RegExp) this.#fresh = { pattern, regexp, uses: COMPILING_USES };
    else this.#compiled.set(pattern, regexp);
  }
}

function tryToTranslate(pattern: string): RegExp | Error {
  if (pattern.length > MAX_PATTERN_CHARS) return new Error('too long');
  try {
    return translate(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function translate(pattern: string): RegExp {
  return defaultJavaScriptRegexConstructor(pattern, { target: 'ES2025' });
}

function use(regexp: RegExp): void {
  regexp.lastIndex = 0;
  regexp.exec('a');
}
