import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { findTraces } from './findTraces.ts';
import { KeptWorkbench } from './keptWorkbench.ts';
import { MediaDriver, playFilm } from './mediaDriver.ts';
import { QuickInput } from './quickInput.ts';
import { watchWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('VS Code that is closed and started again', () => {
  let kept: KeptWorkbench | undefined;

  watchWorkbench(() => kept);
  after('delete what was created', () => kept?.[Symbol.asyncDispose]());

  it('restores its conversations with their text and figures, the unsent text, and its videos', async () => {
    const prepared = await KeptWorkbench.prepare({ service: { tokensPerSecond: 400, videoSeconds: 0 } });
    kept = prepared;
    const { service } = prepared;
    const first = await prepared.start();
    const chat = await ChatDriver.open(first);
    await chat.ask('Write 60 tokens about memory');
    await chat.box.fill('Not sent yet');
    const shown = await chat.lastReply.innerText();
    await waitUntil('the draft on disk', async () => (await findTraces(prepared.storage, 'Not sent yet')).length > 0);
    const form = await MediaDriver.openForm(first, 'Parlance: Generate Video…');
    await form.generate({
      Model: 'local/video',
      Prompt: 'A paper boat',
      'Duration in seconds': '2',
      Resolution: '120p',
    });
    await form.card('done').locator('video').waitFor({ timeout: 60_000 });

    const second = await prepared.start();
    const again = await ChatDriver.open(second);
    await second.runCommand('Parlance: Show Conversations');
    const list = new QuickInput(second.page);
    await list.choose(/^Write 60 tokens about memory/);
    await again.ended(0);
    // Its text is drawn in the frame after its figures.
    await waitUntil('the same reply', async () => (await again.lastReply.innerText()) === shown);
    assert.equal(await again.box.inputValue(), 'Not sent yet');
    await again.ask('And 20 more');
    assert.equal(Object(service.asked().at(-1)?.requestBody).messages.length, 3);
    const asked = () => service.log().filter(({ path }) => !path.endsWith('/models')).length;
    const before = asked();
    const gallery = await MediaDriver.openGallery(second);
    await playFilm(gallery.cards.filter({ hasText: 'A paper boat' }));
    assert.equal(asked(), before);
  }).timeout(300_000);
});
