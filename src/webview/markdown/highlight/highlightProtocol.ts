import type { LanguageRegistration } from '@shikijs/types';

/** Messages from the page to the worker that highlights code. */
export type ToHighlightWorker =
  | { readonly type: 'grammar'; readonly name: string; readonly languages: readonly LanguageRegistration[] }
  /** The next lines of one piece of code. */
  | { readonly type: 'lines'; readonly code: number; readonly grammar: string; readonly lines: readonly string[] }
  | { readonly type: 'drop'; readonly code: number };

/** The worker's responses. */
export type FromHighlightWorker =
  /** The last batch of lines, highlighted. */
  | { readonly type: 'styled'; readonly lines: readonly StyledLine[] }
  /** It's slow, but not stuck in one pattern. */
  | { readonly type: 'alive' };

/** The parts of a line in order; empty for a line without colors. */
export type StyledLine = readonly StyledPiece[];

/** A part of a line with its color class; without a class for plain text. */
export interface StyledPiece {
  readonly text: string;
  readonly className: string;
}
