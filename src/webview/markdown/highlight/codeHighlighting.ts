import { grammarName } from '../../../shared/text/languageNames.ts';
import type { Grammar, Highlighter } from './highlighter.ts';

type Loading = { state: 'loading' } | { state: 'ready'; grammar: Grammar } | { state: 'none' };

/** The page's grammars, loaded when a code block first needs them. */
export class CodeHighlighting {
  readonly #grammars = new Map<string, Loading>();
  #highlighter: Promise<Highlighter> | undefined;

  /** True if there's a grammar for a language as it's named on a code fence. */
  knows(language: string): boolean {
    return grammarName(language) !== undefined;
  }

  /** The grammar for a language. Also 'none' if it couldn't be loaded, and the code stays plain. */
  grammar(language: string): Grammar | 'loading' | 'none' {
    const name = grammarName(language);
    if (name === undefined) return 'none';
    let loading = this.#grammars.get(name);
    if (loading === undefined) {
      loading = { state: 'loading' };
      this.#grammars.set(name, loading);
      void this.#load(name).then((result) => this.#grammars.set(name, result));
    }
    return loading.state === 'ready' ? loading.grammar : loading.state;
  }

  async #load(name: string): Promise<Loading> {
    try {
      // A separate chunk, because most replies contain no code.
      this.#highlighter ??= import('./highlighter.ts').then(({ Highlighter }) => new Highlighter());
      const grammar = await (await this.#highlighter).load(name);
      return grammar === undefined ? { state: 'none' } : { state: 'ready', grammar };
    } catch {
      return { state: 'none' };
    }
  }
}

let ofPage: CodeHighlighting | undefined;

/** One for all views of the page, because a compiled grammar is expensive and never changes. */
export function pageHighlighting(): CodeHighlighting {
  ofPage ??= new CodeHighlighting();
  return ofPage;
}
