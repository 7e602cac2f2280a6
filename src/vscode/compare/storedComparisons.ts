import { type ComparedColumn, Comparison, type StoredTurn } from '../../core/compare/comparison.ts';
import type { AttachmentStore } from '../attachments/attachmentStore.ts';
import type { ExperimentStore, StoredExperiment } from '../experiments/experimentStore.ts';
import type { VoteStore } from '../models/voteStore.ts';
import type { WithheldRequests } from '../requests/log/withheldRequests.ts';
import type { KeptColumns } from './keptColumns.ts';

type Experiments = Pick<ExperimentStore, 'isRunning' | 'listAll' | 'open' | 'removeAll' | 'states'>;

interface StoredComparisonsDeps {
  readonly experiments: Experiments;
  readonly columns: Pick<KeptColumns, 'read' | 'remove'>;
  readonly attachments: Pick<AttachmentStore, 'purge'>;
  readonly votes: Pick<VoteStore, 'remove'>;
  /** Requests of blind questions, until the vote. */
  readonly withheld: Pick<WithheldRequests, 'release' | 'read' | 'hasQuestion'>;
}

interface OpenedComparison {
  /** Undefined if none of its questions is found. */
  readonly comparison: Comparison | undefined;
  /** As they were last shown, if known. */
  readonly columns: readonly ComparedColumn[] | undefined;
  /** Some files can't be read right now, so some or all of its questions might be missing. */
  readonly mightLackQuestions: boolean;
}

/** Comparisons on disk: an experiment for each question, and beside them the columns, the attachments, and the votes. */
export class StoredComparisons {
  readonly #deps: StoredComparisonsDeps;
  /** Those that seem to have no question, although a file that couldn't be read might contain one. */
  readonly #uncertain = new Set<string>();

  constructor(deps: StoredComparisonsDeps) {
    this.#deps = deps;
  }

  async open(id: string): Promise<OpenedComparison> {
    const { experiments, columns } = this.#deps;
    const [{ found, leftOut }, shown] = await Promise.all([experiments.listAll('comparison'), columns.read(id)]);
    const own = found.filter(isOf(id));
    const isEmpty = own.length === 0;
    if (isEmpty && leftOut.unreadable + leftOut.damaged > 0) this.#uncertain.add(id);
    const comparison = isEmpty ? undefined : Comparison.of(id, await storedTurns(own.map(idOf), experiments));
    if (shown !== undefined) comparison?.setColumns(shown);
    return { comparison, columns: shown, mightLackQuestions: leftOut.unreadable > 0 };
  }

  /** ID of the last question, if a window was closed before the user voted on it. */
  async unvotedTurn({ turns, replies }: Comparison): Promise<string | undefined> {
    const turn = turns.at(-1);
    if (turn?.isBlind !== true || !replies.some(({ turnId }) => turnId === turn.id)) return undefined;
    const { withheld } = this.#deps;
    await withheld.read();
    return withheld.hasQuestion(turn.id) ? turn.id : undefined;
  }

  /** The user has closed its tab. One without a question can't be opened again. */
  async closed({ id, turns }: Pick<Comparison, 'id' | 'turns'>): Promise<void> {
    if (turns.length > 0 || this.#uncertain.has(id)) return;
    await Promise.all([this.#deps.columns.remove(id), this.#deps.attachments.purge(id)]);
  }

  /**
   * Deletes it with everything that belongs to it. Deletes nothing if one of its questions is still being answered, in
   * any window, or if a file that can't be read right now might be one of them.
   */
  async remove(id: string): Promise<'removed' | 'running' | 'unreadable'> {
    const { experiments, columns, attachments, votes, withheld } = this.#deps;
    const { found, leftOut } = await experiments.listAll('comparison');
    if (leftOut.unreadable > 0) return 'unreadable';
    const own = found.filter(isOf(id));
    if (!(await experiments.removeAll(own.map(idOf)))) return 'running';
    withheld.release(own.flatMap(({ experiment }) => experiment.of?.turn ?? []));
    await Promise.all([columns.remove(id), attachments.purge(id), votes.remove(id)]);
    return 'removed';
  }
}

/** The questions in these experiments, as they're on disk now. */
export async function storedTurns(
  experimentIds: readonly string[],
  store: Pick<ExperimentStore, 'isRunning' | 'open' | 'states'>,
): Promise<readonly StoredTurn[]> {
  const files = await Promise.all(experimentIds.map((id) => store.open(id)));
  return files.flatMap((file) => {
    const { log } = file;
    const { experiment, createdAt = 0 } = log;
    if (experiment === undefined) return [];
    return [{ experiment, createdAt, log, states: store.states(file), isRunning: store.isRunning(file) }];
  });
}

function isOf(id: string): (stored: StoredExperiment) => boolean {
  return ({ experiment }) => experiment.of?.comparison === id;
}

function idOf({ experiment }: StoredExperiment): string {
  return experiment.id;
}
