import { contextBlock } from '../../chat/contextBlock.ts';
import { estimatedTokens } from '../../../words/tokens.ts';

/** Most informative first. */
const order = ['enclosing', 'imports', 'used'] as const;

/** How a piece relates to the prompt's code. */
export type SurroundingKind = (typeof order)[number];

/** A piece of the code's surroundings, as it would be sent. */
export interface SurroundingPiece {
  readonly kind: SurroundingKind;
  /** URI of its file. */
  readonly uri: string;
  /** Its path in the open folder, for readers. */
  readonly path: string;
  /** Counted from 0; `to` is after the last. */
  readonly from: number;
  readonly to: number;
  /** VS Code's language ID. */
  readonly language: string;
  readonly text: string;
}

/** Maximum size of the surroundings, in estimated tokens, unless the model's context window is small. */
const usualBudget = 2000;
/** Maximum share of a context window. */
const partOfWindow = 1 / 8;
/** Maximum share of the budget for one kind, so that heads and imports don't crowd out what the code uses. */
const partOfBudget: Readonly<Record<SurroundingKind, number>> = {
  enclosing: 0.3,
  imports: 0.3,
  used: 1,
};

/** In estimated tokens. */
export function surroundingBudget(contextWindow: number | undefined): number {
  return Math.min(usualBudget, Math.floor((contextWindow ?? Infinity) * partOfWindow));
}

/**
 * The pieces that fit, most informative first, in order within a kind. A piece that doesn't fit is left out completely,
 * but a smaller one after it can still be sent. None is sent twice, or together with one that contains it.
 */
export function chosenPieces(pieces: readonly SurroundingPiece[], budget: number): readonly SurroundingPiece[] {
  const chosen: SurroundingPiece[] = [];
  const spent = { all: 0, enclosing: 0, imports: 0, used: 0 };
  for (const kind of order) {
    for (const piece of pieces) {
      if (piece.kind !== kind || piece.text.trim() === '' || chosen.some((each) => holds(each, piece))) continue;
      const tokens = estimatedTokens(block(piece).length);
      if (spent.all + tokens > budget || spent[kind] + tokens > budget * partOfBudget[kind]) continue;
      chosen.push(piece);
      spent.all += tokens;
      spent[kind] += tokens;
    }
  }
  return chosen;
}

/** The pieces as they're sent, between two lines that separate them from the prompt's code. Empty without any. */
export function surroundingText(pieces: readonly SurroundingPiece[]): string {
  if (pieces.length === 0) return '';
  return [beforeSurroundings, ...pieces.map(block), afterSurroundings].join('\n\n');
}

// In English, because they're written for a model.
export const beforeSurroundings =
  'For reference, from around the code that this is about. Do not change it or repeat it in the answer:';
export const afterSurroundings = 'End of the reference.';

/** For example `Imports: src/tasks.ts, lines 1-3`. */
export function pieceHeading({ kind, path, from, to }: SurroundingPiece): string {
  const lines = to - from <= 1 ? `line ${from + 1}` : `lines ${from + 1}-${to}`;
  return `${headings[kind]}: ${path}, ${lines}`;
}

const headings: Readonly<Record<SurroundingKind, string>> = {
  enclosing: 'Around it',
  imports: 'Imports',
  used: 'It uses',
};

function block(piece: SurroundingPiece): string {
  return contextBlock({ heading: pieceHeading(piece), language: piece.language, text: piece.text });
}

function holds(one: SurroundingPiece, other: SurroundingPiece): boolean {
  return one.uri === other.uri && (one.from === other.from || one.text.includes(other.text));
}
