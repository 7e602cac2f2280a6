import { type LogLimits } from './log/currentLogFile.ts';
import { LogStore } from './log/logStore.ts';
import { LogSums } from './log/logSums.ts';
import { WithheldRequests } from './log/withheldRequests.ts';
import { RequestHistory } from './requestHistory.ts';

export interface HistoryDeps {
  /** Where the history's files are. Nothing is read or written there before the first request or view. */
  readonly folder: string;
  readonly limits: () => LogLimits;
  /** Names this window in its requests. */
  readonly writer: string;
  /** Names its process to other windows; the actual one by default. */
  readonly mark?: string;
  /** Something couldn't be written; it's kept and retried. */
  readonly onUnsaved?: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

export interface OpenHistory {
  readonly history: RequestHistory;
  /** Which of its requests no list shows. */
  readonly withheld: WithheldRequests;
}

/** The request history, as this window sees it. */
export function openHistory({ folder, limits, writer, mark, onError, onUnsaved = onError }: HistoryDeps): OpenHistory {
  const withheld = new WithheldRequests(folder, onError, mark);
  const digests: LogSums = new LogSums({ folder, store: () => store, withheld, onError });
  const store = new LogStore({
    folder,
    writer,
    limits,
    sums: digests,
    onError: onUnsaved,
  });
  return { history: new RequestHistory({ store, digests, withheld, onError }), withheld };
}
