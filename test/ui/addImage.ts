import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { dragFromOutside } from './dragFromOutside.ts';
import type { DropPlace } from './dropPlace.ts';
import { QuickInput } from './quickInput.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** A page with a message box: a chat's, or a comparison's. */
export interface MessagePlace extends DropPlace {
  button(name: RegExp): Locator;
}

export async function addImageByDialog(workbench: WorkbenchPage, place: MessagePlace, name: string): Promise<void> {
  await place.button(/^Add Context/).click();
  const list = new QuickInput(workbench.page);
  await list.opened('Add Context');
  await list.box.fill('Image');
  await list.choose('Image');
  await list.opened('Add an Image');
  await list.enterPath(join(workbench.workspace, name));
}

/** Types the beginning of a file's name after a #, and takes the file with Tab. */
export async function addByName(place: MessagePlace, box: Locator, begun: string, name: string): Promise<void> {
  await box.pressSequentially(`#${begun}`);
  // Without its path, which would say the same again.
  await place.frame.getByRole('option', { name, exact: true }).waitFor();
  await box.press('Tab');
}

export async function dropFromOutside(
  workbench: WorkbenchPage,
  place: MessagePlace,
  name: string,
  bytes: Buffer,
): Promise<void> {
  // Where a file manager's would be: VS Code asks before it opens a file of its folder.
  const outside = join(dirname(workbench.workspace), name);
  await writeFile(outside, bytes);
  await dragFromOutside(workbench, place, outside);
}
