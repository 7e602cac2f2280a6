import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { ModelsDriver, modelsFocused } from './modelsDriver.ts';
import { titleButton } from './promptsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { clickRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const catalogCalls = ({ service }: WorkbenchPage) =>
  service.log().filter(({ path }) => path.endsWith('/v1/models')).length;

/** The frame of the page about a model. */
function detailsFrame(workbench: WorkbenchPage, id: string): Promise<Frame> {
  return waitUntil(`the page about ${id}`, () => shownDetails(workbench, id));
}

async function shownDetails(workbench: WorkbenchPage, id: string): Promise<Frame | undefined> {
  for (const frame of workbench.page.frames()) {
    // A page is rewritten when its content changes: its frame might disappear while it is read.
    const [heading] = await frame
      .locator('#parlance-model h1')
      .allInnerTexts()
      .catch(() => []);
    if (heading === id) return frame;
  }
  return undefined;
}

// One user's path through the catalog: each step builds on the previous one.
describe('The Models view', () => {
  // The longest reply takes 40 s: long enough to change columns and reload the window while it's being written.
  const workbench = useWorkbench({ service: { tokensPerSecond: 100 } });
  let models: ModelsDriver;

  it('fetches the list when it is first opened, keeps the focus, and shows the models by provider', async () => {
    assert.equal(catalogCalls(workbench()), 0);
    workbench().service.holdLists(true);
    await workbench().runCommand('Parlance: Show Models');
    models = new ModelsDriver(workbench());
    await models.row(/^Fetching models from 127/).waitFor({ timeout: 60_000 });
    await modelsFocused(workbench());
    workbench().service.holdLists(false);
    await models.row('local, 20 models').waitFor({ timeout: 60_000 });
    await modelsFocused(workbench());
    await models.makeRoom();
    await models.openGroup('local');
    await models.row(/^local\/writer, chat, default, 0\.20\/0\.80 · 1M/).waitFor();
    await models.row(/^local\/video, videos/).waitFor();
    assert.equal(catalogCalls(workbench()), 1);
  });

  it('shows the stored list at once after a reload, and fetches nothing while that is recent', async () => {
    await workbench().reload();
    models = await ModelsDriver.open(workbench());
    await models.makeRoom();
    await models.row('local, 20 models').waitFor({ timeout: 60_000 });
    assert.equal(catalogCalls(workbench()), 1);
    await models.pressTitleButton('Refresh Models');
    await waitUntil('a second question', () => catalogCalls(workbench()) === 2);
  });

  it('puts favorites at the top, and leaves out hidden ones until they are shown', async () => {
    const { page } = workbench();
    await models.openGroup('local');
    await models.pressIcon(/^local\/fast,/, 'Add to Favorites');
    await models.row('Favorites, 1 model').waitFor();
    await models
      .row(/^local\/fast, chat, favorite/)
      .first()
      .waitFor();
    const slow = models.row(/^local\/slow,/);
    await chooseFromMenu(page, slow, 'Hide Model');
    await slow.waitFor({ state: 'detached' });
    await workbench().runCommand('Parlance: Show Hidden Models');
    await models.row(/^local\/slow, chat, hidden/).waitFor();
    await models.message.getByText('Hidden models are shown.').waitFor();
    await workbench().runCommand('Parlance: Show Visible Models Only');
    await models.row(/^local\/slow,/).waitFor({ state: 'detached' });
  });

  it('updates while the filter is typed, shows that it is on, and clears it with Escape', async () => {
    const { page } = workbench();
    const input = await models.filter('vid');
    await models.row(/^local\/video,/).waitFor();
    await models.row('Favorites, 1 model').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await models.row('Favorites, 1 model').waitFor();

    await models.filter('vid');
    const row = models.row(/^local\/video,/);
    await clickRow(row, 'the page about local/video', () => shownDetails(workbench(), 'local/video'));
    await input.closed();
    await models.message.getByText('Filter: "vid".').waitFor();
    await models.row('Favorites, 1 model').waitFor({ state: 'detached' });

    await models.filter('zzz');
    await input.box.press('Enter');
    await models.welcome.getByText('No models match the filter.').waitFor();
    await models.pane.getByText(/^0 of \d+ · "zzz"$/).waitFor();
    await models.welcome.getByRole('button', { name: 'Clear Filter' }).click();
    await models.row('Favorites, 1 model').waitFor();

    await models.filter('');
    await input.widget
      .getByRole('checkbox', { name: /^Images/ })
      .first()
      .click();
    await input.box.press('Enter');
    await models
      .row(/, images,?/)
      .first()
      .waitFor();
    await models.message.getByText('Filter: images.').waitFor();
    await models.row(/^local\/writer,/).waitFor({ state: 'detached' });
    await workbench().runCommand('Parlance: Clear Model Filter');
    await models.message.waitFor({ state: 'hidden' });
  });

  it('works with the keyboard: find a row, open its details, open its menu', async () => {
    const { page } = workbench();
    await workbench().runCommand('Parlance: Show Models');
    await modelsFocused(workbench());
    await page.keyboard.press('Home');
    // The favorites group, then its only model.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const details = await detailsFrame(workbench(), 'local/fast');
    await details.getByText('No measurements yet. Run the test prompt').waitFor();
    await details.getByText('Favorite', { exact: true }).waitFor();
    await workbench().runCommand('Parlance: Show Models');
    await modelsFocused(workbench());
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Set as Default' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('measures a model with the test prompt, and shows the figures in its row and its page', async () => {
    await models.pressIcon(/^local\/fast,/, 'Run Test Prompt');
    await workbench()
      .told(/\d tok\/s .* local\/fast replied to the test prompt/)
      .shown();
    await workbench().runCommand('Notifications: Clear All Notifications');
    await models
      .row(/^local\/fast, chat, favorite, [\d.,]+ tok\/s · (?:\d+\.\d+ s|<10 ms) · 0\.20\/0\.80 · 1M context/)
      .first()
      .waitFor({ timeout: 60_000 });
    await models.row('Recently Used, 1 model').waitFor();
    // New figures redraw the page in a new frame: each look asks for the current one.
    await waitUntil('the figures on the page', async () => {
      const details = await detailsFrame(workbench(), 'local/fast');
      const figures = details.getByText('Requests: 1, none failed.');
      const line = details.getByRole('img', { name: /^Speed, latest replies \(1\)/ });
      const isShown = await Promise.all([figures.isVisible(), line.isVisible()]).catch(() => [false]);
      return isShown.every(Boolean);
    });
    // VS Code itself sometimes looks for newer extensions, and its pages' own files have such a URL.
    assert.deepEqual(
      workbench().foreignRequests.filter(
        (address) => !/^(open-vsx\.org|.+\.vscode-resource\.vscode-cdn\.net)$/.test(new URL(address).hostname),
      ),
      [],
    );
  });

  it('shows its speed and time to first token in a side bar of 300 px, even beside the icons under the pointer', async () => {
    const bar = await workbench().page.locator('.part.sidebar').boundingBox();
    assert.equal(bar?.width, 300);
    const rows = models.row(/^local\/fast,/);
    assert.ok((await rows.count()) >= 2);
    await rows.first().hover();
    await rows.first().getByRole('button', { name: 'Chat with This Model' }).waitFor();
    for (const text of await models.visibleTexts(rows))
      assert.match(text, /^(?:local\/)?fast [\d,]+ tok\/s · (?:[\d.]+ s|<10 ms)/);
  });

  it('starts a chat with a model, from the title of its page too', async () => {
    await titleButton(workbench(), 'Chat with This Model').click();
    const byPage = await ChatDriver.inView(workbench());
    await byPage.button('Model: local/fast').waitFor({ timeout: 60_000 });
    await models.pressIcon(/^local\/fast,/, 'Chat with This Model');
    const chat = await ChatDriver.inView(workbench());
    await chat.button('Model: local/fast').waitFor({ timeout: 60_000 });
    const reply = await chat.ask('Ten tokens, please: 10');
    assert.equal(await reply.getAttribute('data-state'), 'done');
    assert.equal(workbench().service.asked().at(-1)?.model, 'local/fast');
  });

  it('is sorted by measured figures, as one list', async () => {
    await models.pressTitleButton('Sort Models');
    const input = new QuickInput(workbench().page);
    await input.opened('Sort Models');
    await input.box.fill('speed');
    await input.choose(/^Speed/);
    await models.message.getByText('Sorted by tokens per second.').waitFor();
    await models.openGroup('All Models');
    const names = await waitUntil('the rows of the group', async () => {
      const all = await models.rowNames();
      return (all.at(-1) ?? '').startsWith('All Models,') ? undefined : all;
    });
    const all = names.findIndex((name) => name.startsWith('All Models,'));
    assert.match(names[all + 1] ?? '', /^local\/fast,.* tok\/s/);
    assert.equal(names.filter((name) => /^(Favorites|Recently Used|local), /.test(name)).length, 0);
  });

  it("offers the closest IDs for a model that the service doesn't have, and asks again with one", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('locale/writter');
    await chat.ask('Are you there? In 10 tokens.');
    await chat.card.getByText('Model not found').waitFor();
    await chat.card.getByRole('button', { name: 'Use local/writer', exact: true }).click();
    await chat.lastReply.and(chat.frame.locator('[data-state=done]')).waitFor({ timeout: 60_000 });
    assert.equal(workbench().service.asked().at(-1)?.model, 'local/writer');
    await chat.button('Model: local/writer').waitFor();
    assert.equal(await chat.replies.count(), 1);
  });

  it('keeps the list when the service is gone, and says so', async () => {
    await workbench().service.close();
    await workbench().runCommand('Parlance: Refresh Models');
    await models.message.getByText(/refused the connection.* This list is from/).waitFor({ timeout: 60_000 });
    await models
      .row(/^local\/fast,/)
      .first()
      .waitFor();
  });
});

