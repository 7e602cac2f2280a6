import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { type Gate, openGate } from './gate.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const standsIn = 'Parlance is using the fallback host';

// From the first focus to the day when the current host is gone: each step builds on the previous one.
describe('Connections', () => {
  const workbench = useWorkbench({ connected: false, service: { tokensPerSecond: Infinity } });
  let chat: ChatDriver;
  let current: Gate;
  let currentHost: string;
  let legacyHost: string;

  before('open the chat, and the gate in front of the current host', async function () {
    current = await openGate(workbench().service.origin);
    currentHost = new URL(current.origin).host;
    legacyHost = new URL(workbench().service.legacyBaseUrl).host;
    chat = await ChatDriver.open(workbench());
  });
  after('close the gate', () => current?.close());

  const connections = (): number => Math.max(current.accepted(), workbench().service.openConnections());
  /** Counted by chats: the requests that Test Connection adds to find out what the service supports don't count. */
  const hostsAsked = (): readonly string[] =>
    workbench()
      .service.log()
      .filter(({ model }) => model === 'local/echo')
      .map(({ host }) => host);
  const leaveBox = () => chat.frame.locator('.empty-body, [role=log]').first().click();

  it("aren't opened by the focus before a base URL is set", async () => {
    await chat.box.click();
    // The page has reported the focus and was answered.
    await chat.send('Is anybody there?');
    await chat.refusal.getByText('No service connected').waitFor();
    assert.equal(connections(), 0);
  });

  it("aren't opened by the focus before a key is set", async () => {
    await workbench().changeSettings({
      'parlance.services': [{ baseUrl: `${current.origin}/v1`, fallbackBaseUrl: workbench().service.legacyBaseUrl }],
      'parlance.chat.model': 'local/echo',
    });
    chat = await ChatDriver.inView(workbench());
    await chat.frame.getByText('Does your service need an API key?').waitFor();
    await chat.send('And now?');
    await chat.refusal.getByText('API key required').waitFor();
    assert.equal(connections(), 0);
  });

  it('are opened by the focus once both are set, a single one without a request, and the chat uses it', async () => {
    const { page, service } = workbench();
    await workbench().runCommand('Parlance: Set API Key');
    const input = new QuickInput(page);
    await input.opened('API Key');
    await input.enter(service.apiKey);
    await input.closed();
    await chat.frame.locator('.connection.ready').waitFor();
    await leaveBox();
    await chat.box.click();
    await waitUntil('a connection', () => current.accepted() > 0);
    assert.deepEqual(service.log(), []);

    await chat.ask('Over the warm one');
    assert.equal(service.log().length, 1);
    assert.equal(current.accepted(), 1);
  });

  it('are tested separately for both hosts by Test Connection', async () => {
    await workbench().runCommand('Notifications: Clear All Notifications');
    await workbench().runCommand('Parlance: Test Connection');
    for (const host of [currentHost, legacyHost]) {
      await workbench()
        .told(new RegExp(`The connection works: .* replied at ${host}`))
        .shown();
    }
    assert.deepEqual(hostsAsked().slice(1), ['current', 'legacy']);
  });

  it('use the legacy host when the current one is gone, and notify the user once', async () => {
    await current.close();
    await workbench().runCommand('Notifications: Clear All Notifications');
    const first = await chat.ask('Still there?');
    assert.equal(await first.getAttribute('data-state'), 'done');
    const told = workbench().told(standsIn);
    assert.match(
      await told.innerText(),
      new RegExp(`Couldn't reach ${currentHost}. ${standsIn} ${legacyHost} for now`),
    );
    await told.dismiss();

    const second = await chat.ask('And again?');
    assert.equal(await second.getAttribute('data-state'), 'done');
    await chat.startAnew();
    await chat.ask('In another chat?');
    assert.deepEqual(hostsAsked().slice(3), ['legacy', 'legacy', 'legacy']);
    assert.equal(await told.isShown(), false);
  });

  it("are then also tested for both by Test Connection, which names the one that doesn't work", async () => {
    await workbench().runCommand('Parlance: Test Connection');
    await workbench().told(`${currentHost} refused the connection`).shown();
    await workbench()
      .told(new RegExp(`The connection works: .* replied at ${legacyHost}`))
      .shown();
    assert.equal(hostsAsked().at(-1), 'legacy');
    for (const { authorization } of workbench().service.log()) assert.equal(authorization, 'right');
  });
});
