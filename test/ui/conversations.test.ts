import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processMark } from '../../src/vscode/disk/processMark.ts';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromPart } from './contextMenu.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

// “View: Toggle Secondary Side Bar Visibility”
const toggleSideBar = 'ControlOrMeta+Alt+B';

describe('Conversations', () => {
  const usualSpeed = 400;
  const workbench = useWorkbench({ service: { tokensPerSecond: usualSpeed } });

  before('create two conversations', async function () {
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Explain binary search in 30 tokens');
    await chat.startAnew();
    await chat.ask('Name a sorting algorithm in 60 tokens');
  });

  it('are listed newest first with their size, and can be searched by title and by content', async () => {
    const list = await openList();
    await list
      .row(/^Name a sorting algorithm in 60 tokens, open now · .+ · 2 messages(?: · cost [\d.]+)?, \w/)
      .waitFor();
    const names = await Promise.all((await list.row(/tokens/).all()).map((row) => row.getAttribute('aria-label')));
    assert.deepEqual(
      names.map((name) => name?.split(',')[0]),
      ['Name a sorting algorithm in 60 tokens', 'Explain binary search in 30 tokens'],
    );
    await list.box.fill('binary');
    await list.row(/^Name a sorting/).waitFor({ state: 'detached' });
    await list.row(/^Explain binary search/).waitFor();

    // Words that are only in the longer reply and in no title.
    const said = (await (await ChatDriver.inView(workbench())).lastReply.locator('.answer').innerText()).slice(-25);
    await list.box.fill(said);
    await list.row(/^Name a sorting/).waitFor();
    await list.row(/^Explain binary search/).waitFor({ state: 'detached' });
    await list.box.fill('zebra crossing');
    await list.row(/^No conversation contains "zebra crossing"/).waitFor();
    await list.dismiss();
  });

  it('are listed with what they cost, including replies that were deleted', async () => {
    const { service, driver } = workbench();
    await driver.runToEnd('parlance.refreshModels');
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    const before = service.asked().length;
    await chat.ask('Name a river in 20 tokens');
    await chat.ask('And a lake in 20 tokens');
    const costs = service
      .asked()
      .slice(before)
      .map(({ cost }) => cost ?? 0);
    await chat.lastReply.hover();
    await chat.lastReply.getByRole('button', { name: 'Delete', exact: true }).click();
    await chat.replies.nth(1).waitFor({ state: 'detached' });
    const list = await openList();
    const row = list.row(/^Name a river in 20 tokens, open now · .+ · 3 messages · cost /);
    await row.waitFor();
    const shown = /cost ([\d.]+)/.exec((await row.getAttribute('aria-label')) ?? '')?.[1] ?? '';
    const sum = costs.reduce((one, other) => one + other);
    assert.equal(costs.length, 2);
    assert.ok(Math.abs(Number(shown) / sum - 1) < 0.1, `${shown} and ${sum}`);
    await list.dismiss();
  });

  it('open at the message that contains the searched words, in the version that has it', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('Name a `quokka` in 5 tokens');
    await chat.ask('Describe it in 900 tokens');
    await chat.questions.first().scrollIntoViewIfNeeded();
    await chat.questions.first().hover();
    await chat.questions.first().getByRole('button', { name: 'Edit' }).click();
    const editor = chat.frame.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('Name a **wombat** in 5 tokens');
    await editor.press('Enter');
    await chat.questions.getByText('wombat').waitFor();
    await chat.ended(0);
    const list = await openList();
    await list.row(/^Name a wombat in 5 tokens, open now/).waitFor();
    await list.box.fill('quokka name');
    await list.choose(/^Name a wombat/);
    await chat.questions.getByText('quokka').waitFor();
    assert.equal(await chat.questions.getByText('wombat').count(), 0);
    await chat.questions.getByText('Describe it').waitFor();
    await waitUntil('the question in view', () =>
      chat.questions.first().evaluate((article) => {
        const log = article.closest('[role=log]')?.getBoundingClientRect();
        const { top, bottom } = article.getBoundingClientRect();
        return log !== undefined && top >= log.top - 2 && bottom <= log.bottom;
      }),
    );
    await chat.focused();
  });

  it('are opened from the list', async () => {
    const list = await openList();
    await list.choose(/^Explain binary search/);
    const chat = await ChatDriver.inView(workbench());
    await chat.questions.getByText('Explain binary search in 30 tokens').waitFor();
    assert.equal(await chat.questions.count(), 1);
    await chat.focused();
  });

  it('are renamed in the list, which then shows the new name', async () => {
    const list = await openList();
    await list.pressRowButton(/^Explain binary search/, 'Rename…');
    await list.opened('Rename Conversation');
    assert.equal(await list.box.inputValue(), 'Explain binary search in 30 tokens');
    await list.enter('Halving 🔎');
    await list.row(/^Halving 🔎, open now/).waitFor();
    await list.dismiss();
  });

  it('are exported as Markdown, with every message and its speed', async () => {
    const chat = await ChatDriver.inView(workbench());
    const answer = (await chat.lastReply.locator('.answer').innerText()).trim();
    const list = await openList();
    await list.pressRowButton(/^Halving/, 'Export as Markdown…');
    await list.opened('Export as Markdown');
    const file = join(workbench().workspace, 'exported.md');
    await list.saveAs(/\/Halving\.md$/, file);
    await workbench().page.getByRole('tab', { name: 'exported.md' }).waitFor();
    const text = await readFile(file, 'utf8');
    assert.ok(
      text.startsWith(
        `# Halving 🔎\n\n## You\n\nExplain binary search in 30 tokens\n\n## local/writer\n\n${answer.slice(0, 40)}`,
      ),
      text,
    );
    assert.match(
      text,
      /\n\n\*[\d.,]+ tok\/s · (?:[\d.]+ s|<10 ms) first token · [\d.]+ s total · \d+ → 30 tokens\*\n$/,
    );
    await workbench().closeEditor('exported.md');
  });

  it('are deleted from the list, and restored with Undo, including an unsent draft', async () => {
    const box = (await ChatDriver.inView(workbench())).box;
    await box.fill('Not sent yet');
    const list = await openList();
    await list.pressRowButton(/^Halving/, 'Delete');
    await list.row(/^Halving/).waitFor({ state: 'detached' });
    await list.row(/^Name a sorting/).waitFor();
    await list.pressRowButton(/^Name a sorting/, 'Delete');
    await list.row(/^Name a sorting/).waitFor({ state: 'detached' });
    await list.dismiss();
    const chat = await ChatDriver.inView(workbench());
    await chat.frame.getByText('Ask any model').waitFor();
    const deleted = (title: string) => chat.frame.locator('.undo-bar', { hasText: `Deleted "${title}` });
    await deleted('Halving 🔎').waitFor();
    // A notification would cover the message box.
    assert.equal(await workbench().notification('Deleted').count(), 0);
    await deleted('Name a sorting').getByRole('button', { name: 'Undo' }).click();
    await chat.questions.getByText('Name a sorting').first().waitFor();
    await deleted('Halving 🔎').getByRole('button', { name: 'Undo' }).click();
    await chat.questions.getByText('Explain binary search in 30 tokens').waitFor();
    await hasDraft(chat, 'Not sent yet');
    await chat.box.fill('');
    const again = await openList();
    await again.row(/^Halving 🔎, open now · .+ · 2 messages/).waitFor();
    await again.dismiss();
  });

  it('have names that are shown literally in the message about their deletion', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('Say 5 tokens');
    const list = await openList();
    await list.pressRowButton(/^Say 5 tokens/, 'Rename…');
    await list.opened('Rename Conversation');
    await list.enter('[Open](command:workbench.action.toggleSidebarVisibility) it');
    await list.row(/^Open it/).waitFor();
    await list.pressRowButton(/^Open it/, 'Delete');
    // The list closes, and opens again without it.
    await list.row(/^Open it/).waitFor({ state: 'detached' });
    await list.dismiss();
    const deleted = chat.frame.locator('.undo-bar', { hasText: 'Deleted "[Open](command:' });
    await deleted.waitFor();
    assert.equal(await deleted.locator('a').count(), 0);
    const others = await openList();
    await others.choose(/^Halving/);
    await others.closed();
    await chat.questions.getByText('Explain binary search').waitFor();
  });

  it('stay in sync if one is shown in the side bar and in a tab', async () => {
    const list = await openList();
    await list.pressRowButton(/^Halving/, 'Open in Editor');
    await workbench().page.getByRole('tab', { name: 'Halving 🔎' }).waitFor();
    const [one, other] = await twoChats();
    await one.questions.getByText('Explain binary search').waitFor();
    await other.questions.getByText('Explain binary search').waitFor();

    // Its reply lasts minutes.
    await one.chooseModel('local/slow');
    await other.button('Model: local/slow').waitFor();
    // One draft, which is sent once.
    await one.box.fill('And in');
    await hasDraft(other, 'And in');
    await other.box.fill('And in 4000 tokens?');
    await hasDraft(one, 'And in 4000 tokens?');
    await one.box.press('Enter');
    await hasDraft(other, '');
    await hasDraft(one, '');
    await other.lastReply.and(other.frame.locator('[data-state=running]')).waitFor();
    // A reply that was requested in one can be stopped in the other.
    await waitUntil('the first words', async () => (await other.lastReply.locator('.answer').innerText()).length > 40);
    await other.button('Stop').click();
    await one.ended(1);
    await other.ended(1);
    assert.equal(await one.lastReply.getAttribute('data-state'), 'stopped');
    // Not `innerText`, which leaves out what the browser hasn't drawn because it's out of view.
    const texts = (chat: ChatDriver) => chat.lastReply.locator('.answer').textContent();
    assert.equal(await texts(other), await texts(one));

    await other.lastReply.hover();
    await other.lastReply.getByRole('button', { name: 'Delete' }).click();
    await waitUntil('one reply in both', async () => (await one.replies.count()) === 1);
    await one.chooseModel('local/echo');
    await other.button('Model: local/echo').waitFor();
    await workbench().runCommand('View: Close All Editors');
  });

  it('start with an empty view and the default model', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.button('Model: local/echo').waitFor();
    await chat.startAnew();
    await chat.button('Model: local/writer').waitFor();
    await chat.focused();
  });

  it('show their model in the status bar, where a click selects another one', async () => {
    const chat = await ChatDriver.inView(workbench());
    const { page } = workbench();
    const item = (model: string) => page.locator('.statusbar-item[id$="parlance.status"]', { hasText: model });
    await item('writer').click();
    const list = new QuickInput(page);
    await list.opened('Select Model');
    await list.pick('local/echo');
    await chat.button('Model: local/echo').waitFor();
    await item('echo').waitFor();
    await chat.startAnew();
    await item('writer').waitFor();
  });

  it("don't lose what is typed in a new one when another new one is opened", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.box.fill('Half a thought');
    await chat.startAnew();
    await chat.focused();
    await hasDraft(chat, 'Half a thought');
  });

  it('without messages show their draft in the list, and can be deleted there too', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.box.fill('**Why** $(trash)?');
    await waitUntil('the draft on disk', async () => (await draftsOnDisk()).includes('**Why** $(trash)?'));
    const list = await openList();
    const row = /Why \$\u200B?\(trash\)\?, draft · /;
    await list.row(row).waitFor();
    await list.pressRowButton(row, 'Delete');
    await list.row(row).waitFor({ state: 'detached' });
    await list.dismiss();
    await hasDraft(chat, '');
    // The Undo offer covers the message box.
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('keep their draft while the side bar is hidden, while another one is shown, and after a reload', async () => {
    const { page } = workbench();
    const first = await ChatDriver.inView(workbench());
    await first.startAnew();
    await first.focused();
    await first.box.fill('An unsent thought\nin two lines');
    await page.keyboard.press(toggleSideBar);
    await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await page.keyboard.press(toggleSideBar);
    const back = await ChatDriver.inView(workbench());
    await hasDraft(back, 'An unsent thought\nin two lines');

    // To another one and back.
    await back.ask('Keep this, in 10 tokens');
    await back.box.fill('A second unsent thought');
    await (await openList()).choose(/^Name a sorting/);
    await back.questions.getByText('Name a sorting').waitFor();
    await hasDraft(back, '');
    await back.box.fill('A third one');
    await (await openList()).choose(/^Keep this/);
    await back.questions.getByText('Keep this').waitFor();
    await hasDraft(back, 'A second unsent thought');

    await workbench().reload();
    const reloaded = await ChatDriver.inView(workbench());
    await reloaded.questions.getByText('Keep this').waitFor();
    await hasDraft(reloaded, 'A second unsent thought');
    await (await openList()).choose(/^Name a sorting/);
    await reloaded.questions.getByText('Name a sorting').waitFor();
    await hasDraft(reloaded, 'A third one');
  });

  it('keep no draft of text that was typed with a pause and sent', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.box.fill('Why does');
    await waitUntil('the beginning on disk', async () => (await draftsOnDisk()).includes('Why does'));
    await chat.ask('Why does a stack have a top? In 10 tokens');
    await (await openList()).choose(/^Name a sorting/);
    await chat.questions.getByText('Name a sorting').waitFor();
    await (await openList()).choose(/^Why does a stack/);
    await chat.questions.getByText('Why does a stack').waitFor();
    await hasDraft(chat, '');
    await waitUntil('no draft of it on disk', async () =>
      (await draftsOnDisk()).every((draft) => !draft.startsWith('Why')),
    );
  });

  it('are started with the + of a side bar 295 pixels wide, from anywhere, ready for typing', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await workbench().setSideBarWidth(295);
    for (const begin of [
      () => page.locator('.part.auxiliarybar').getByRole('button', { name: 'New Chat' }).click(),
      () => workbench().runCommand('Parlance: New Chat'),
    ]) {
      await chat.ask('To be left behind, in 5 tokens');
      await workbench().runCommand('View: Show Explorer');
      await begin();
      await waitUntil('a new chat', async () => (await chat.questions.count()) === 0);
      await chat.focused();
    }
  });

  it('are started while the side bar is hidden, ready for typing', async () => {
    const { page } = workbench();
    await (await ChatDriver.inView(workbench())).ask('To be left behind, in 5 tokens');
    await workbench().runCommand('View: Hide Secondary Side Bar');
    await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await workbench().openFile('README.md');
    await workbench().runCommand('Parlance: New Chat');
    const chat = await ChatDriver.inView(workbench());
    await chat.frame.locator('.empty-body').waitFor();
    await chat.focused();
  });

  it("say which part of them can't be read, even if the side bar was hidden when they were opened", async () => {
    const { page } = workbench();
    const folder = join(globalStorage(), 'parlance.parlance', 'conversations');
    const before = await readdir(folder);
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('To be damaged, in 5 tokens');
    await chat.startAnew();
    const file = await waitUntil('its file', async () =>
      (await readdir(folder)).find((name) => name.endsWith('.jsonl') && !before.includes(name)),
    );
    await appendFile(join(folder, file), 'half a li\n');
    await workbench().runCommand('View: Hide Secondary Side Bar');
    await page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    const list = await openList();
    await list.choose(/^To be damaged/);
    const shown = await ChatDriver.inView(workbench());
    await shown.questions.getByText('To be damaged').waitFor();
    await shown.refusal.getByText("Part of this conversation can't be read").waitFor();
    await shown.startAnew();
  });

  const oneFocused = (chats: readonly ChatDriver[]) =>
    waitUntil('the focus in one of the boxes', async () =>
      (await Promise.all(chats.map((chat) => chat.hasFocus()))).includes(true),
    );

  it('are left alone by the buttons in the title of another chat, which has no focus', async () => {
    const { page } = workbench();
    const view = await ChatDriver.inView(workbench());
    await view.startAnew();
    await view.ask('In the side bar, in 5 tokens');
    await workbench().runCommand('View: Show Explorer');
    await (await openList()).pressRowButton(/^Halving/, 'Open in Editor');
    const tab = await waitUntil('the tab', async () => {
      const chats = await twoChats();
      const shown = await Promise.all(
        chats.map(({ questions }) => questions.getByText('Explain binary search').isVisible()),
      );
      return chats[shown.indexOf(true)];
    });
    const isEmpty = async ({ questions }: ChatDriver) => (await questions.count()) === 0;
    const sideBar = page.locator('.part.auxiliarybar');

    await tab.box.click();
    await sideBar.getByRole('button', { name: 'New Chat' }).click();
    await waitUntil('a new chat in the side bar', () => isEmpty(view));
    await view.focused();
    assert.equal(await isEmpty(tab), false);

    await view.ask('In the side bar again, in 5 tokens');
    await tab.box.click();
    await chooseFromPart(page, '.part.auxiliarybar', 'Delete Conversation');
    await waitUntil('nothing in the side bar', () => isEmpty(view));
    assert.equal(await isEmpty(tab), false);

    await tab.box.click();
    await sideBar.getByRole('button', { name: 'Show Conversations' }).click();
    const list = new QuickInput(page);
    await list.opened('Conversations');
    await list.box.fill('Name a sorting algorithm');
    await list.choose('sorting algorithm');
    await view.questions.getByText('Name a sorting algorithm').waitFor();
    assert.equal(await tab.questions.getByText('Name a sorting algorithm').count(), 0);

    // The command is for the chat that was used last, which is still the tab until the view has the focus.
    await view.box.click();
    await view.focused();
    // The page reports that to Parlance.
    await workbench().settle();
    await view.startAnew();
    // The menu of the tab is about the tab.
    await view.box.click();
    await chooseFromPart(page, '.part.editor', 'Rename Conversation…');
    await list.opened('Rename Conversation');
    assert.match(await list.box.inputValue(), /^Halving/);
    await list.dismiss();

    await view.ask('In the side bar once more, in 5 tokens');
    await page.locator('.part.editor').getByRole('button', { name: 'New Chat' }).click();
    await waitUntil('a new chat in the tab', () => isEmpty(tab));
    assert.equal(await isEmpty(view), false);
    await workbench().runCommand('View: Close All Editors');
  });

  it('have their model selected beside the box, or from the menu of the view or a tab', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await chooseFromPart(page, '.part.auxiliarybar', 'Select Model…');
    await chat.modelSearch.waitFor({ timeout: 60_000 });
    await chat.modelSearch.press('Escape');
    await workbench().runCommand('Parlance: Open Chat in Editor');
    const chats = await twoChats();
    // A new chat takes the focus, which would close the menu.
    await oneFocused(chats);
    await chooseFromPart(page, '.part.editor', 'Select Model…');
    await waitUntil('the list in the tab', async () => {
      const shown = await Promise.all(chats.map(({ modelSearch }) => modelSearch.isVisible()));
      return shown.filter(Boolean).length === 1;
    });
    await workbench().closeEditor('In the side bar once more');
  });

  it('can be started while a reply is being written, which continues in its own conversation', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    // Slow enough to be still running when the list has led back to it.
    workbench().service.setSpeed(2);
    await chat.send('Left while it writes, in 1200 tokens');
    await chat.button('Stop').waitFor();
    await workbench().runCommand('Parlance: New Chat');
    await waitUntil('a new chat', async () => (await chat.questions.count()) === 0);
    await chat.focused();
    await chat.button('Send').waitFor();
    await chat.ask('Asked meanwhile, in 5 tokens');
    await (await openList()).choose(/^Left while it writes/);
    await chat.questions.getByText('Left while it writes').waitFor();
    await chat.lastReply.and(chat.frame.locator('[data-state=running]')).waitFor();
    workbench().service.setSpeed(usualSpeed);
    await chat.ended(0);
    assert.equal(await chat.lastReply.getByText('Stopped').count(), 0);
    assert.equal((await chat.lastReply.locator('.footer').innerText()).includes('1,200 tokens'), true);
  });

  it('in a tab are restored after a reload', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('For a tab, in 10 tokens');
    await workbench().runCommand('Parlance: Open Chat in Editor');
    const chats = await twoChats();
    // The next text that is typed belongs in the chat that was opened.
    await oneFocused(chats);
    await workbench().reload();
    for (const { questions } of await twoChats()) await questions.getByText('For a tab, in 10 tokens').waitFor();
  });

  it('leave nothing behind that a killed window was writing', async () => {
    const folder = join(globalStorage(), 'parlance.parlance', 'conversations');
    await workbench().runCommand('View: Close All Editors');
    // VS Code saves later which tabs are open, and would open a closed one again.
    await ChatDriver.inView(workbench());
    // No process has this ID.
    const torn = `a.draft.${processMark().replace(/^\d+/, '999999999')}.1.tmp`;
    await writeFile(join(folder, torn), 'half a draft');
    await workbench().reload();
    // The page appears long before VS Code has started Parlance.
    await ChatDriver.inView(workbench());
    await waitUntil('it is deleted', async () => !(await readdir(folder)).includes(torn), 60_000);
  });

  async function openList(): Promise<QuickInput> {
    await workbench().runCommand('Parlance: Show Conversations');
    const list = new QuickInput(workbench().page);
    await list.opened('Conversations');
    return list;
  }

  const globalStorage = () => join(workbench().server.dataFolder, 'data', 'User', 'globalStorage');

  async function draftsOnDisk(): Promise<readonly string[]> {
    const folder = globalStorage();
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.draft'));
    // A conversation that has been dropped is gone.
    return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  }

  async function twoChats(): Promise<[ChatDriver, ChatDriver]> {
    return waitUntil('two chats in view', async () => {
      const [one, other, ...more] = (await workbench().chatFrames()).map((frame) => new ChatDriver(workbench(), frame));
      return one && other && more.length === 0 ? [one, other] : undefined;
    });
  }
});

function hasDraft(chat: ChatDriver, text: string): Promise<boolean> {
  return waitUntil(`the draft "${text}"`, async () => (await chat.box.inputValue()) === text);
}
