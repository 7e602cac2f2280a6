import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { useWorkbench } from '../ui/useWorkbench.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import { canaryCommand } from '../workbench/writeDriverExtension.ts';
import { answeringModel, type HostileService, startHostileService } from './hostileService.ts';
import { liveSigns, newLiveSigns, watchLiveSigns } from './liveSigns.ts';
import { placesOfService } from './shownPlaces.ts';

describe('Text from a hostile service stays plain text in', () => {
  let service: HostileService;
  const workbench = useWorkbench({
    settings: { 'parlance.chat.model': answeringModel, 'workbench.hover.delay': 100 },
    takeFaults: newLiveSigns(),
  });

  before('switch to the hostile service', async function () {
    this.timeout(60_000);
    service = await startHostileService();
    await workbench().changeSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    await watchLiveSigns(workbench());
  });
  after('close the service', () => service.close());

  for (const [place, show] of Object.entries(placesOfService)) {
    it(place, () => show(workbench())).timeout(120_000);
  }

  it('the names of files on disk', async () => {
    const names = await readdir(
      join(workbench().server.dataFolder, 'data/User/globalStorage/parlance.parlance/media/results'),
    );
    assert.ok(names.length > 0);
    for (const name of names) assert.match(name, /^[\da-f-]+-\d\.png$/);
  });
});

describe('The watch for hostile text that takes effect', () => {
  const workbench = useWorkbench({ connected: false });

  it('notices an icon, a link, an image, a change of direction, and a command that runs', async () => {
    await watchLiveSigns(workbench());
    await workbench().page.evaluate((command) => {
      const place = document.createElement('div');
      place.innerHTML = `<i class="codicon codicon-squirrel"></i><a href="command:${command}">press</a>
        <img src="https://canary.invalid/a.png"><p>a\u202Eb</p>`;
      document.body.append(place);
      setTimeout(() => place.remove(), 50);
    }, canaryCommand);
    const kinds = await waitUntil('the signs', async () => {
      const found = (await liveSigns(workbench())).map((sign) => sign.split(':')[0]);
      return found.length >= 5 ? new Set(found) : undefined;
    });
    assert.deepEqual(kinds, new Set(['direction', 'https', 'icon', 'link', 'picture']));
    await workbench().driver.run(canaryCommand);
    await waitUntil('the failure', () => workbench().driver.failures.length > 0);
    assert.match((await workbench().takeFaults()).join(), /Hostile words ran a command/);
  });
});
