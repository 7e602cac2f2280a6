import type { Locator, Page } from 'playwright-core';

/** VS Code's modal dialog that contains this. */
export function modalDialog(page: Page, words: string | RegExp): Locator {
  return page.locator('.monaco-dialog-box').filter({ hasText: words });
}

/**
 * Waits for the dialog and answers it.
 * @returns its text.
 */
export async function answerDialog(page: Page, words: string | RegExp, button: string): Promise<string> {
  const dialog = modalDialog(page, words);
  await dialog.waitFor({ timeout: 60_000 });
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return text;
}
