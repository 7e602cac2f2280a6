import type { Locator, Page } from 'playwright-core';

/** The question that VS Code holds everything up for, with this in it. */
export function modalDialog(page: Page, words: string | RegExp): Locator {
  return page.locator('.monaco-dialog-box').filter({ hasText: words });
}

/** Waits for the question and answers it. @returns what it said. */
export async function answerDialog(page: Page, words: string | RegExp, button: string): Promise<string> {
  const dialog = modalDialog(page, words);
  await dialog.waitFor({ timeout: 20_000 });
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return text;
}
