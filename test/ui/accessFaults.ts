import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/**
 * What axe-core finds wrong in a page, a line for each place: the rule, what it asks for, the element.
 * All of its rules, those of good practice too.
 */
export async function accessFaults(page: Frame | Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // A color that is on its way to another is neither.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ''}`),
  );
}
