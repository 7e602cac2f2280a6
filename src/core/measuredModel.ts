export interface Spread {
  readonly p50: number;
  readonly p95: number;
}

/** How a model did on this machine, from the request log. Spreads are of its latest 200 replies. */
export interface MeasuredFigures {
  /** In the log, however they ended. */
  readonly requestCount: number;
  readonly failureCount: number;
  /** Absent until a streamed reply came. */
  readonly timeToFirstTokenSeconds?: Spread;
  /** The p95 is that of the slow end: 95 % of the replies were faster. */
  readonly tokensPerSecond?: Spread;
  /** Of the latest 30 replies, oldest first, for a sparkline. */
  readonly latest: readonly MeasuredReply[];
}

export interface MeasuredReply {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly timeToFirstTokenSeconds?: number;
  readonly tokensPerSecond?: number;
}

/** The measured history of every model. */
export interface MeasuredModels {
  /**
   * Undefined for a model that was never asked, and until the log has been read, which the first call
   * begins; `onDidChange` tells of that too.
   */
  figures(modelId: string): MeasuredFigures | undefined;
  /** At most a few times a second. */
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}
