import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ChatDriver } from './chatDriver.ts';
import { findTraces } from './findTraces.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import type { ToldMessage } from './toldMessage.ts';
import { tryUntil } from './tryUntil.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const canary = 'canary-9f27c1d4e8b3a605-key';

// One user's first minutes: each step builds on the previous one.
describe('The first run', () => {
  const workbench = useWorkbench({ connected: false, service: { apiKey: canary, tokensPerSecond: 400 } });

  it('sends nothing before the user acts, and the empty view leads to the base URL', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.frame.getByText('Connect to a service').waitFor();
    await chat.button('Set Base URL…').waitFor();
    assert.deepEqual(workbench().service.log(), []);
    assert.equal(workbench().service.openConnections(), 0);
  });

  it("keeps a message that can't be sent yet, and shows what is missing", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.send('Is anybody there?');
    await chat.refusal.getByText('No service connected').waitFor();
    assert.equal(await chat.box.inputValue(), 'Is anybody there?');
    await chat.refusal.getByRole('button', { name: 'Dismiss' }).click();
    await chat.refusal.waitFor({ state: 'detached' });
    await chat.box.fill('');
    assert.equal(workbench().service.openConnections(), 0);
  });

  it('refuses a wrong base URL with an explanation, and corrects one that was pasted with its operation', async () => {
    const { page, service } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await chat.button('Set Base URL…').click();
    const input = new QuickInput(page);
    await input.opened('Base URL');
    const wrong: readonly (readonly [string, string])[] = [
      ['', 'Enter the base URL of your service'],
      ['ask the oracle', 'Enter a valid URL'],
      ['ftp://host/v1', 'must start with https:// or http://'],
      ['https://me:secret@host/v1', 'Remove the user name and password'],
      ['https://host/v1?key=1', 'Remove the query string'],
    ];
    for (const [address, words] of wrong) {
      await input.enter(address);
      await input.says(words);
    }
    await input.box.fill('http://service.example/v1');
    await input.says('are sent to service.example unencrypted');

    await input.box.fill(`${service.baseUrl}/chat/completions`);
    await input.says(`will be saved as ${service.baseUrl}`);
    await input.box.press('Enter');
    await input.closed();
    await chat.frame.getByText('Does your service need an API key?').waitFor();
    await chat.frame.locator('.connection', { hasText: new URL(service.baseUrl).host }).waitFor();
    assert.equal(service.openConnections(), 0);
  });

  it('moves the focus to the button of the next step after each step, done or canceled', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.inView(workbench());
    const focusOn = (name: string) =>
      waitUntil(`the focus on ${name}`, () =>
        chat.button(name).evaluate((button) => document.hasFocus() && button === document.activeElement),
      );
    await focusOn('Use No Key');
    await page.keyboard.press('Tab');
    await focusOn('Set API Key…');
    await page.keyboard.press('Enter');
    const input = new QuickInput(page);
    await input.opened('API Key for');
    await page.keyboard.press('Escape');
    await focusOn('Use No Key');
  });

  it("asks for the key in a password box, says where it's sent, and explains a wrong key with the next step", async () => {
    const { page, service } = workbench();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const input = new QuickInput(page);
    await input.opened(`API Key for ${new URL(service.baseUrl).host}`);
    await input.says(`sent to ${service.origin} only`);
    assert.equal(await input.box.getAttribute('type'), 'password');
    await input.box.fill('a key with spaces');
    await input.says('An API key can have up to 512 characters');

    await input.enter('wrong-key-0000');
    const stored = workbench().told(`The API key is stored for ${new URL(service.baseUrl).host}`);
    await stored.press('Test Connection');
    const refused = workbench().told("The API key wasn't accepted");
    await refused.shown();
    // It would cover the message box.
    assert.equal(await page.locator('.notification-toast').count(), 0);
    assert.match(await refused.innerText(), /401 missing_api_key · req_\w+/);
    assert.equal(service.log().at(-1)?.authorization, 'wrong');
    await refused.press('Set API Key…');
    await input.opened('API Key');
  });

  it('tests the connection with a correct key and a listed model, and shows tokens and time', async () => {
    const { page, service } = workbench();
    const chat = await ChatDriver.inView(workbench());
    const input = new QuickInput(page);
    await workbench().told('Fetching the model list').gone();
    await input.enter(canary);
    await workbench().told('The API key is stored').press('Test Connection');
    await input.opened('Select Model');
    await input
      .row(/^local\//)
      .first()
      .waitFor();
    await input.box.fill('local/video');
    await input.row('Use "local/video"').waitFor();
    assert.equal(await input.row(/^local\/video/).count(), 0, 'a model that cannot chat is offered');
    await input.box.fill('writer');
    await input.choose(/^local\/writer/);
    const works = workbench().told(/The connection works: .* local\/writer replied/);
    await works.shown();
    assert.match(await works.innerText(), /\d+\.\d+ s°? total · \d+ → \d+ tokens/);
    const asked = service.log().at(-1);
    assert.equal(asked?.authorization, 'right');
    assert.equal(asked?.host, 'current');
    await workbench().runCommand('Notifications: Clear All Notifications');
    await chat.frame.getByText('Ask any model').waitFor();
    await chat.button('Model: local/writer').waitFor();
  });

  it('gets a reply to the first question', async () => {
    const chat = await ChatDriver.inView(workbench());
    const reply = await chat.ask('How do I test a parser? In 40 tokens.');
    assert.equal(await reply.getAttribute('data-state'), 'done');
    assert.match(await reply.locator('.footer').innerText(), /\b40 tokens/);
    assert.equal(workbench().service.log().at(-1)?.completionTokens, 40);
  });

  it("accepts a typed model name that the service doesn't list", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.chooseModel('local/fault-crlf');
    const reply = await chat.ask('Are you there?');
    await reply.getByText('The answer begins here').waitFor();
    assert.equal(workbench().service.log().at(-1)?.model, 'local/fault-crlf');
  });

  it('keeps the key from another origin until the user allows it', async () => {
    const { page, service } = workbench();
    const requests = service.log().length;
    const connections = service.openConnections();
    await setBaseUrl(service.legacyBaseUrl);
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.send('May the key come along?');
    await chat.refusal.getByText("The API key isn't approved here").waitFor();
    assert.equal(service.log().length, requests);
    assert.ok(service.openConnections() <= connections, 'a connection was opened to an origin the key is not for');

    await chat.refusal.getByRole('button', { name: 'Use Key Here' }).click();
    const focused = () => chat.frame.evaluate(() => document.activeElement?.textContent);
    await chat.frame.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await answerDialog(page, `Send your API key to ${new URL(service.legacyBaseUrl).origin}`, 'Cancel');
    // It would take the Enter that's meant for the message.
    await waitUntil('the focus on the button again', async () => (await focused()) === 'Use Key Here');
    await chat.box.press('Enter');
    await chat.refusal.waitFor();
    assert.equal(service.log().length, requests);

    await chat.refusal.getByRole('button', { name: 'Use Key Here' }).click();
    await answerDialog(page, 'Send your API key to', 'Use Key Here');
    await chat.frame.locator('.connection.ready').waitFor();
    assert.equal(await chat.box.inputValue(), 'May the key come along?');
    await chat.box.press('Enter');
    await chat.ended(0);
    const asked = service.log().at(-1);
    assert.equal(asked?.host, 'legacy');
    assert.equal(asked?.authorization, 'right');
    assert.equal(service.log().filter(({ host }) => host === 'legacy').length, 1);
  });

  it('explains a URL where nothing responds, with the next step', async () => {
    const { page, service } = workbench();
    const port = await unusedPort();
    await setBaseUrl(`http://127.0.0.1:${port}/v1`);
    const bound = workbench().told("The API key isn't approved here");
    await testUntil(bound, 'the new base URL in use');
    await bound.press('Use Key Here');
    await answerDialog(page, 'Send your API key to', 'Use Key Here');
    const unreachable = workbench().told(`127.0.0.1:${port} refused the connection`);
    await testUntil(unreachable, 'the approved key in use');
    assert.match(await unreachable.innerText(), /ECONNREFUSED/);
    await unreachable.press('Set Base URL…');
    const input = new QuickInput(page);
    await input.opened('Base URL');
    await input.enter(service.baseUrl);
    await input.closed();
  });

  it('stores the key nowhere: not on disk, not in the chat, not in the window', async () => {
    const { server, workspace, service, page } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('One more, in 10 tokens.');
    assert.equal(service.log().at(-1)?.authorization, 'right');
    const settings = await findTraces(server.dataFolder, service.baseUrl);
    assert.ok(settings.length > 0, 'the search does not even find the base address');

    assert.deepEqual(await findTraces(server.dataFolder, canary), []);
    assert.deepEqual(await findTraces(workspace, canary), []);
    assert.ok(!(await chat.frame.content()).includes(canary));
    assert.ok(!(await page.content()).includes(canary));
    assert.ok(!workbench().consoleLines.join('\n').includes(canary));
  });

  it('removes the key after asking, and sends nothing from then on', async () => {
    const { page, service } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await workbench().runCommand('Parlance: Remove API Key');
    await answerDialog(page, 'Remove the stored API key?', 'Remove Key');
    await workbench().told('The API key was removed.').shown();
    const requests = service.log().length;
    await chat.send('And now?');
    await chat.refusal.getByText('API key required').waitFor();
    await chat.refusal.getByRole('button', { name: 'Set API Key…' }).waitFor();
    assert.equal(service.log().length, requests);
  });

  /**
   * Commands run in quick succession here, faster than a user's: the extension might not have noticed yet what was just
   * saved.
   */
  async function testUntil(notice: ToldMessage, what: string): Promise<void> {
    await tryUntil(what, async (limitMs) => {
      await workbench().runCommand('Parlance: Test Connection');
      return notice.shown(limitMs).then(
        () => true,
        () => false,
      );
    });
  }

  async function setBaseUrl(address: string): Promise<void> {
    await workbench().runCommand('Parlance: Set Base URL');
    const input = new QuickInput(workbench().page);
    await input.opened('Base URL');
    await input.enter(address);
    await input.closed();
    const { settingsFile } = workbench().server;
    await waitUntil('the base URL in the settings', async () =>
      (await readFile(settingsFile, 'utf8')).includes(address),
    );
  }
});
