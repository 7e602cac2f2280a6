import { ChangeEvent } from '../../core/changeEvent.ts';
import { join } from 'node:path';
import { type CompareVote, decodeVote } from '../../core/compare/compareVote.ts';
import { LinesFile } from '../disk/linesFile.ts';
import { namesIn } from '../disk/namesIn.ts';
import { processMark } from '../disk/processMark.ts';
import { removeFile } from '../disk/removeFile.ts';
import { retryPassing } from '../disk/retryPassing.ts';

const ENDING = '.jsonl';

export type NewVote = Omit<CompareVote, 'type' | 'version' | 'writer' | 'at'>;

/** The votes of all windows, only on this machine: one file per comparison, one line per vote. */
export class VoteStore {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();

  /** @param onError called when votes can't be read; they stay unchanged */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Rejects if the vote can't be written. It isn't retried, because the user can vote again. */
  async add(vote: NewVote): Promise<void> {
    const line: CompareVote = { type: 'voted', version: 1, ...vote, writer: processMark(), at: Date.now() };
    const file = new LinesFile(this.#path(vote.comparison));
    await retryPassing(() => file.append([JSON.stringify(line)], { isSynced: true }));
    this.#changed.fire();
  }

  /** In the order they were given. */
  async all(): Promise<readonly CompareVote[]> {
    const names = (await namesIn(this.#folder)).filter((name) => name.endsWith(ENDING));
    const votes: CompareVote[] = [];
    for (const name of names) {
      try {
        await new LinesFile(join(this.#folder, name)).read((line) => {
          const vote = decodeVote(line);
          if (vote !== undefined) votes.push(vote);
        });
      } catch (error) {
        this.#onError(error);
      }
    }
    return votes.toSorted((a, b) => a.at - b.at);
  }

  /** Deletes all votes on a comparison. */
  async remove(comparison: string): Promise<void> {
    await removeFile(this.#path(comparison));
    this.#changed.fire();
  }

  /** Fires when this window has added or deleted votes. */
  readonly onDidChange = this.#changed.event;

  #path(comparison: string): string {
    if (!/^[\w-]{1,64}$/.test(comparison)) throw new Error(`Not the ID of a comparison: ${JSON.stringify(comparison)}`);
    return join(this.#folder, comparison + ENDING);
  }
}
