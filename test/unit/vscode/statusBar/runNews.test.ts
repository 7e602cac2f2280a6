import assert from 'node:assert/strict';
import { RunNews } from '../../../../src/vscode/statusBar/runNews.ts';

describe('The message about a prompt in the status bar', () => {
  it('is about the last one, and disappears some time later', () => {
    const shown: (string | undefined)[] = [];
    const waiting = new Set<() => void>();
    const news: RunNews = new RunNews(
      () => shown.push(news.end?.words),
      (run, delayMs) => {
        assert.ok(delayMs > 0 && delayMs <= 60_000);
        waiting.add(run);
        return () => waiting.delete(run);
      },
    );
    assert.equal(news.end, undefined);
    news.tell({ icon: 'check', words: 'Explain' });
    news.tell({ icon: 'error', words: 'Fix · failed' });
    // The first one's timer doesn't remove the second one.
    assert.equal(waiting.size, 1);
    for (const run of waiting) run();
    assert.deepEqual(shown, ['Explain', 'Fix · failed', undefined]);
  });

  it("doesn't outlive the item", () => {
    const waiting = new Set<() => void>();
    const news = new RunNews(
      () => undefined,
      (run) => {
        waiting.add(run);
        return () => waiting.delete(run);
      },
    );
    news.tell({ icon: 'check', words: 'Explain' });
    news.dispose();
    assert.equal(waiting.size, 0);
  });
});
