import type { LanguageRegistration } from '@shikijs/types';

/** What the page tells the worker that colors code. */
export type ToHighlightWorker =
  | { readonly type: 'grammar'; readonly name: string; readonly languages: readonly LanguageRegistration[] }
  /** The next lines of one piece of code. */
  | { readonly type: 'lines'; readonly code: number; readonly grammar: string; readonly lines: readonly string[] }
  | { readonly type: 'drop'; readonly code: number };

/** What it answers. */
export type FromHighlightWorker =
  /** The lines that it was given last, colored. */
  | { readonly type: 'styled'; readonly lines: readonly StyledLine[] }
  /** It is slow, but not stuck in one pattern. */
  | { readonly type: 'alive' };

/** The pieces of a line in order; an empty one for a line without colors. */
export type StyledLine = readonly StyledPiece[];

/** A piece of a line with the class that colors it; no class for plain text. */
export interface StyledPiece {
  readonly text: string;
  readonly className: string;
}
