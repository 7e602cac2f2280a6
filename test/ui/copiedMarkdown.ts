import type { ChatDriver } from './chatDriver.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** The Markdown that the button below the reply at this position copies: all of it, as the host stores it. */
export async function copiedMarkdown({ page }: WorkbenchPage, chat: ChatDriver, place: number): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await chat.replies.nth(place).locator('.actions').getByRole('button', { name: 'Copy' }).click();
  return waitUntil(
    'the copied message',
    async () => (await page.evaluate(() => navigator.clipboard.readText())) || undefined,
  );
}
