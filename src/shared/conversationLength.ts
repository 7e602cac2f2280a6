/** A model with room for a conversation that nearly fills the current model's context window. */
export interface LargerModel {
  readonly id: string;
  /** In tokens. */
  readonly contextWindow: number;
}

/** What a conversation has cost so far, in the currency of the service's prices. */
export interface SpentView {
  readonly cost: number;
  /** Some of its tokens were estimated. */
  readonly isEstimate: boolean;
  /** Some replies have no known price. */
  readonly isPartial: boolean;
}

/** The part of a conversation that is sent, and what that costs. */
export interface ConversationLength {
  /** ID of the first message that is sent; absent while all of them are. */
  readonly sentFrom?: string;
  /** Number of messages before it. */
  readonly leftOut: number;
  /** Currency units per million tokens sent to the selected model; absent if unknown. */
  readonly inputPerMillion?: number;
  /** Absent if no price is known. */
  readonly spent?: SpentView;
  /** At most two: those of the same service first, and the cheapest of them first. */
  readonly larger: readonly LargerModel[];
}
