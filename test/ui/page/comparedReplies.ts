import type { Page } from 'playwright-core';

export const row = (page: Page, name: string) => page.locator('.race-row').filter({ hasText: name });
export const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });

/** Everything that was announced, in order. */
export async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const status = document.querySelector('[role=status]');
    new MutationObserver(() => said.push(status?.textContent ?? '')).observe(status ?? document.body, {
      childList: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { said: readonly string[] }).said);
}
