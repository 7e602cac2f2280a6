import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/**
 * What axe-core finds wrong in a page, one line per place: the rule, what it requires, the element.
 * @param rules all of axe-core's, including best practices; or only those about colors, for a page that has passed all
 * of them in another theme.
 */
export async function accessFaults(page: Frame | Page, rules: 'all' | 'colors' = 'all'): Promise<readonly string[]> {
  // Half a megabyte of script, which a page that is looked at in several themes already has.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  // A color in a transition is neither of its ends.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
    }
  });
  const only = rules === 'colors' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const { violations, incomplete } = await page.evaluate((options) => axe.run(document, options), {
    resultTypes: ['violations'],
    // Without reading every style sheet again, which only a rule about locked orientation needs.
    preload: false,
    ...only,
  } as axe.RunOptions);
  // A name without a role is a violation only where there's no text yet, which depends on when this looks.
  const nameless = incomplete.filter(({ id }) => id === 'aria-prohibited-attr');
  return [...violations, ...nameless].flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary ?? ''}`),
  );
}
