/** The kinds of expectations that are run, by promptfoo's names. Each has a `not-` form. */
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

/** What a reply must be like. `from` and `to` are UTF-16 units of its file. */
export interface Expectation {
  readonly kind: ExpectationKind;
  /** For the `not-` form. */
  readonly isInverse: boolean;
  /** Absent where the file has no `value`. */
  readonly value?: unknown;
  /** Milliseconds for latency, currency units for cost, 0 to 1 for llm-rubric. */
  readonly threshold?: number;
  /** How much it counts against the others. With 0 it can't fail. */
  readonly weight: number;
  /** The model that judges an llm-rubric. */
  readonly judge?: string;
  readonly from: number;
  readonly to: number;
}

/** What one expectation says of one reply. */
export interface Verdict {
  readonly pass: boolean;
  /** 0 to 1. */
  readonly score: number;
  /** Why not, in a sentence; empty for one that passed. */
  readonly reason: string;
  /** It couldn't be decided, for the reason that's given. Such a run neither passes nor fails. */
  readonly isUndecided?: true;
}

/** What expectations are about. */
export interface CheckedReply {
  readonly text: string;
  /** To the end of the response. */
  readonly latencyMs: number;
  /** Currency units; absent where the price isn't known. */
  readonly cost?: number;
  readonly finishReason?: string;
}

/** The name that a file gives an expectation. */
export function expectationName({ kind, isInverse }: Pick<Expectation, 'kind' | 'isInverse'>): string {
  return isInverse ? `not-${kind}` : kind;
}

/** What a name in a file means; undefined for what isn't run. */
export function expectationNamed(name: string): Pick<Expectation, 'kind' | 'isInverse'> | undefined {
  const isInverse = name.startsWith('not-');
  const base = isInverse ? name.slice('not-'.length) : name;
  const kind = expectationKinds.find((known) => known === base);
  return kind && { kind, isInverse };
}
