import { type CompareVote, decodeVote } from '../../core/compare/compareVote.ts';
import { Journal } from '../disk/journal.ts';
import { processMark } from '../disk/processMark.ts';

/** The votes of all windows, a line each, on this machine alone. */
export class VoteStore {
  readonly #journal: Journal;

  /** @param onError called once when a vote can't be written; it's kept and retried */
  constructor(path: string, onError: (error: unknown) => void) {
    this.#journal = new Journal({ path, onError });
  }

  add(vote: Omit<CompareVote, 'type' | 'version' | 'writer' | 'at'>): void {
    const line: CompareVote = { type: 'voted', version: 1, ...vote, writer: processMark(), at: Date.now() };
    void this.#journal.append([JSON.stringify(line)]);
  }

  /** In the order they were given. */
  async all(): Promise<readonly CompareVote[]> {
    await this.#journal.flush();
    const votes: CompareVote[] = [];
    await this.#journal.read((line) => {
      const vote = decodeVote(line);
      if (vote !== undefined) votes.push(vote);
    });
    return votes;
  }

  flush(): Promise<void> {
    return this.#journal.flush();
  }

  dispose(): void {
    this.#journal.dispose();
  }
}
