import assert from 'node:assert/strict';
import type { DropPlace } from './dropPlace.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** Drags a file from the Explorer onto a page with a message box with the mouse, holding Shift as VS Code requires. */
export async function dragFromExplorer(workbench: WorkbenchPage, place: DropPlace, name: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('File: Focus on Files Explorer');
  const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const from = await file.boundingBox();
  const to = await place.area.boundingBox();
  assert.ok(from && to);
  await page.mouse.move(from.x + 60, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
  await page.keyboard.down('Shift');
  const hint = place.frame.getByText('Drop to add to the message');
  await waitUntil('the page under the file', async () => {
    // Until VS Code lets the page accept it, the page receives no events.
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2 + 20, { steps: 2 });
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 2 });
    return hint.isVisible();
  });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await hint.waitFor({ state: 'hidden' });
}
