import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { MediaDriver } from './mediaDriver.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('Images and audio files', () => {
  const workbench = useWorkbench();

  it("are offered in Media while it's empty; without a base URL none is generated, and the form says why", async () => {
    const { service } = workbench();
    const gallery = await MediaDriver.openGallery(workbench());
    await gallery.button('Generate Image').click();
    const form = await MediaDriver.inView(workbench(), '.media.studio');
    await workbench().changeSettings({ 'parlance.services': undefined });
    await form.generate({ Model: 'local/image-bytes', Prompt: 'A barn', Size: '64x48' }, 'Generate Image');
    await form.frame.locator('.refusal .problem').getByText('No service connected').waitFor();
    assert.equal(await form.field('Prompt').inputValue(), 'A barn');
    assert.equal(await form.cards.count(), 0);
    await workbench().changeSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
  });

  it("are inserted at the cursor's old position, next to the document, under an unused name", async () => {
    const file = join(workbench().workspace, 'page.md');
    await writeFile(file, 'before\n\na small house\n\nafter\n');
    await workbench().openFile('page.md');
    await workbench().page.locator('.view-line', { hasText: 'a small house' }).click();
    await workbench().page.keyboard.press('Home');
    await workbench().page.keyboard.press('Shift+End');
    for (const name of ['a-small-house.png', 'a-small-house-2.png']) {
      const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate and Insert Image…');
      await form.frame.getByText('The image will be inserted into page.md.').waitFor();
      await form.generate({ Model: 'local/image-bytes', Prompt: 'a small house', Size: '64x48' }, 'Generate Image');
      await waitUntil(name, async () => (await readdir(workbench().workspace)).includes(name));
      // The form stays in front: the user might be typing the next prompt.
      await workbench().told('The image was inserted into page.md.').press('Show');
      await workbench()
        .page.locator('.view-line', { hasText: `(${name})` })
        .waitFor({ timeout: 60_000 });
    }
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate and Insert Image…');
    const place = form.frame.getByText('The image will be inserted into page.md.');
    await place.waitFor();
    await form.button("Don't insert").click();
    await place.waitFor({ state: 'hidden' });
    await workbench().openFile('page.md');
    await workbench().page.keyboard.press('ControlOrMeta+S');
    const text = await waitUntil('the document on disk', async () => {
      const now = await readFile(file, 'utf8');
      return now.includes('house-2') ? now : undefined;
    });
    assert.match(text, /^before\n\na small house.*!\[a small house\]\(a-small-house\.png\).*\n\nafter\n$/s);
    const png = await readFile(join(workbench().workspace, 'a-small-house.png'));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [64, 48]);
  });

  it('with a missing model lead to an existing one, in the form, without sending automatically', async () => {
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Image…');
    const model = form.field('Model');
    await form.generate({ Model: 'local/imag', Prompt: 'A lighthouse', Size: '64x48' }, 'Generate Image');
    const first = form.cards.filter({ hasText: 'A lighthouse' });
    await first.getByRole('button', { name: 'Copy error details' }).click();
    const clipboard = () => workbench().page.evaluate(() => navigator.clipboard.readText());
    await waitUntil('the details on the clipboard', async () =>
      (await clipboard()).startsWith('404 model_not_found · req_'),
    );
    await first.getByRole('button', { name: 'Select Another Model…' }).click();
    const list = new QuickInput(workbench().page);
    await list.opened('Select an Image Model');
    await list.choose('local/image-bytes');
    await waitUntil('the chosen model', async () => (await model.inputValue()) === 'local/image-bytes');

    // The list is loaded now.
    await form.generate({ Model: 'local/imag', Prompt: 'A harbour' }, 'Generate Image');
    const second = form.cards.filter({ hasText: 'A harbour' });
    await second.getByRole('button', { name: 'Use local/image', exact: true }).waitFor();
    const requests = () =>
      workbench()
        .service.log()
        .filter(({ path }) => path.includes('/images/')).length;
    const before = requests();
    await second.getByRole('button', { name: 'Use local/image', exact: true }).click();
    await waitUntil('the offered model', async () => (await model.inputValue()) === 'local/image');
    await form.frame.waitForFunction(() => document.activeElement?.id === 'parlance-media-model');
    assert.equal(await form.field('Prompt').inputValue(), 'A harbour');
    assert.equal(await form.field('Size').inputValue(), '64x48');

    await model.fill('local/imag');
    const gallery = await MediaDriver.openGallery(workbench());
    const same = gallery.cards.filter({ hasText: 'A harbour' });
    await same.getByRole('button', { name: 'Use local/image', exact: true }).click();
    await waitUntil('the model in the form', async () => (await model.inputValue()) === 'local/image');
    assert.equal(requests(), before);
    await form.button('Generate Image').click();
    await form.card('done').filter({ hasText: 'A harbour' }).waitFor({ timeout: 60_000 });
  });

  it('become a separate text, from the Explorer, and subtitles in either format', async () => {
    await writeFile(join(workbench().workspace, 'note.wav'), wavFile({ seconds: 1.5 }));
    const { page } = workbench();
    const explorer = page.locator('.explorer-folders-view');
    const list = new QuickInput(page);
    for (const [known, ending, words] of [
      ['note.wav', 'srt', /^1\n00:00:00,000 --> /],
      ['spoken.srt', 'vtt', /^WEBVTT\n\n1\n00:00:00\.000 --> /],
    ] as const) {
      await workbench().runCommand('View: Show Explorer');
      // The menu of a row closes when the Explorer redraws.
      await explorer.getByText(known).waitFor();
      await chooseFromMenu(page, explorer.getByText('note.wav'), 'Transcribe Audio…');
      await list.opened('Select a Transcription Model');
      await list.choose('local/transcriber-verbose');
      await page.locator('.view-line', { hasText: 'The audio lasts 1.50 s' }).waitFor({ timeout: 60_000 });
      const offer = workbench().told('Save them as subtitles?');
      await offer.press(`Save as .${ending}…`);
      await list.opened('Save Subtitles');
      const file = join(workbench().workspace, `spoken.${ending}`);
      await list.saveAs(new RegExp(`note\\.${ending}$`), file);
      // The file exists, still empty, a moment before its text is in it.
      const written = () => readFile(file, 'utf8').catch(() => '');
      assert.match(await waitUntil('the subtitles', async () => (await written()) || undefined), words);
      await workbench().closeEditor(`spoken.${ending}`);
      await workbench().closeEditor('The audio lasts');
    }
  });
});
