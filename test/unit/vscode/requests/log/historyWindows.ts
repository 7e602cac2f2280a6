import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory, type OpenHistory } from '../../../../../src/vscode/requests/openHistory.ts';
import { failOnFaults } from '../../../../workbench/failOnFaults.ts';

/** Windows that share a request history, in a new folder for each test. Use it in a `describe`: it adds hooks there. */
export class HistoryWindows {
  folder = '';
  /** Each must be taken by the test that expects it. */
  errors: unknown[] = [];
  #open: OpenHistory[] = [];

  constructor() {
    beforeEach('a folder for the history', async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'parlance-history-'));
      this.errors = [];
      this.#open = [];
    });
    afterEach('close the windows', async () => {
      for (const { history, withheld } of this.#open) {
        history.dispose();
        withheld.dispose();
        await history.flush();
      }
      await rm(this.folder, { recursive: true, force: true });
    });
    failOnFaults('no error was reported', () => this.errors);
  }

  /** @param more.mark of its process: this one by default */
  open(writer: string, { maxCount = 100_000, mark }: { maxCount?: number; mark?: string } = {}): OpenHistory {
    const window = openHistory({
      folder: this.folder,
      writer,
      limits: () => ({ maxCount, maxBytes: 100_000_000 }),
      onError: (error) => this.errors.push(error),
      ...(mark !== undefined && { mark }),
    });
    this.#open.push(window);
    return window;
  }
}
