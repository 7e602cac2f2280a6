import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatDriver } from '../ui/chatDriver.ts';
import { QuickInput } from '../ui/quickInput.ts';
import { useWorkbench } from '../ui/useWorkbench.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import { hostileSettings, writeHostileFolder } from './hostileFolder.ts';
import { newLiveSigns, watchLiveSigns } from './liveSigns.ts';
import { placesOfFolder } from './shownPlaces.ts';

describe('A hostile folder', function () {
  if (process.platform === 'win32') return;
  const visits: string[] = [];
  // A port that only counts visitors, to which the folder tries to direct Parlance.
  const sink = createServer((socket) => {
    visits.push('Something was sent elsewhere.');
    socket.destroy();
  });
  const takeSigns = newLiveSigns();
  const workbench = useWorkbench({
    workspaceTrust: true,
    settings: {
      'parlance.chat.model': 'local/echo',
      'security.workspace.trust.startupPrompt': 'never',
      'files.watcherExclude': { '**': true },
    },
    takeFaults: async (page) => [...visits.splice(0), ...(await takeSigns(page))],
  });
  let outside: string;

  before('fill the folder', async function () {
    this.timeout(120_000);
    sink.listen(0, '127.0.0.1');
    await once(sink, 'listening');
    const place = sink.address();
    assert.ok(typeof place === 'object' && place !== null);
    outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    const settings = await hostileSettings(`http://127.0.0.1:${place.port}`);
    await writeHostileFolder(workbench().workspace, outside, settings);
    await workbench().reload();
    await watchLiveSigns(workbench());
  });
  after('remove what was created', async () => {
    sink.close();
    await rm(outside, { recursive: true, force: true });
  });

  const list = () => new QuickInput(workbench().page);

  /** What the user's service receives is exactly what the user's settings say. */
  async function onlyOwnSettings(words: string): Promise<void> {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask(words);
    assert.deepEqual(workbench().service.log().at(-1)?.requestBody, {
      model: 'local/echo',
      messages: [{ role: 'user', content: words }],
      stream: true,
    });
    for (const page of ['parlance.openKeysPage', 'parlance.openCreditsPage', 'parlance.openInferenceLogPage']) {
      await workbench().driver.run(page);
    }
    assert.equal(workbench().context.pages().length, 1);
    await workbench().runCommand('Notifications: Clear All Notifications');
  }

  it("that isn't trusted changes nothing that is sent, and its prompts aren't read", async () => {
    await workbench().page.getByText('Restricted Mode').first().waitFor({ timeout: 60_000 });
    await onlyOwnSettings('Good morning');
    await workbench().driver.run('parlance.runPrompt');
    await list().row('Trust This Workspace to See Its Prompts…').waitFor({ timeout: 60_000 });
    assert.equal(await list().row(/press/).count(), 0);
  }).timeout(120_000);

  it("that is trusted doesn't change what is sent either", async () => {
    await list().choose('Trust This Workspace to See Its Prompts…');
    await workbench().page.getByRole('button', { name: 'Trust', exact: true }).click({ timeout: 60_000 });
    const mark = workbench().page.locator('.statusbar-item', { hasText: 'Restricted Mode' });
    await mark.waitFor({ state: 'detached', timeout: 30_000 });
    await onlyOwnSettings('Good evening');
  }).timeout(120_000);

  for (const [place, show] of Object.entries(placesOfFolder)) {
    it(`has only text in ${place}`, () => show(workbench())).timeout(240_000);
  }

  it('with a thousand folders of prompts has some of them listed, says so, and follows no link out of the folder', async () => {
    await workbench().driver.run('parlance.runPrompt');
    await list().opened('Run Prompt');
    await list().box.fill('listed');
    await list().row("Some prompts aren't listed").waitFor({ timeout: 30_000 });
    await list().box.fill('foreign');
    await waitUntil(
      'what was found',
      async () =>
        (await list()
          .row(/New Prompt/)
          .count()) > 0,
    );
    assert.equal(
      await list()
        .row(/^foreign/)
        .count(),
      0,
    );
    await list().box.press('Escape');
  }).timeout(60_000);

  it("keeps its secrets out of the # list, however they're written and linked", async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.box.pressSequentially('#readme');
    await chat.frame.getByRole('option', { name: /README\.md/ }).waitFor({ timeout: 60_000 });
    for (const typed of ['env', 'rsa', 'npmrc', 'pem', 'plain-link']) {
      await chat.box.fill('');
      await chat.box.pressSequentially(`#${typed}`);
      const none = chat.frame.getByText(`No context matches "${typed}".`);
      const readme = chat.frame.getByRole('option', { name: /README/ });
      await waitUntil(`what is found for ${typed}`, async () => {
        if (await none.first().isVisible()) return true;
        return (await chat.frame.getByRole('option').count()) > 0 && (await readme.count()) === 0;
      });
      const rows = await chat.frame.getByRole('option').allInnerTexts();
      assert.deepEqual(
        rows.filter((row) => /env|rsa|npmrc|pem|link/i.test(row) && !row.startsWith('No context matches')),
        [],
        typed,
      );
    }
    await chat.box.fill('');
  }).timeout(120_000);

  it('with circular links and endless folders gets its tree in the end, without ignored files', async () => {
    // With a file in the root, it's clear which folder is meant.
    await workbench().driver.open('README.md');
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.box.pressSequentially('#folder');
    await chat.frame
      .getByRole('option', { name: /Folder Tree/ })
      .first()
      .click({ timeout: 30_000 });
    await chat.frame
      .locator('.composer')
      .getByRole('button', { name: /^tasks\// })
      .first()
      .waitFor({ timeout: 60_000 });
    // The model echoes a tree of thousands of lines: it's enough that it was asked.
    const before = workbench().service.asked().length;
    await chat.box.fill('What is this?');
    await chat.box.press('Enter');
    await waitUntil('a request', () => workbench().service.asked().length > before);
    await chat.box.press('Escape');
    await chat.ended(0);
    const sent = JSON.stringify(workbench().service.asked().at(-1)?.requestBody);
    assert.match(sent, /folder tree/i);
    assert.ok(!/id_rsa|\.env|canary/i.test(sent), 'a secret is named');
  }).timeout(180_000);
});
