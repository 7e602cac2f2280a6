import assert from 'node:assert/strict';
import { hostilePrompts } from '../hostile/hostileFolder.ts';
import { answeringModel, type HostileService, startHostileService } from '../hostile/hostileService.ts';
import { liveSigns, watchLiveSigns } from '../hostile/liveSigns.ts';
import { placesOfFolder, placesOfService } from '../hostile/shownPlaces.ts';
import { SmallDisk } from '../hostile/smallDisk.ts';
import { ChatDriver } from './chatDriver.ts';
import { KeptWorkbench } from './keptWorkbench.ts';
import { watchWorkbench } from './useWorkbench.ts';

// A sample, in one workbench, of what test/hostile/ tests in full: `npm test -- --only hostile`.
describe('In the real workbench', () => {
  let kept: KeptWorkbench;
  let service: HostileService;
  let disk: SmallDisk | string = '';

  before('open the workbench', async function () {
    this.timeout(180_000);
    service = await startHostileService();
    kept = await KeptWorkbench.prepare({
      settings: { 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': answeringModel },
      files: () => (process.platform === 'win32' ? {} : hostilePrompts()),
      prepareStorage: async (folder, cleanup) => {
        disk = await SmallDisk.mount(folder, 8);
        if (disk instanceof SmallDisk) cleanup.use(disk);
      },
    });
    await watchLiveSigns(await kept.start());
  });
  watchWorkbench(() => kept);
  after('close the workbench', async () => {
    await kept[Symbol.asyncDispose]();
    await service.close();
  });

  it('hostile text from a service and a folder stays plain text', async function () {
    await placesOfService['the list to pick a model from, and the status bar']?.(kept.page);
    await kept.page.changeSettings({ 'parlance.chat.model': answeringModel });
    await placesOfService['a reply, with its end and the model that it names']?.(kept.page);
    if (process.platform !== 'win32') await placesOfFolder['the list of prompts']?.(kept.page);
    assert.deepEqual(await liveSigns(kept.page), []);
  });

  it("a conversation shows that it isn't saved as long as the disk is full", async function () {
    // It needs the right to mount a small disk.
    if (!(disk instanceof SmallDisk)) this.skip();
    const chat = await ChatDriver.open(kept.page);
    await chat.startAnew();
    await disk.fill();
    await chat.ask('Where is this kept?');
    const card = chat.frame.locator('.unsaved .problem', { hasText: "This conversation isn't saved" });
    await card.waitFor({ timeout: 60_000 });
    await chat.ask('And this?');
    assert.equal(await card.count(), 1);
    // A note above the message box would say the same again.
    assert.equal(await kept.page.told(/Couldn't save a conversation/).isShown(), false);
    await disk.makeRoom();
    await card.waitFor({ state: 'detached', timeout: 60_000 });
  });
});
