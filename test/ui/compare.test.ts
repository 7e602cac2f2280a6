import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { LogEntry } from '../service/inferenceLog.ts';
import { addByName, addImageByDialog, dropFromOutside } from './addImage.ts';
import { besideAFile, useCodeButtons, withCodeAndLink } from './codeButtons.ts';
import { CompareDriver } from './compareDriver.ts';
import { dragFromExplorer } from './dragFromExplorer.ts';
import { dropText, pasteImage } from './filesOnPage.ts';
import { samplePicture } from './page/samplePicture.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const seeing = ['local/vision', 'harbor/quill-vision-11b'];
const repeating = ['local/echo', 'local/small'];

/** Its message box and its replies are those of the chat, but each message goes through a page and a host of its own. */
describe('A comparison', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 2000 },
    settings: { 'files.insertFinalNewline': false },
  });
  let image: Buffer;
  let compare: CompareDriver;

  before('put an image in the folder', async () => {
    image = await samplePicture(60, 40);
    await writeFile(join(workbench().workspace, 'disc.png'), image);
  });

  describe('of models that see', () => {
    beforeEach('open one', async () => {
      await workbench().runCommand('View: Close All Editors');
      compare = await CompareDriver.open(workbench(), seeing);
    });

    it('sends an image from the file dialog to each', async () => {
      await addImageByDialog(workbench(), compare, 'disc.png');
      await arrivesAtBoth('disc.png', 'chosen');
    });

    it('sends a file by its name after a # to each', async () => {
      await addByName(compare, compare.message, 'disc', 'disc.png');
      await arrivesAtBoth('disc.png', 'named');
    });

    // Before the Explorer's, as in a chat.
    it('sends an image dropped from outside VS Code to each', async () => {
      await dropFromOutside(workbench(), compare, 'outside.png', image);
      await arrivesAtBoth('outside.png', 'from outside');
    });

    it('sends an image dropped from the Explorer to each', async () => {
      await dragFromExplorer(workbench(), compare, 'disc.png');
      await arrivesAtBoth('disc.png', 'dropped');
    });

    it('sends a pasted image to each', async () => {
      await pasteImage(compare.message, image, 'pasted.png');
      await arrivesAtBoth('pasted.png', 'pasted');
    });
  });

  describe('of models that repeat', () => {
    beforeEach('open one', async () => {
      await workbench().runCommand('View: Close All Editors');
      compare = await CompareDriver.open(workbench(), repeating);
    });

    it('adds a dropped text, opens it read-only, and removes it', async () => {
      await dropText(compare.message, 'note.txt', 'from the desktop');
      await chip('note.txt').getByRole('button').first().click();
      await workbench().page.locator('.editor-instance', { hasText: 'from the desktop' }).waitFor({ timeout: 60_000 });
      await workbench().closeEditor('note.txt');
      compare = await CompareDriver.inView(workbench());
      await chip('note.txt')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await chip('note.txt').waitFor({ state: 'detached' });
      await compare.send('Without the note');
      assert.deepEqual(
        await bodies('Without the note'),
        repeating.map((model) => bodyOf(model, 'Without the note')),
      );
    });

    it("says why a file can't be added", async () => {
      await writeFile(join(workbench().workspace, 'words.png'), 'not an image');
      await dragFromExplorer(workbench(), compare, 'words.png');
      await refusal().getByText('"words.png" isn\'t a supported image').waitFor({ timeout: 60_000 });
    });

    it("doesn't send an image to models that can't see, says why, and keeps the message", async () => {
      await pasteImage(compare.message, image, 'pasted.png');
      await chip('pasted.png').waitFor({ timeout: 60_000 });
      const before = workbench().service.asked().length;
      await compare.send('Can you see it?');
      await refusal().waitFor();
      assert.equal(await compare.message.inputValue(), 'Can you see it?');
      assert.equal(workbench().service.asked().length, before);
    });

    it('sends its parameters to each', async () => {
      await compare.frame.getByRole('button', { name: 'Parameters', exact: true }).click();
      const panel = compare.frame.locator('#parlance-parameters');
      await panel.getByLabel('System prompt').fill('Be brief.');
      await panel.getByLabel('Temperature').fill('0.3');
      await panel.getByRole('button', { name: 'Close' }).click();
      await compare.send('With parameters');
      assert.deepEqual(
        await bodies('With parameters'),
        repeating.map((model) => ({
          ...bodyOf(model, 'With parameters'),
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'With parameters' },
          ],
          temperature: 0.3,
        })),
      );
    });

    it('has code that is copied, inserted, opened, and compared, and links that VS Code asks about', async () => {
      const file = await besideAFile(workbench());
      compare = await CompareDriver.open(workbench(), repeating);
      await compare.send(withCodeAndLink);
      await compare.column('local/echo').locator('.reply[data-state=done]').waitFor({ timeout: 60_000 });
      await useCodeButtons(workbench(), file, async () => {
        compare = await CompareDriver.inView(workbench());
        return compare.column('local/echo').locator('.answer');
      });
    });
  });

  it('has the details of an error to copy, and the next step', async () => {
    await workbench().runCommand('View: Close All Editors');
    compare = await CompareDriver.open(workbench(), ['local/echo', 'local/missing']);
    await compare.send('Is it there?');
    const card = compare.column('local/missing').locator('.problem');
    await card.getByRole('button', { name: 'Copy error details' }).click();
    await waitUntil('the details on the clipboard', async () => (await clipboard()).startsWith('404 model_not_found'));
    await card.getByRole('button', { name: 'Select Another Model…' }).click();
    await compare.choose('local/writer');
    await compare.column('local/writer').waitFor();
  });

  /** Screen readers are told its title too, elsewhere on the page. */
  function refusal(): Locator {
    return compare.frame.locator('.refusal .problem');
  }

  function clipboard(): Promise<string> {
    return workbench().page.evaluate(() => navigator.clipboard.readText());
  }

  function chip(name: string): Locator {
    return compare.frame.locator('.composer .chip:not(.pending):not(.suggested)', { hasText: name });
  }

  function bodyOf(model: string, content: string) {
    return { model, messages: [{ role: 'user', content }], stream: true };
  }

  /** What the service received of a message for both models, in their order: either request can arrive first. */
  async function bodies(words: string): Promise<readonly unknown[]> {
    const entries = await asked(words);
    return repeating.map((name) => entries.find(({ model }) => model === name)?.requestBody);
  }

  async function asked(words: string): Promise<readonly LogEntry[]> {
    const has = ({ requestBody }: LogEntry): boolean => JSON.stringify(requestBody ?? '').includes(words);
    const entries = await waitUntil('both requests', () => {
      const found = workbench().service.asked().filter(has);
      return found.length === 2 ? found : undefined;
    });
    await compare.button('Send').waitFor({ timeout: 60_000 });
    return entries;
  }

  /** Sends it, and finds its bytes in both bodies that the service received. */
  async function arrivesAtBoth(name: string, words: string): Promise<void> {
    await chip(name).waitFor({ timeout: 60_000 });
    await compare.send(`What is this? ${words}`);
    for (const { requestBody } of await asked(`What is this? ${words}`)) {
      const found = /"data:image\/png;base64,([^"]+)"/.exec(JSON.stringify(requestBody))?.[1] ?? '';
      assert.ok(Buffer.from(found, 'base64').equals(image));
    }
  }
});
