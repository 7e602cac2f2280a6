import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/**
 * What axe-core finds wrong in a page, a line for each place: the rule, what it asks for, the element.
 *
 * @param rules all of axe-core's, those of good practice too; or those that look at colors, for a page that
 * has passed all of them in another theme.
 */
export async function accessFaults(page: Frame | Page, rules: 'all' | 'colors' = 'all'): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  // A color that is on its way to another is neither.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });
  const only = rules === 'colors' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const { violations } = await page.evaluate((options) => axe.run(document, options), {
    resultTypes: ['violations'],
    ...only,
  } as axe.RunOptions);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ''}`),
  );
}