describe('The Models view without a service', () => {
  const workbench = useWorkbench({ connected: false });

  it('shows what is missing, leads there, and sends nothing', async () => {
    const models = await ModelsDriver.open(workbench());
    await models.welcome
      .getByText('Enter the base URL of your service to list its models')
      .waitFor({ timeout: 60_000 });
    await models.welcome.getByRole('button', { name: 'Set Base URL' }).click();
    const input = new QuickInput(workbench().page);
    await input.opened('Base URL');
    await input.enter(workbench().service.baseUrl);
    await models.welcome.getByText("Set an API key to list the service's models").waitFor({ timeout: 60_000 });
    await models.welcome.getByRole('button', { name: 'Set API Key' }).waitFor();
    assert.deepEqual(workbench().service.log(), []);
  });
});

describe('The Models view of a service that fails', () => {
  const workbench = useWorkbench({ service: { catalogForm: 'error-403' } });

  it('shows why there is no list, with a way to try again and to the log', async () => {
    const models = await ModelsDriver.open(workbench());
    await models.welcome.getByText('The service refused to list models').waitFor({ timeout: 60_000 });
    await models.welcome.getByRole('button', { name: 'Show Log' }).waitFor();
    // VS Code's links have that role, too; only the next step is drawn as a button.
    assert.deepEqual(await models.welcome.locator('.monaco-button').allInnerTexts(), ['Set API Key']);
    const before = catalogCalls(workbench());
    await models.welcome.getByRole('button', { name: 'Retry' }).click();
    await waitUntil('another question', () => catalogCalls(workbench()) > before);
  });
});

