import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEntry } from '../service/inferenceLog.ts';
import { addByName, addImageByDialog, dropFromOutside } from './addImage.ts';
import { ChatDriver } from './chatDriver.ts';
import { dragFromExplorer } from './dragFromExplorer.ts';
import { pasteImage } from './filesOnPage.ts';
import { samplePicture } from './page/samplePicture.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

/**
 * From the click to the bytes at the service's socket: each way has its own code on the page, in VS Code, and in the
 * host.
 */
describe('An image in a message', () => {
  const workbench = useWorkbench({ settings: { 'parlance.chat.model': 'local/vision' } });
  let image: Buffer;
  let chat: ChatDriver;

  before('put an image in the folder and open the chat', async function () {
    image = await samplePicture(60, 40);
    await writeFile(join(workbench().workspace, 'disc.png'), image);
    chat = await ChatDriver.open(workbench());
  });

  beforeEach('start a conversation', async () => {
    chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
  });

  it('is selected in a file dialog', async () => {
    await addImageByDialog(workbench(), chat, 'disc.png');
    await arrivesAtTheService('disc.png', 'chosen');
  });

  it('is selected in a file dialog, with only the keyboard, after a #', async () => {
    await chat.box.pressSequentially('#ima');
    await chat.frame.getByRole('option', { name: 'Image…' }).waitFor();
    await chat.box.press('Tab');
    const list = new QuickInput(workbench().page);
    await list.opened('Add an Image');
    await list.enterPath(join(workbench().workspace, 'disc.png'));
    await arrivesAtTheService('disc.png', 'typed');
  });

  it('is a file in the folder, by its name after a #', async () => {
    await addByName(chat, chat.box, 'disc', 'disc.png');
    await arrivesAtTheService('disc.png', 'named');
  });

  // Before the Explorer's: the test's own drag ends without telling VS Code, which then protects the page from the next.
  it('is dropped from outside VS Code, without Shift', async () => {
    await dropFromOutside(workbench(), chat, 'outside.png', image);
    await arrivesAtTheService('outside.png', 'from outside');
  });

  it('is dropped from the Explorer', async () => {
    await dragFromExplorer(workbench(), chat, 'disc.png');
    await arrivesAtTheService('disc.png', 'dropped');
  });

  it('is pasted', async () => {
    await pasteImage(chat.box, image, 'pasted.png');
    await arrivesAtTheService('pasted.png', 'pasted');
  });

  /** Sends it, and finds its bytes in the body that the service received. */
  async function arrivesAtTheService(name: string, words: string): Promise<void> {
    await chat.frame.locator('.composer .chip:not(.pending)', { hasText: name }).waitFor({ timeout: 60_000 });
    await chat.ask(`What is this? ${words}`);
    const entry = await waitUntil('the request', () => workbench().service.asked().findLast(hasWords(words)));
    const found = /"data:image\/png;base64,([^"]+)"/.exec(JSON.stringify(entry.requestBody))?.[1] ?? '';
    assert.ok(Buffer.from(found, 'base64').equals(image));
  }
});

function hasWords(words: string): (entry: LogEntry) => boolean {
  return ({ requestBody }) => JSON.stringify(requestBody ?? '').includes(`What is this? ${words}"`);
}
