import assert from 'node:assert/strict';
import { projectFolder } from '../workbench/folders.ts';
import { writeToolCaller } from '../workbench/writeToolCaller.ts';
import { answerDialog, modalDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';

// In the host suite VS Code answers such confirmations itself: here a user does.
describe('A tool that costs money', () => {
  const workbench = useWorkbench({
    service: { videoSeconds: 0, tokensPerSecond: Infinity },
    settings: { 'chat.disableAIFeatures': false },
    extension: { kind: 'linked', folder: projectFolder, addTo: writeToolCaller },
  });
  const host = () => new URL(workbench().service.baseUrl).host;
  const made = (model: string) =>
    workbench()
      .service.log()
      .filter((entry) => entry.model === model).length;

  async function call(name: string, input: object): Promise<void> {
    await workbench().runCommand('Test: Call a Tool');
    const box = new QuickInput(workbench().page);
    await box.opened('Call a Tool');
    await box.enter(JSON.stringify({ name, input }));
  }

  before('start Parlance', () => workbench().runCommand('Parlance: Refresh Models'));

  it('shows the model, its host, and its price before anything is sent, and respects a refusal', async () => {
    await call('parlance_generate_video', { prompt: 'A [bridge](command:quit)', duration: 1 });
    const dialog = modalDialog(workbench().page, 'Generate a video?');
    await dialog.waitFor({ timeout: 60_000 });
    assert.equal(await dialog.locator('a:is([href], [data-href])').count(), 0);
    const words = await answerDialog(workbench().page, 'Generate a video?', 'Cancel');
    assert.ok(words.includes(`Model: local/video at ${host()}`), words);
    assert.match(words, /\b1 s\b/);
    assert.ok(words.includes('A [bridge](command:quit)'), words);
    assert.match(words, /≈ 0\.06 at list price/);
    assert.match(words, /List price: 0\.05 per request, 0\.01 per second\. Your account with the service is charged\./);
    await workbench().notification('failed:').waitFor({ timeout: 60_000 });
    assert.equal(made('local/video'), 0);
  });

  it('is used once the user agrees', async () => {
    await call('parlance_generate_image', { prompt: 'A house', model: 'local/image-bytes', width: 32, height: 32 });
    const words = await answerDialog(workbench().page, 'Generate an image?', 'Yes');
    assert.ok(words.includes(`Model: local/image-bytes at ${host()}`), words);
    await workbench()
      .notification(/gave: Image made with local\/image-bytes: \/.*\.png/)
      .waitFor({ timeout: 60_000 });
    assert.equal(made('local/image-bytes'), 1);
  });

  it("isn't confirmed if it's free", async () => {
    await call('parlance_list_models', { kind: 'video' });
    await workbench()
      .notification(/gave: \d+ models/)
      .waitFor({ timeout: 60_000 });
  });
});
