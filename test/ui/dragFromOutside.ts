import assert from 'node:assert/strict';
import type { DropPlace } from './dropPlace.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/**
 * Drags a file from a file manager onto a page with a message box: the browser receives it as from the system, and gives it to whatever
 * is below the mouse.
 */
export async function dragFromOutside(workbench: WorkbenchPage, place: DropPlace, path: string): Promise<void> {
  const { page } = workbench;
  const session = await page.context().newCDPSession(page);
  const box = await place.area.boundingBox();
  assert.ok(box);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const move = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at, data });
  await move('dragEnter');
  const hint = place.frame.getByText('Drop to add to the message');
  await waitUntil('the page under the file', async () => {
    await move('dragOver');
    return hint.isVisible();
  });
  // A hand takes longer: VS Code has reacted to the first moves by the time it lets go.
  await workbench.settle();
  await move('dragOver');
  await move('dragOver');
  await move('drop');
  await hint.waitFor({ state: 'hidden' });
  await session.detach();
}
