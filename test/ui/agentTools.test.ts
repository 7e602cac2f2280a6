import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { wavFile } from '../unit/service/sampleFiles.ts';
import { projectFolder } from '../workbench/folders.ts';
import { writeToolCaller } from '../workbench/writeToolCaller.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('A tool that costs something', () => {
  const workbench = useWorkbench({
    service: { videoSeconds: 0, tokensPerSecond: Infinity },
    settings: { 'chat.disableAIFeatures': false },
    extension: { kind: 'linked', folder: projectFolder, addTo: writeToolCaller },
  });

  before('the list of models is known', async () => {
    const models = await ModelsDriver.open(workbench());
    await models
      .row(/writer/)
      .first()
      .waitFor({ timeout: 30_000 });
  });

  /** Has the tool called, and gives the question that VS Code asks. */
  async function call(name: string, input: object): Promise<Locator> {
    await workbench().runCommand('Test: Call a Tool');
    const box = new QuickInput(workbench().page).box;
    await box.fill(JSON.stringify({ name, input }));
    await box.press('Enter');
    const dialog = workbench().page.locator('.monaco-dialog-box');
    await dialog.waitFor({ timeout: 20_000 });
    return dialog;
  }

  const answer = (dialog: Locator, button: RegExp) => dialog.getByRole('button', { name: button }).first().click();
  const lastBody = () => workbench().service.log().at(-1)?.requestBody;
  const made = (model: string) =>
    workbench()
      .service.log()
      .filter((entry) => entry.model === model).length;

  it('says the model, where it is, and the price, before anything is sent; a no is a no', async () => {
    const dialog = await call('parlance_generate_video', { prompt: 'A [bridge](command:quit)', duration: 1 });
    const words = await dialog.innerText();
    assert.match(words, /Make a video\?/);
    assert.match(words, /local\\?\/video\S* at (localhost|127\.0\.0\.1):\d+/);
    assert.match(words, /1 seconds: A .*bridge/);
    assert.match(words, /price|cost/i);
    assert.equal(await dialog.locator('a[href^="command"], a[data-href^="command"]').count(), 0);
    assert.equal(made('local/video'), 0);
    await answer(dialog, /cancel|no/i);
    await workbench()
      .notification(/failed:/)
      .first()
      .waitFor({ timeout: 20_000 });
    assert.equal(made('local/video'), 0);
  });

  it('makes a video when it may, with the fields of the schema alone', async () => {
    const input = { prompt: 'A bridge', duration: 1, resolution: '120p', made_up: 'field' };
    await answer(await call('parlance_generate_video', input), /allow|yes|ok|continue|run/i);
    await workbench()
      .notification(/gave: Video made with local\/video: http/)
      .waitFor({ timeout: 20_000 });
    assert.deepEqual(lastBody(), { prompt: 'A bridge', duration: 1, resolution: '120p', model: 'local/video' });
  });

  it('makes an image, and keeps one that comes as bytes', async () => {
    const input = { prompt: 'A house', model: 'local/image-bytes', width: 32 };
    await answer(await call('parlance_generate_image', input), /allow|yes|ok|continue|run/i);
    await workbench()
      .notification(/gave: Image made with local\/image-bytes: \/.*\.png image\/png/)
      .waitFor({ timeout: 20_000 });
  });

  it('transcribes a recording of the folder', async () => {
    await writeFile(join(workbench().workspace, 'note.wav'), wavFile({ seconds: 2 }));
    const dialog = await call('parlance_transcribe_audio', { path: 'note.wav' });
    assert.match(await dialog.innerText(), /note\.wav, \d+ kB/);
    await answer(dialog, /allow|yes|ok|continue|run/i);
    await workbench()
      .notification(/gave: .*lasts 2\.00 s/)
      .waitFor({ timeout: 20_000 });
  });

  it('says what to do where the service refuses', async () => {
    await answer(
      await call('parlance_generate_image', { prompt: 'A house', model: 'local/none' }),
      /allow|yes|ok|continue|run/i,
    );
    await waitUntil('the words of the failure', async () =>
      /failed: .*model/i.test(
        await workbench()
          .notification(/failed: /)
          .first()
          .innerText(),
      ),
    );
  });
});