describe('The Models view of a service without models', () => {
  const workbench = useWorkbench({ service: { catalogSize: 0 } });

  it('says so', async () => {
    const models = await ModelsDriver.open(workbench());
    await models.welcome.getByText('The service lists no models').waitFor({ timeout: 60_000 });
  });

  it("lets the chat learn a model's context window from the first message that doesn't fit", async () => {
    const chat = await ChatDriver.open(workbench());
    const offer = chat.frame.getByRole('group', { name: 'Long conversation' });
    const asked = () => workbench().service.asked();
    await chat.startAnew();
    await chat.chooseModel('local/small');
    await chat.ask(`one ${'word '.repeat(45)}`);
    await chat.ask(`two ${'word '.repeat(45)}`);
    await chat.box.fill('word '.repeat(120));
    await workbench().settle();
    assert.equal(await offer.isVisible(), false, 'nobody knows the window yet');
    await chat.box.press('Enter');
    await chat.card.getByText('too long').first().waitFor({ timeout: 60_000 });
    assert.equal(asked().at(-1)?.status, 413);

    await chat.box.fill('short');
    await offer.waitFor();
    await chat.frame.locator('.chips-note', { hasText: /of \d+/ }).waitFor();
    // A summary that includes what doesn't fit wouldn't fit either.
    await offer.getByRole('button', { name: 'Summarize in New Chat' }).click();
    await chat.button('Start New Chat').waitFor({ timeout: 60_000 });
    const card = chat.frame.getByRole('group', { name: 'Summary for a new chat' });
    await card.getByText(/Your last message was too long for the model/).waitFor();
    const summarized = JSON.stringify(asked().at(-1)?.requestBody);
    assert.match(summarized, /one word.*two word.*Summarize this conversation/);
    assert.equal(summarized.includes('word '.repeat(60)), false);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await offer.getByRole('button', { name: 'Exclude Earliest Messages' }).click();
    await chat.frame.locator('.sent-line').waitFor();
    await chat.box.press('Enter');
    await chat.ended(3);
    const sent = asked().at(-1);
    assert.equal(sent?.outcome, 'done');
    assert.doesNotMatch(JSON.stringify(sent?.requestBody), /one word/);
  });
});
