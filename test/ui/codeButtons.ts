import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { answerDialog } from './modalDialog.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const code = 'def half(value):\n    return value / 2\n';

/** A message for a model that repeats it. Without a line break: a screen reader reads it as a row's name. */
export const withCodeAndLink = `Here:\n\n\`\`\`py\n${code}\`\`\`\n\n[A page](https://page.service.test/a)`;

/** Opens a file, and next to it a group for a page whose code goes into that file. */
export async function besideAFile(workbench: WorkbenchPage): Promise<string> {
  const file = join(workbench.workspace, 'half.py');
  await writeFile(file, '# half\n');
  await workbench.openFile(file);
  await workbench.driver.run('workbench.action.newGroupRight');
  return file;
}

/**
 * Uses each button of the code, and the link, in a reply to `withCodeAndLink`.
 * @param file from `besideAFile`
 * @param reply the reply, found again after an editor has covered its page
 */
export async function useCodeButtons(
  workbench: WorkbenchPage,
  file: string,
  reply: () => Promise<Locator>,
): Promise<void> {
  const { page } = workbench;
  const press = async (name: string): Promise<void> => (await reply()).getByRole('button', { name }).click();
  await press('Copy code');
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await waitUntil('the code on the clipboard', async () => (await clipboard()) === code);
  await press('Insert at Cursor');
  await waitUntil('the code in the file', async () => {
    await workbench.runCommand('File: Save');
    return (await readFile(file, 'utf8')).includes(code);
  });
  await press('Compare with Current File');
  await workbench.closeEditor(/half\.py ↔ Code from Reply/);
  await (await reply()).getByRole('link', { name: 'A page' }).click();
  const asked = await answerDialog(page, 'open the external website', 'Cancel');
  assert.match(asked, /https:\/\/page\.service\.test\/a/);
  await press('Open as New File');
  await page.locator('.tab.active.dirty', { hasText: 'def half' }).waitFor();
  await page.locator('.statusbar-item', { hasText: 'Python' }).waitFor();
  await workbench.closeEditor(/^def half/);
}
