import { contextBlock } from '../../chat/contextBlock.ts';
import { estimatedTokens } from '../../../words/tokens.ts';

/** Those first that say most. */
const order = ['enclosing', 'imports', 'used'] as const;

/** What a piece is to the code that a prompt is about. */
export type SurroundingKind = (typeof order)[number];

/** A piece of what is around the code, as it would be sent. */
export interface SurroundingPiece {
  readonly kind: SurroundingKind;
  /** The address of its file. */
  readonly uri: string;
  /** The same for a reader: within the folder that is open. */
  readonly path: string;
  /** Counted from 0; `to` is after the last. */
  readonly from: number;
  readonly to: number;
  /** VS Code's id of it. */
  readonly language: string;
  readonly text: string;
}

/** What is sent of the surroundings, unless the model's context window is small. In tokens, about. */
const usualBudget = 2000;
/** Part of a context window that surroundings may take. */
const partOfWindow = 1 / 8;
/** Of the budget, for one kind: heads and imports must not crowd out what the code uses. */
const partOfBudget: Readonly<Record<SurroundingKind, number>> = {
  enclosing: 0.3,
  imports: 0.3,
  used: 1,
};

/** In tokens, about. */
export function surroundingBudget(contextWindow: number | undefined): number {
  return Math.min(usualBudget, Math.floor((contextWindow ?? Infinity) * partOfWindow));
}

/**
 * The pieces that fit, those first that say most. Within a kind they stay in their order. A piece that doesn't fit is
 * left out whole, and a smaller one after it may still be sent. None is sent twice, or with one that holds it.
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

/**
 * The pieces as they go in a request, with a line before and after them that keeps them apart from the code that the
 * prompt is about. Empty without any.
 */
export function surroundingText(pieces: readonly SurroundingPiece[]): string {
  if (pieces.length === 0) return '';
  return [beforeSurroundings, ...pieces.map(block), afterSurroundings].join('\n\n');
}

// In English: they are written for a model.
export const beforeSurroundings =
  'For reference, from around the code that this is about. Do not change it or repeat it in the answer:';
export const afterSurroundings = 'End of the reference.';

/** Such as `Imports: src/tasks.ts, lines 1-3`. */
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
