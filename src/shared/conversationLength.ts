/** A model with room for a conversation that another one has hardly any room for. */
export interface LargerModel {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
}

/** What a conversation has cost so far, in the unit of the service's prices. */
export interface SpentView {
  readonly cost: number;
  /** Some of its tokens were estimated. */
  readonly isEstimate: boolean;
  /** Some replies have no known price. */
  readonly isPartial: boolean;
}

/** What is sent of a conversation, and what that costs. */
export interface ConversationLength {
  /** Id of the first message that is sent; absent while all are. */
  readonly sentFrom?: string;
  /** Messages before it. */
  readonly leftOut: number;
  /** Currency units for a million tokens that are sent to the chosen model; absent where nobody knows. */
  readonly inputPerMillion?: number;
  /** Absent where no price is known. */
  readonly spent?: SpentView;
  /** At most two, the cheapest first. */
  readonly larger: readonly LargerModel[];
}
