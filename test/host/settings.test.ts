import assert from 'node:assert/strict';
import type { ChatOptions } from '../../src/shared/chat.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import { openSettings, type Settings } from '../../src/vscode/settings/settings.ts';
import { eventually } from './eventually.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

describe('The settings', () => {
  let misfits: string[];
  let settings: Settings;

  beforeEach(async () => {
    await clearUserSettings();
    misfits = [];
    settings = openSettings((id) => misfits.push(id));
  });
  afterEach(async () => {
    settings.dispose();
    await clearUserSettings();
  });

  it('request nothing but a stream by default', () => {
    assert.deepEqual(settings.chatDefaults(), { stream: true });
    assert.deepEqual(settings.services.value, []);
    assert.deepEqual(misfits, []);
  });

  it('report each change once, with the new defaults', async () => {
    const changes: ChatOptions[] = [];
    const subscription = settings.onDidChangeChatDefaults((options) => changes.push(options));
    await setUserSettings({ 'parlance.chat.model': 'maker/model', 'parlance.chat.temperature': 0 });
    await eventually('two changes', () => changes.length === 2);
    assert.deepEqual(changes.at(-1), { model: 'maker/model', temperature: 0, stream: true });
    await setUserSettings({ 'parlance.chat.temperature': null, 'parlance.chat.stream': false });
    await eventually('two more', () => changes.length === 4);
    assert.deepEqual(settings.chatDefaults(), { model: 'maker/model', stream: false });
    subscription.dispose();
  });

  it('use the default for an invalid value, and name the setting', async () => {
    await setUserSettings({ 'parlance.chat.topP': 7, 'parlance.chat.maxTokens': 'many' });
    await eventually('both were seen', () => misfits.length >= 2);
    assert.deepEqual(new Set(misfits), new Set(['parlance.chat.topP', 'parlance.chat.maxTokens']));
    assert.deepEqual(settings.chatDefaults(), { stream: true });
  });
});

describe('The network settings', () => {
  after(() => setUserSettings({ 'http.proxy': undefined, 'http.noProxy': undefined, 'http.proxySupport': undefined }));

  it("come from VS Code's own settings; only what names a proxy is taken from the environment", async () => {
    await setUserSettings({
      'http.proxy': ' http://proxy.example:3128 ',
      'http.noProxy': ['internal.example'],
      'http.proxySupport': 'on',
    });
    await eventually('the proxy', () => networkSettings({}).proxy !== '');
    assert.deepEqual(networkSettings({ HTTPS_PROXY: 'http://other:1', no_proxy: 'x', SERVICE_API_KEY: 'canary' }), {
      proxySupport: 'on',
      proxy: 'http://proxy.example:3128',
      noProxy: ['internal.example'],
      systemCertificates: true,
      env: { HTTPS_PROXY: 'http://other:1', no_proxy: 'x' },
    });
  });
});
