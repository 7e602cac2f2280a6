import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { modelRef } from '../../src/shared/modelRef.ts';
import { modelFromText } from '../../src/core/models/modelText.ts';
import { keepService } from '../../src/vscode/connection/addService.ts';
import { keepDefaultModel } from '../../src/vscode/connection/keepDefaultModel.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { shareListIn } from '../../src/vscode/service/listTurns.ts';
import { changeService, keepId, removeFromList } from '../../src/vscode/service/serviceList.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { openSettings, type Settings } from '../../src/vscode/settings/settings.ts';
import { modelLabel, useServiceNames } from '../../src/words/modelLabel.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';
import { withoutHurry } from './withoutHurry.ts';

const list = 'parlance.services';
const model = 'parlance.chat.model';
const one = { baseUrl: 'https://one.test/v1' };
const two = { name: 'Two', baseUrl: 'https://two.test/v1' };

describe('A service in the settings', () => {
  let settings: Settings;
  let services: Services;

  beforeEach(async () => {
    await clearUserSettings();
    settings = openSettings(assert.fail);
    services = new Services({
      list: settings.services,
      secrets: new MemorySecrets(),
      memento: new MemoryMemento(),
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
  });
  afterEach(async () => {
    services.dispose();
    settings.dispose();
    useServiceNames({});
    await clearUserSettings();
  });

  const written = () => vscode.workspace.getConfiguration().inspect<readonly object[]>(list)?.globalValue;
  const keyOf = async (id: string) => (await services.find(id)?.endpoint.current())?.apiKey;

  it('that was written without an ID keeps its key when a command renames it', async () => {
    await setUserSettings({ [list]: [one, two] });
    await services.find('two')?.keys.store('sk-two', ['https://two.test']);
    await changeService('two', { name: 'Work' });
    assert.deepEqual(written(), [
      { ...one, id: 'service' },
      { ...two, name: 'Work', id: 'two' },
    ]);
    assert.equal(await keyOf('two'), 'sk-two');
  });

  it("isn't lost if two windows change the list at once, and neither takes the other's ID or adds a URL twice", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-turns-'));
    const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
    const added = { id: 'bolt.test', name: 'bolt.test', baseUrl: 'https://bolt.test/v1' };
    await setUserSettings({ [list]: [{ ...one, id: 'service' }] });
    shareListIn(folder);
    try {
      // The other window has just written its change, of which this one hasn't heard yet.
      const theirs = [{ ...one, id: 'service' }, added];
      // From the future, because then the wait is as long as it can be: 3 s, which a busy machine needs for the change.
      using _ = withoutHurry([3000]);
      await writeFile(join(folder, 'services.last'), `${Date.now() + 60_000} ${digest(theirs)}`);
      const own = keepService(services, new URL('https://bolt.test/other/v1'));
      const same = keepService(services, new URL('https://bolt.test/v1'));
      await setUserSettings({ [list]: theirs });
      assert.deepEqual([(await own)?.id, (await same)?.id], ['bolt.test-2', 'bolt.test']);
      const mine = { id: 'bolt.test-2', baseUrl: 'https://bolt.test/other/v1', name: 'bolt.test 2' };
      assert.deepEqual(written(), [...theirs, mine]);
      // The others wait for this window's changes.
      const [, noted] = (await readFile(join(folder, 'services.last'), 'utf8')).split(' ');
      assert.equal(noted, digest(written()));
    } finally {
      shareListIn(undefined);
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('that was there first keeps its key when another one was added and is moved before it by hand', async () => {
    await setUserSettings({ [list]: [one] });
    await services.first.keys.store('sk-one', ['https://one.test']);
    await keepService(services, new URL('https://two.test/v1'));
    await setUserSettings({ [list]: (written() ?? []).toReversed() });
    assert.equal(services.first.name, 'two.test');
    assert.equal(await keyOf('service'), 'sk-one');
  });

  it('that was added by hand keeps its key when another one on its host is added before it by hand', async () => {
    const other = { baseUrl: 'https://one.test/team-b/v1' };
    await setUserSettings({ [list]: [one] });
    await services.first.keys.store('sk-one', ['https://one.test']);
    await keepId(services.first.id);
    assert.deepEqual(written(), [{ ...one, id: 'service' }]);
    await setUserSettings({ [list]: [other, ...(written() ?? [])] });
    assert.equal(services.first.entry.value.baseUrl, other.baseUrl);
    await assert.rejects(keyOf(services.first.id));
    assert.equal(await keyOf('service'), 'sk-one');
  });

  it('is the one that a command changes and removes, even if it has the ID of the first without being first', async () => {
    await setUserSettings({ [list]: [two, { ...one, id: 'service' }] });
    await changeService('service', { name: 'Main' });
    assert.deepEqual(written(), [
      { ...two, id: 'two' },
      { ...one, id: 'service', name: 'Main' },
    ]);
    await removeFromList('service');
    assert.deepEqual(written(), [{ ...two, id: 'two' }]);
  });

  it('has a distinct name, even if the settings name neither it nor another one on its host', async () => {
    await setUserSettings({
      [list]: [
        { baseUrl: 'https://gw.test/a/v1' },
        { id: 'b', baseUrl: 'https://gw.test/b/v1' },
        { id: 'c', name: 'gw.test 2', baseUrl: 'https://gw.test/c/v1' },
      ],
    });
    assert.deepEqual(
      services.all.map(({ name }) => name),
      ['gw.test', 'gw.test 3', 'gw.test 2'],
    );
    assert.equal(modelLabel(modelRef('b', 'x')), 'x (gw.test 3)');
  });

  it('gets a free name if the suggested one is taken in another case', async () => {
    await setUserSettings({ [list]: [one, { id: 'ollama', name: 'ollama', baseUrl: 'https://two.test/v1' }] });
    const added = await keepService(services, new URL('http://127.0.0.1:11434/v1'), 'Ollama');
    assert.equal(added?.name, '127.0.0.1:11434');
    assert.deepEqual(services.faults, []);
  });

  it('that was removed gets its ID back, and no other service at its host does, or it would get its messages', async () => {
    await setUserSettings({ [list]: [{ ...one, id: 'service' }] });
    assert.equal((await keepService(services, new URL('https://gw.test/a/v1')))?.id, 'gw.test');
    await removeFromList('gw.test');
    await eventually('the service is gone', () => services.find('gw.test') === undefined);
    const other = await keepService(services, new URL('https://gw.test/b/v1'));
    assert.deepEqual([other?.id, other?.name], ['gw.test-2', 'gw.test 2']);
    const again = await keepService(services, new URL('https://gw.test/a/v1'));
    assert.deepEqual([again?.id, again?.name], ['gw.test', 'gw.test']);
  });

  it('still goes by its former name until another one takes it', async () => {
    const lab = { ...two, id: 'lab' };
    await setUserSettings({ [list]: [one, lab] });
    await changeService('lab', { name: 'Work' });
    assert.equal(modelFromText('Two/maker/model'), modelRef('lab', 'maker/model'));
    const other = { id: 'new', name: 'Two', baseUrl: 'https://new.test/v1' };
    await setUserSettings({ [list]: [one, { ...lab, name: 'Work' }, other] });
    assert.equal(modelFromText('Two/maker/model'), modelRef('new', 'maker/model'));
  });

  describe('with the default model', () => {
    let watch: vscode.Disposable;
    beforeEach(() => (watch = keepDefaultModel(services, settings.model, assert.ifError)));
    afterEach(() => watch.dispose());

    const text = () => vscode.workspace.getConfiguration().inspect<string>(model)?.globalValue;
    const become = (wanted: string | undefined) => eventually(`the setting ${wanted}`, () => text() === wanted);

    it('keeps it when the only other service is removed', async () => {
      await setUserSettings({ [list]: [one, { id: 'two', ...two }] });
      await setUserSettings({ [model]: 'two/maker/model' });
      await removeFromList('service');
      await become('maker/model');
      assert.equal(settings.chatDefaults().model, modelRef('two', 'maker/model'));
    });

    it("takes it along when it's removed, so that no message goes to another service", async () => {
      await setUserSettings({ [list]: [one, { id: 'two', ...two }] });
      await setUserSettings({ [model]: 'two/maker/model' });
      await removeFromList('two');
      await become(undefined);
      assert.equal(settings.chatDefaults().model, undefined);
    });

    it('keeps it when a service is added whose name is the beginning of its text', async () => {
      await setUserSettings({ [list]: [one], [model]: 'ollama/llama3' });
      await setUserSettings({ [list]: [one, { id: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' }] });
      await become('service/ollama/llama3');
      assert.equal(settings.chatDefaults().model, 'ollama/llama3');
    });

    it('keeps it when another service is moved to the front', async () => {
      await setUserSettings({ [list]: [one, { id: 'two', ...two }], [model]: 'maker/model' });
      await setUserSettings({
        [list]: [
          { id: 'two', ...two },
          { id: 'service', ...one },
        ],
      });
      await become('service/maker/model');
    });
  });
});
