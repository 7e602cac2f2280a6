import type { Problem } from './problem.ts';

/** What a model list has a column for. */
export const modelFigureNames = ['speed', 'firstToken', 'context', 'price'] as const;

export type ModelFigure = (typeof modelFigureNames)[number];

/** A row of the model picker. */
export interface ModelRow {
  /** Only the host knows what it means. Means the same model for as long as the picker is open. */
  readonly id: string;
  /** The heading above it; empty for none. */
  readonly group: string;
  readonly name: string;
  /** In words; empty if a figure isn't known. */
  readonly figures: Readonly<Record<ModelFigure, string>>;
  /** Further remarks, in a few words each. */
  readonly notes: readonly string[];
  /** In words, that it accepts images; absent if the model list doesn't say so. */
  readonly withImages?: string;
  readonly isFavorite: boolean;
  readonly isCurrent: boolean;
  /** True for the ID that was typed and that the list lacks. */
  readonly isTyped: boolean;
}

/** A service whose models aren't among the rows. */
export interface UnlistedService {
  /** Its ID. */
  readonly service: string;
  readonly name: string;
  /** Why its list couldn't be fetched. */
  readonly problem: Problem;
}

/** What the model picker shows. */
export interface ModelRowsView {
  readonly rows: readonly ModelRow[];
  /** Models that fit too, and aren't among the rows. */
  readonly left: number;
  /** Set if the rows are a single ranking, best first. */
  readonly sortedBy?: ModelFigure;
  readonly isLoading: boolean;
  /** True while only favorites and recently used models are known. */
  readonly lacksList?: boolean;
  /** Why there's no list, if there's only one service. */
  readonly problem?: Problem;
  /** The services without a list, if there are several services. */
  readonly unlisted: readonly UnlistedService[];
  /** Whether there are models that can't chat, and whether they're among the rows. */
  readonly otherKinds: 'none' | 'hidden' | 'shown';
}

/** What the user wants to see in the model picker. */
export interface ModelQuestion {
  readonly typed: string;
  readonly sort?: ModelFigure;
  readonly allKinds: boolean;
}
