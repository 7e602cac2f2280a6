import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInferenceService } from '../service/inferenceService.ts';
import { findBrowser, launchBrowser } from '../workbench/browser.ts';
import { cacheFolder, projectFolder } from '../workbench/folders.ts';
import { HostDriver } from '../workbench/hostDriver.ts';
import { writeSampleWorkspace } from '../workbench/sampleWorkspace.ts';
import { installServer } from '../workbench/serverInstall.ts';
import { startVsCodeServer } from '../workbench/vscodeServer.ts';
import { ChatDriver } from './chatDriver.ts';
import { findTraces } from './findTraces.ts';
import { MediaDriver, playFilm } from './mediaDriver.ts';
import { QuickInput } from './quickInput.ts';
import { waitUntil } from './waitUntil.ts';
import { WorkbenchPage } from './workbenchPage.ts';

describe('VS Code that is closed and started again', () => {
  const cleanup = new AsyncDisposableStack();

  after('remove what was made', () => cleanup.disposeAsync());

  it('has its conversations with their words and figures, the text that was not sent, and its films', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-restart-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    const workspace = join(folder, 'workspace');
    await writeSampleWorkspace(workspace);
    const service = await startInferenceService({ tokensPerSecond: 400, videoSeconds: 0 });
    cleanup.defer(() => service.close());
    const serverFolder = await installServer(cacheFolder, console.log);
    const browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
    cleanup.defer(() => browser.close());

    // Each with a browser profile of its own: what comes back comes from the disk.
    const start = async (): Promise<{ workbench: WorkbenchPage; close: () => Promise<void> }> => {
      const driver = await HostDriver.start();
      const server = await startVsCodeServer({
        serverFolder,
        driverPort: driver.port,
        extension: { kind: 'linked', folder: projectFolder },
        dataFolder: join(folder, 'data'),
        settings: {
          'chat.disableAIFeatures': true,
          'parlance.service.baseUrl': service.baseUrl,
          'parlance.chat.model': 'local/writer',
        },
        env: { SERVICE_API_KEY: service.apiKey, SERVICE_API_KEY_ORIGINS: service.origin },
      });
      cleanup.defer(() => server.close());
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const workbench = new WorkbenchPage(await context.newPage(), { server, driver, service, workspace });
      await workbench.open();
      return {
        workbench,
        close: async () => {
          await context.close();
          await server.close();
          await driver.close();
        },
      };
    };

    const first = await start();
    const chat = await ChatDriver.open(first.workbench);
    await chat.ask('Write 60 tokens about memory');
    await chat.box.fill('Not sent yet');
    const shown = await chat.lastReply.innerText();
    await waitUntil(
      'the draft on disk',
      async () => (await findTraces(join(folder, 'data'), 'Not sent yet')).length > 0,
    );
    const form = await MediaDriver.openForm(first.workbench, 'Parlance: Generate Video…');
    await form.generate({
      Model: 'local/video',
      Prompt: 'A paper boat',
      'Duration in seconds': '2',
      Resolution: '120p',
    });
    await form.card('done').locator('video').waitFor({ timeout: 40_000 });
    await first.close();

    const second = await start();
    const again = await ChatDriver.open(second.workbench);
    await second.workbench.runCommand('Parlance: Show Conversations');
    const list = new QuickInput(second.workbench.page);
    await list.row(/^Write 60 tokens about memory/).click();
    await again.ended(0);
    assert.equal(await again.lastReply.innerText(), shown);
    assert.equal(await again.box.inputValue(), 'Not sent yet');
    await again.ask('And 20 more');
    assert.equal(Object(service.asked().at(-1)?.requestBody).messages.length, 3);
    const asked = () => service.log().filter(({ path }) => !path.endsWith('/models')).length;
    const before = asked();
    const gallery = await MediaDriver.openGallery(second.workbench);
    await playFilm(gallery.cards.filter({ hasText: 'A paper boat' }));
    assert.equal(asked(), before);
    await second.close();
  }).timeout(180_000);
});
