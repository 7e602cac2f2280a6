import assert from 'node:assert/strict';
import { drawOpen, MarkdownBrowser } from './markdownBrowser.ts';

const texts: Readonly<Record<string, (count: number) => string>> = {
  headings: (count) => '# a\n'.repeat(count),
  'skipped headings': (count) => '### a\n'.repeat(count),
  checkboxes: (count) => '- [ ] a\n'.repeat(count),
  'loose items': (count) => '- a\n\n'.repeat(count),
  rows: (count) => `| a | b |\n|---|---|\n${'| c | d |\n'.repeat(count)}`,
  rules: (count) => '---\n'.repeat(count),
  quotes: (count) => '> a\n\n'.repeat(count),
  paragraphs: (count) => 'a\n\n'.repeat(count),
  fences: (count) => '```\na\n```\n'.repeat(count),
};

describe('A text of tiny blocks', function () {
  const browser = new MarkdownBrowser();

  for (const [name, text] of Object.entries(texts)) {
    it(`is drawn in small steps, whose work is proportional to its length: ${name}`, async () => {
      const page = await browser.open();
      const changes = (count: number) =>
        page.evaluate(async (drawn) => {
          const steps = await window.markdown.changes(drawn);
          return { most: Math.max(...steps), all: steps.reduce((sum, step) => sum + step, 0) };
        }, text(count));
      const [half, whole] = [await changes(3000), await changes(6000)];
      // Counts, so they're the same on every machine. One step draws at most about thirty blocks, items, or rows.
      assert.ok(whole.most < 1000, `${whole.most} changes in one step`);
      assert.ok(whole.most < half.most * 1.3, `${half.most} changes in one step of half of it, ${whole.most} of all`);
      assert.ok(whole.all < half.all * 2.3, `${half.all} changes for half of it, ${whole.all} for all`);
    });
  }

  it('is in boxes that contain their styles from the start: a browser searches the whole page when that changes', async () => {
    const page = await browser.open();
    await drawOpen(page, 'a\n\n'.repeat(6400));
    const boxes = await page.locator('.md-volume, .md-chapter, .md-section').evaluateAll((all) =>
      all.map((box) => ({
        name: box.className,
        contains: getComputedStyle(box).contain.split(' ').includes('style'),
      })),
    );
    for (const name of ['md-volume', 'md-chapter', 'md-section']) {
      assert.ok(
        boxes.some((box) => box.name === name),
        `no open ${name}`,
      );
      assert.ok(
        boxes.some((box) => box.name.includes(`${name}-full`)),
        `no full ${name}`,
      );
    }
    assert.deepEqual(
      boxes.filter(({ contains }) => !contains),
      [],
    );
  });
});
