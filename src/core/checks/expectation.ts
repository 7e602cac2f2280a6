/** The supported kinds of expectations, with promptfoo's names. Each has a `not-` form. */
export const expectationKinds = [
  'equals',
  'contains',
  'icontains',
  'contains-all',
  'contains-any',
  'icontains-all',
  'icontains-any',
  'starts-with',
  'regex',
  'is-json',
  'contains-json',
  'word-count',
  'latency',
  'cost',
  'finish-reason',
  'llm-rubric',
] as const;

export type ExpectationKind = (typeof expectationKinds)[number];

/** A requirement on a reply. `from` and `to` are UTF-16 units in its file. */
export interface Expectation {
  readonly kind: ExpectationKind;
  /** For the `not-` form. */
  readonly isInverse: boolean;
  /** Absent if the file has no `value`. */
  readonly value?: unknown;
  /** In milliseconds for latency, currency units for cost, 0 to 1 for llm-rubric. */
  readonly threshold?: number;
  /** Its weight among the others. With 0 it can't fail. */
  readonly weight: number;
  /** The model that judges an llm-rubric. */
  readonly judge?: string;
  readonly from: number;
  readonly to: number;
}

/** The result of one expectation for one reply. */
export interface Verdict {
  readonly pass: boolean;
  /** From 0 to 1. */
  readonly score: number;
  /** Why it failed, in a sentence; empty if it passed. */
  readonly reason: string;
  /** It couldn't be decided, for the given reason. Such a run neither passes nor fails. */
  readonly isUndecided?: true;
}

/** What expectations are checked against. */
export interface CheckedReply {
  readonly text: string;
  /** Until the end of the response, in milliseconds. */
  readonly latencyMs: number;
  /** In currency units; absent if the price is unknown. */
  readonly cost?: number;
  /** The tokens behind the cost were estimated. */
  readonly isEstimate?: true;
  /** The service didn't say how many tokens it took. */
  readonly isUncounted?: true;
  readonly finishReason?: string;
}

/** The name of an expectation in a file. */
export function expectationName({ kind, isInverse }: Pick<Expectation, 'kind' | 'isInverse'>): string {
  return isInverse ? `not-${kind}` : kind;
}

/** The meaning of a name in a file; undefined if it isn't supported. */
export function expectationNamed(name: string): Pick<Expectation, 'kind' | 'isInverse'> | undefined {
  const isInverse = name.startsWith('not-');
  const base = isInverse ? name.slice('not-'.length) : name;
  const kind = expectationKinds.find((known) => known === base);
  return kind && { kind, isInverse };
}
