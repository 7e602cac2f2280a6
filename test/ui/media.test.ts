import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormValues } from '../../src/shared/media.ts';
import { FormMemory } from '../../src/vscode/media/formMemory.ts';
import type { LogEntry } from '../service/inferenceLog.ts';
import { MediaDriver, playFilm } from './mediaDriver.ts';
import { samplePicture } from './page/samplePicture.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

/** A small video, so that it's generated at once. */
const small = { 'Duration in seconds': '2', Resolution: '120p' };

describe('The form for videos', () => {
  const workbench = useWorkbench({ service: { videoSeconds: 2 } });
  let form: MediaDriver;

  /** What the form in a second window on the same machine does. */
  async function saveInAnotherWindow(name: string, values: FormValues): Promise<void> {
    const storage = join(workbench().server.dataFolder, 'data', 'User', 'globalStorage', 'parlance.parlance');
    const memory = new FormMemory(
      join(storage, 'media', 'forms.json'),
      ({ kind }) => assert.fail(kind),
      assert.ifError,
    );
    await memory.savePreset('video', name, values);
    memory.dispose();
  }

  function lastRequest(): Readonly<Record<string, unknown>> {
    const entry = workbench()
      .service.log()
      .findLast(({ path }) => path.endsWith('/videos/generations'));
    return entry?.requestBody as Readonly<Record<string, unknown>>;
  }

  it('sends the selection as the prompt and no empty field, shows the time, and plays the video', async () => {
    await workbench().openFile('README.md');
    await workbench().page.locator('.editor-instance .view-line').first().click();
    await workbench().page.keyboard.press('ControlOrMeta+Home');
    await workbench().page.keyboard.press('Shift+End');
    form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    const heading = (await readFile(join(workbench().workspace, 'README.md'), 'utf8')).split('\n', 1)[0]?.trim();
    await waitUntil('the selection as the prompt', async () => (await form.field('Prompt').inputValue()) === heading);

    await form.button('Select a model').click();
    const list = new QuickInput(workbench().page);
    await list.opened('Select a Video Model');
    await list.choose('local/video');
    await waitUntil('the model', async () => (await form.field('Model').inputValue()) === 'local/video');
    const { service } = workbench();
    service.holdVideos(true);
    await form.generate(small);
    const running = form.card('running');
    await running.locator('.elapsed', { hasText: /^[1-9]\d* s$/ }).waitFor();
    await running.getByText('cost ≈ 0.07').waitFor();
    service.holdVideos(false);
    await form.card('done').waitFor({ timeout: 60_000 });
    assert.deepEqual(lastRequest(), { model: 'local/video', prompt: heading, duration: 2, resolution: '120p' });
    const seconds = await playFilm(form.card('done'));
    assert.ok(Math.abs(seconds - 2) < 0.2, String(seconds));
  });

  it('shows which field overrides which, and marks an error next to its field', async () => {
    await form.field('Image to start from').fill('not an address');
    await form.frame.getByText('Set by the image').waitFor();
    const before = workbench().service.asked().length;
    await form.generate({ 'Frames per second': 'many' });
    await form.frame.getByText('A whole number, 1 or more').waitFor();
    await form.frame.getByText('A URL that starts with https://, or a file').waitFor();
    assert.equal(workbench().service.asked().length, before);
    await form.field('Image to start from').fill('');
    await form.field('Frames per second').fill('');
  });

  it('marks the field that the service rejects, leads back to it, and sends the changed value', async () => {
    const duration = form.field('Duration in seconds');
    await form.generate({ Prompt: 'Far too long', 'Duration in seconds': '99' });
    const card = form.cards.filter({ hasText: 'Far too long' });
    await form.frame.locator('[aria-invalid=true]').and(duration).waitFor({ timeout: 60_000 });
    await waitUntil('the focus on the field', () => duration.evaluate((box) => box === document.activeElement));
    // The value typed since then is different.
    await duration.fill('');
    assert.equal(await duration.getAttribute('placeholder'), '5 s by default');
    await card.getByRole('button', { name: 'Change Duration' }).click();
    await waitUntil('the value that was rejected', async () => (await duration.inputValue()) === '99');
    await form.frame.locator('[aria-invalid=true]').and(duration).waitFor();
    await duration.fill('2');
    await form.button('Generate Video').click();
    await waitUntil('the changed request', () => lastRequest()['duration'] === 2);
    await card.and(form.frame.locator('[data-state=done]')).waitFor({ timeout: 60_000 });
  });

  it('shows the size of a local file, and sends the file as a data: URL', async () => {
    const picture = await samplePicture(96, 64);
    const path = join(workbench().workspace, 'start.png');
    await writeFile(path, picture);
    await form.button('Image to start from: browse…').click();
    const dialog = new QuickInput(workbench().page);
    await dialog.opened('Select an Image');
    await dialog.enterPath(path);
    await form.frame.locator('.file-chip', { hasText: 'start.png' }).getByText('KB in the request').waitFor();
    // A copy was kept: the file itself can be deleted.
    await rm(path);
    await form.generate({ Prompt: 'From a picture' });
    await form.cards.filter({ hasText: 'From a picture' }).locator('video').waitFor({ timeout: 60_000 });
    assert.equal(lastRequest()['image'], `data:image/png;base64,${picture.toString('base64')}`);
    await form.button('Remove start.png').click();
  });

  it('generates a draft first, then the final version with the same values', async () => {
    await form.field('Draft').selectOption('on');
    await form.generate({ Prompt: 'A red kite' });
    const draft = form.card('done').filter({ hasText: 'A red kite' });
    await draft.waitFor({ timeout: 60_000 });
    assert.equal(lastRequest()['draft'], true);
    await draft.getByRole('button', { name: 'Generate Final Version' }).click();
    await waitUntil('the request of the final one', () => lastRequest()['draft'] === undefined);
    assert.deepEqual(lastRequest(), { duration: 2, resolution: '120p', model: 'local/video', prompt: 'A red kite' });
    await form.field('Draft').selectOption('');
    const both = form.frame.locator('.card[data-state=done]').filter({ hasText: 'A red kite' });
    await waitUntil('two that are done', async () => (await both.count()) === 2);
  });

  it('copies the link of a video, saves it, inserts it, runs it again, and reuses its settings, from its card', async () => {
    const { page, service, workspace } = workbench();
    await writeFile(join(workspace, 'film.md'), 'A film\n');
    await workbench().openFile('film.md');
    form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    const card = form.cards.filter({ hasText: 'From a picture' });
    const press = (name: string) => card.getByRole('button', { name, exact: true }).click();
    await press('Copy Link');
    await waitUntil('the link on the clipboard', async () =>
      (await page.evaluate(() => navigator.clipboard.readText())).startsWith('http'),
    );
    const dialog = new QuickInput(page);
    await press('Save a Copy…');
    await dialog.opened('Save a Copy');
    await dialog.saveAs(/\.webm$/, join(workspace, 'saved.webm'));
    await workbench().told('Saved saved.webm.').dismiss();
    // In a browser, no program of the user's can open a file of the server.
    await press('Open Outside VS Code');
    await workbench().told('This file is on the remote machine').press('Save a Copy…');
    await dialog.opened('Save a Copy');
    await dialog.dismiss();

    const generations = () => service.log().filter(({ path }) => path.endsWith('/videos/generations')).length;
    const before = generations();
    await press('Run again (charged again)');
    await waitUntil('the same request again', () => generations() > before);
    assert.equal(lastRequest()['prompt'], 'From a picture');
    await waitUntil('two that are done', async () => (await card.locator('video').count()) === 2);
    await form.field('Prompt').fill('Something else');
    await card.first().getByRole('button', { name: 'Reuse these settings' }).click();
    await waitUntil('the prompt again', async () => (await form.field('Prompt').inputValue()) === 'From a picture');
    await form.button('Remove start.png').click();
    await card.first().getByRole('button', { name: 'Insert at Cursor' }).click();
    await page.locator('.view-line', { hasText: 'from-a-picture.webm' }).waitFor({ timeout: 60_000 });
    await workbench().runCommand('File: Save');
    form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
  });

  it('runs several at once and stops one, and shows what that means for the bill', async () => {
    const { service } = workbench();
    service.holdVideos(true);
    const isSecond = ({ requestBody }: LogEntry) =>
      (requestBody as { readonly prompt?: string } | undefined)?.prompt === 'Slow two';
    await form.generate({ Model: 'local/video', Prompt: 'Slow one' });
    await form.generate({ Model: 'local/video', Prompt: 'Slow two' });
    const second = form.cards.filter({ hasText: 'Slow two' });
    await second.locator('.elapsed').waitFor();
    assert.equal(await form.frame.locator('.card[data-state=running]').count(), 2);
    // Stopped earlier, it might not have been sent, which the card would say instead.
    await service.waitForEntry(isSecond);
    await second.getByRole('button', { name: 'Stop' }).click();
    await second.getByText('so the service might have continued').waitFor();
    await service.waitForEntry((entry) => isSecond(entry) && entry.outcome === 'canceled');
    await form.cards.filter({ hasText: 'Slow one' }).getByRole('button', { name: 'Stop' }).click();
    service.holdVideos(false);
  });

  it('reports a finished video to a user who looks elsewhere, and leads to it', async () => {
    const { service } = workbench();
    // Not before the user looks elsewhere.
    service.holdVideos(true);
    await form.generate({ Model: 'local/video', Prompt: 'Out of sight' });
    await form.cards.filter({ hasText: 'Out of sight' }).locator('.elapsed').waitFor();
    await workbench().openFile('README.md');
    await workbench().settle();
    service.holdVideos(false);
    const notice = workbench().told('The video is ready: Out of sight');
    await notice.shown();
    await notice.press('Show');
    const gallery = await MediaDriver.inView(workbench(), '.media:not(.studio)');
    await playFilm(gallery.cards.filter({ hasText: 'Out of sight' }));
    form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
  });

  it('has the focus in its prompt again when its tab is selected', async () => {
    const { page } = workbench();
    await workbench().openFile('README.md');
    await page.getByRole('tab', { name: 'Generate Video' }).click();
    form = await MediaDriver.inView(workbench(), '.media.studio');
    await waitUntil('the focus in the prompt', () =>
      form.field('Prompt').evaluate((box) => document.hasFocus() && box === document.activeElement),
    );
  });

  it('shows each failure with the next step, keeps the parameters, and never sends automatically', async () => {
    const cases = [
      ['local/error-402', 'failed', 'credits'],
      ['local/error-404', 'failed', 'local/error-404'],
      ['local/fault-reset', 'unknown', 'Might have been generated'],
      ['local/video-job', 'unknown', 'Might have been generated'],
      ['local/video-link-410', 'done', 'The link no longer works'],
      ['local/video-link-portal', 'done', 'Not an image or a video'],
    ] as const;
    for (const [model, state, words] of cases) {
      const before = workbench()
        .service.log()
        .filter((entry) => entry.model === model).length;
      await form.generate({ Model: model, Prompt: `Try ${model}` });
      const card = form.cards.filter({ hasText: `Try ${model}` });
      await card.and(form.frame.locator(`[data-state=${state}]`)).waitFor({ timeout: 60_000 });
      await card.getByText(words).first().waitFor();
      await card.getByText('Details').click();
      await card.locator('dd', { hasText: '120p' }).waitFor();
      assert.equal(
        workbench()
          .service.log()
          .filter((entry) => entry.model === model).length,
        before + 1,
        model,
      );
    }
    const gone = form.cards.filter({ hasText: 'Try local/video-link-410' });
    const downloads = () =>
      workbench()
        .service.log()
        .filter(({ kind }) => kind === 'file').length;
    const downloaded = downloads();
    await gone.getByRole('button', { name: 'Download Again' }).click();
    await waitUntil('another attempt', () => downloads() > downloaded);
    await gone.getByText('The link no longer works').first().waitFor();
  });

  it('has its last values and a preset after a reload, and marks a run whose window closed as unknown', async () => {
    await form.field('Aspect ratio').fill('1:1');
    await form.button('Save as Preset…').click();
    const box = new QuickInput(workbench().page);
    await box.opened('Save Preset');
    await box.enter('Square');
    await box.closed();
    await form.field('Presets').waitFor();
    await saveInAnotherWindow('Wide', { texts: { aspectRatio: '21:9' }, inputs: {} });
    await form.field('Presets').locator('option', { hasText: 'Wide' }).waitFor({ state: 'attached' });
    await form.field('Aspect ratio').fill('4:3');
    workbench().service.holdVideos(true);
    await form.generate({ Model: 'local/video', Prompt: 'Cut off' });
    await form.cards.filter({ hasText: 'Cut off' }).locator('.elapsed').waitFor();
    // The time starts before the request arrives at the service.
    await workbench().service.waitForEntry(({ requestBody }) => Object(requestBody).prompt === 'Cut off', 60_000);
    const before = workbench().service.asked().length;
    await workbench().reload();
    workbench().service.holdVideos(false);

    form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    const cut = form.cards.filter({ hasText: 'Cut off' });
    await cut.and(form.frame.locator('[data-state=unknown]')).waitFor({ timeout: 60_000 });
    await cut.getByText('Parlance never resends it automatically').waitFor();
    await cut.getByText('Details').click();
    await cut.locator('dd', { hasText: '4:3' }).waitFor();
    assert.equal(await form.field('Prompt').inputValue(), 'Cut off');
    assert.equal(await form.field('Aspect ratio').inputValue(), '4:3');
    await form.field('Presets').selectOption('Square');
    await waitUntil('the preset', async () => (await form.field('Aspect ratio').inputValue()) === '1:1');
    assert.equal(await form.field('Prompt').inputValue(), 'Cut off');
    assert.equal(workbench().service.asked().length, before);
    await form.button('Delete this preset').click();
    await form.field('Presets').locator('option', { hasText: 'Square' }).waitFor({ state: 'detached' });
    await form.field('Presets').selectOption('Wide');
    await waitUntil(
      "the other window's preset",
      async () => (await form.field('Aspect ratio').inputValue()) === '21:9',
    );
    await form.button('Delete this preset').click();
    await form.field('Presets').waitFor({ state: 'hidden' });
  });

  it('lists everything in Media, plays it there, and restores what was deleted', async () => {
    const gallery = await MediaDriver.openGallery(workbench());
    const first = gallery.cards.filter({ hasText: 'A red kite' }).first();
    await first.scrollIntoViewIfNeeded();
    await playFilm(first);
    const card = gallery.frame.locator(`[data-id="${await first.getAttribute('data-id')}"]`);
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.waitFor({ state: 'detached' });
    await gallery.button('Undo').click();
    await card.waitFor();
  });
});
