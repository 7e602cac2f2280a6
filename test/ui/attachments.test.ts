import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { dragFromExplorer } from './dragFromExplorer.ts';
import { dropText, pasteImage } from './filesOnPage.ts';
import { findTraces } from './findTraces.ts';
import { answerDialog } from './modalDialog.ts';
import { samplePicture } from './page/samplePicture.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('An attachment of a message', () => {
  const workbench = useWorkbench({
    settings: { 'git.enabled': true, 'git.openRepositoryInParentFolders': 'never' },
  });

  before('create a repository with changes, and open the chat beside a file', async function () {
    const { workspace } = workbench();
    const git = (...args: string[]): void => {
      const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
      execFileSync('git', [...identity, ...args], { cwd: workspace, stdio: 'pipe' });
    };
    await writeFile(join(workspace, '.gitignore'), 'ignored.log\n');
    await writeFile(join(workspace, 'ignored.log'), 'noise\n');
    await writeFile(join(workspace, '.env'), 'TOKEN=canary\n');
    git('init', '--quiet');
    git('add', 'src', 'README.md');
    git('commit', '--quiet', '-m', 'Start');
    await writeFile(join(workspace, 'README.md'), '# Tasks, staged\n');
    git('add', 'README.md');
    await writeFile(join(workspace, 'src/main.py'), 'print("not staged")\n');
    await writeFile(join(workspace, 'broken.json'), '{ "a": }\n');
    await workbench().reload();
    await openFile('broken.json');
    // The list of what can be added has its problem once VS Code has found it.
    await workbench().page.locator('.editor-instance .squiggly-error').first().waitFor({ timeout: 60_000 });
    await openFile('src/tasks.ts');
    await ChatDriver.open(workbench());
  });

  it('is selected from a list of what is available, and sent as it was read', async () => {
    const chat = await ChatDriver.inView(workbench());
    await workbench().page.locator('.editor-instance .view-line').first().click();
    await workbench().page.keyboard.press('ControlOrMeta+A');
    await add(chat, 'Selection', /^tasks\.ts:1-/);
    await add(chat, 'This File', /^tasks\.ts ?,/);
    await add(chat, 'Open Editors', /^Open editors \(2\)/);
    await choose(chat, 'Folder Tree');
    await new QuickInput(workbench().page).choose(/tasks$/);
    await chip(chat, /^tasks\//).waitFor({ timeout: 60_000 });
    await add(chat, 'All Problems', /^Problems \(1\)/);
    await add(chat, 'Staged Changes', /^Staged changes/);
    await add(chat, 'Unstaged Changes', /^Unstaged changes/);
    await workbench().page.evaluate(() => navigator.clipboard.writeText('from the ``` clipboard'));
    await add(chat, 'Clipboard', /^Clipboard:/);
    await workbench().screenshot('attachments/chosen');

    await chat.ask('What is all this? Answer in 5 tokens');
    const content = await sentContent('What is all this?');
    for (const part of [
      'Selection: src/tasks.ts, lines 1-12\n```typescript\nexport interface Task {',
      'File: src/tasks.ts\n```typescript\nexport interface Task {',
      'File: broken.json\n```json\n{ "a": }\n```',
      'Folder tree: tasks/\n```\nsrc/\n  main.py\n  tasks.ts\n.gitignore\nbroken.json\nREADME.md\n```',
      /Problems:\n```\nbroken\.json:1:8 error json\(\d+\): .+\n {4}\{ "a": \}/,
      /Git diff, staged: tasks\n```diff\ndiff --git [^]+\+# Tasks, staged/,
      /Git diff, not staged: tasks\n```diff\ndiff --git [^]+\+print\("not staged"\)/,
      'Clipboard:\n````\nfrom the ``` clipboard\n````\n\nWhat is all this? Answer in 5 tokens',
    ]) {
      if (typeof part === 'string') assert.ok(content.includes(part), `${part}\n\nis not in\n\n${content}`);
      else assert.match(content, part);
    }
    assert.ok(!content.includes('canary') && !content.includes('noise'));
    assert.equal(await chips(chat).count(), 0);
    assert.equal(await sentChips(chat).count(), 8);
  });

  it('is sent again with a retry, and with an edit', async () => {
    const chat = await ChatDriver.inView(workbench());
    const first = await sentContent('What is all this?');
    await chat.lastReply.hover();
    await chat.lastReply.getByRole('button', { name: 'Retry' }).click();
    await chat.frame.getByRole('menuitem', { name: 'Retry', exact: true }).click();
    await waitUntil('the same body again, answered', () => {
      const answers = workbench()
        .service.asked()
        .filter(({ outcome }) => outcome === 'done');
      return answers.filter(({ requestBody }) => lastContent(requestBody) === first).length === 2;
    });
    // The page might not have the new reply yet.
    await workbench().settle();
    await chat.ended(0);
    await chat.questions.last().hover();
    await chat.questions.last().getByRole('button', { name: 'Edit', exact: true }).click();
    await chat.frame.getByRole('textbox', { name: 'Edit message' }).fill('Once more, in 5 tokens');
    await chat.frame.getByRole('textbox', { name: 'Edit message' }).press('Enter');
    const edited = await sentContent('Once more, in 5 tokens');
    assert.equal(edited, first.replace('What is all this? Answer in 5 tokens', 'Once more, in 5 tokens'));
    await chat.ended(0);
  });

  it('opens as it was sent, read-only', async () => {
    const chat = await ChatDriver.inView(workbench());
    await sentChips(chat).filter({ hasText: 'Clipboard' }).getByRole('button').click();
    const editor = workbench().page.locator('.editor-instance', { hasText: 'from the' });
    await editor.waitFor({ timeout: 60_000 });
    await workbench().closeEditor('Clipboard');
  });

  it('is removed with the keyboard, and the focus stays near', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await openFile('src/tasks.ts');
    await add(chat, 'This File', /^tasks\.ts ?,/);
    await add(chat, 'Staged Changes', /^Staged changes/);
    await chips(chat).first().getByRole('button').first().focus();
    await workbench().page.keyboard.press('Delete');
    await waitUntil('one chip', async () => (await chips(chat).count()) === 1);
    await focused(chat, /^Staged changes/);
    await workbench().page.keyboard.press('Tab');
    await focused(chat, /^Remove Staged/);
    await workbench().page.keyboard.press('Enter');
    await waitUntil('no chip', async () => (await chips(chat).count()) === 0);
    await focused(chat, /^Message$/);
  });

  it('is completed after a #, with the keyboard', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.box.fill('');
    await chat.box.pressSequentially('Look at #main');
    const row = chat.frame.getByRole('option', { name: /main\.py/ });
    await row.waitFor({ timeout: 60_000 });
    await workbench().screenshot('attachments/completing');
    await chat.box.press('Escape');
    await row.waitFor({ state: 'hidden' });
    assert.equal(await chat.box.inputValue(), 'Look at #main');
    await chat.box.press('Backspace');
    await row.waitFor();
    await chat.box.press('ArrowDown');
    await chat.box.press('Enter');
    await chip(chat, /^main\.py ?,/).waitFor({ timeout: 60_000 });
    assert.equal(await chat.box.inputValue(), 'Look at main.py ');
    assert.equal(
      contents().some((content) => content.includes('Look at')),
      false,
    );
    await chat.box.pressSequentially('please, in 5 tokens');
    await chat.box.press('Enter');
    const content = await sentContent('please, in 5 tokens');
    assert.equal(
      content,
      'File: src/main.py\n```python\nprint("not staged")\n```\n\nLook at main.py please, in 5 tokens',
    );
    await chat.ended(0);
  });

  it('is the file in the editor, which is offered and added with one key or one click, and not sent unasked', async () => {
    const { page } = workbench();
    await openFile('src/main.py');
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    const offer = chip(chat, /^Add main\.py/);
    await offer.waitFor({ timeout: 60_000 });
    await chat.ask('What did I not add? In 5 tokens');
    assert.equal(await sentContent('What did I not add?'), 'What did I not add? In 5 tokens');
    for (const [words, addIt] of [
      ['by key', () => page.keyboard.press('Alt+Enter')],
      ['by mouse', () => offer.click()],
    ] as const) {
      await chat.box.focus();
      await addIt();
      await chip(chat, /^main\.py ?,/).waitFor({ timeout: 60_000 });
      // The focus is in the message box after either.
      await page.keyboard.type(`Added ${words}, in 5 tokens`);
      await page.keyboard.press('Enter');
      assert.equal(
        await sentContent(`Added ${words}`),
        `File: src/main.py\n\`\`\`python\nprint("not staged")\n\`\`\`\n\nAdded ${words}, in 5 tokens`,
      );
      await offer.waitFor({ timeout: 60_000 });
      await chat.frame.locator('[data-state=running]').waitFor({ state: 'detached' });
    }
  });

  it('is a file dragged from the Explorer with Shift, as VS Code requires', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await dragFromExplorer(workbench(), chat, 'README.md');
    await chip(chat, /^README\.md ?,/).waitFor({ timeout: 60_000 });
    await workbench().page.keyboard.type('What is it about?');
    await waitUntil('the question', async () => (await chat.box.inputValue()) === 'What is it about?');
    await chat.box.fill('');
    await chips(chat)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await waitUntil('no chip', async () => (await chips(chat).count()) === 0);
  });

  it("is added from a file's menu in the Explorer, without a confirmation", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await workbench().runCommand('File: Focus on Files Explorer');
    const file = workbench().page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'README.md' });
    await chooseFromMenu(workbench().page, file, 'Add to Parlance Chat');
    await chip(chat, /^README\.md ?,/).waitFor({ timeout: 60_000 });
    await chat.ask('What is in the file of the menu? In 5 tokens');
    assert.match(
      await sentContent('What is in the file of the menu?'),
      /^File: README\.md\n```markdown\n# Tasks, staged/,
    );
  });

  it("is added from there to a chat that isn't open, which also says why a file can't be", async () => {
    const { page, workspace } = workbench();
    await (await ChatDriver.inView(workbench())).startAnew();
    await writeFile(join(workspace, 'photo.png'), await samplePicture(40, 30));
    await writeFile(join(workspace, 'words.png'), 'not an image');
    const addToHidden = async (name: string): Promise<ChatDriver> => {
      await workbench().runCommand('View: Hide Secondary Side Bar');
      await workbench().runCommand('File: Focus on Files Explorer');
      const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
      await chooseFromMenu(page, file, 'Add to Parlance Chat');
      return ChatDriver.inView(workbench());
    };
    const photo = /^Image photo\.png/;
    await chip(await addToHidden('photo.png'), photo).waitFor({ timeout: 60_000 });
    const chat = await addToHidden('words.png');
    await chat.refusal.getByText('"words.png" isn\'t a supported image').waitFor({ timeout: 60_000 });
    await chip(chat, photo).waitFor();
    await chips(chat)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await waitUntil('no chip', async () => (await chips(chat).count()) === 0);
  });

  it('is a text dropped from outside VS Code', async () => {
    const chat = await ChatDriver.inView(workbench());
    await dropText(chat.box, 'note.txt', 'from the desktop');
    await chip(chat, /^note\.txt/).waitFor({ timeout: 60_000 });
    await chat.ask('What does the note say? In 5 tokens');
    assert.match(await sentContent('What does the note say?'), /note\.txt\n```[^]*from the desktop\n```/);
  });

  it("needs a confirmation before it's added if it might contain secrets", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await openFile('.env');
    await choose(chat, 'This File');
    await answerDialog(workbench().page, 'might contain passwords', 'Cancel');
    await waitUntil('no chip', async () => (await chips(chat).count()) === 0);
    await choose(chat, 'This File');
    await answerDialog(workbench().page, 'might contain passwords', 'Send Anyway');
    await chip(chat, /^\.env ?,/).waitFor({ timeout: 60_000 });
    await workbench().closeEditor('.env');
  });

  it('is still there after a reload, with the text', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.box.fill('Unsent words 4711');
    await workbench().page.keyboard.press('Tab');
    const { dataFolder } = workbench().server;
    await waitUntil('the draft on disk', async () => (await findTraces(dataFolder, 'Unsent words 4711')).length > 0);
    await workbench().reload();
    const back = await ChatDriver.inView(workbench());
    await chip(back, /^\.env ?,/).waitFor({ timeout: 60_000 });
    assert.equal(await back.box.inputValue(), 'Unsent words 4711');
    await chips(back)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await back.box.fill('');
  });

  it("is reported before sending if it's more than the model accepts", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.chooseModel('local/small');
    await openFile('src/tasks.ts');
    await chat.box.fill('word '.repeat(300));
    // Screen readers announce it too.
    const note = chat.frame
      .locator('.chips-note')
      .getByText(/tokens, more than this model's context window of 256 tokens/);
    await note.waitFor({ timeout: 60_000 });
    await chat.box.fill('');
  });

  it('can be an image: pasted, scaled down, sent to a model with image input, and still there after a reload', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/vision');
    await pasteImage(chat.box, await samplePicture(2000, 1000), 'wide.png');
    await chip(chat, /^Image wide\.png/).waitFor({ timeout: 60_000 });
    await chat.frame.getByTitle(/1,568 × 784 pixels/).waitFor();
    await shown(chat, chips(chat).locator('img'));
    await workbench().screenshot('attachments/picture');
    await chat.ask('What is this?');
    const entry = await workbench().service.waitForEntry(({ kind }) => kind === 'multimodal', 60_000);
    assert.match(entry.path, /\/multimodal\/chat$/);
    assert.match(JSON.stringify(entry.requestBody), /"What is this\?".*"url":"data:image\/png;base64,/);
    await shown(chat, sentChips(chat).locator('img'));

    await workbench().reload();
    const back = await ChatDriver.inView(workbench());
    await shown(back, sentChips(back).locator('img'));
    await workbench().screenshot('attachments/sentPicture');
  });

  it('is sent as a part to the compatible API if a setting says so', async () => {
    await workbench().changeSettings({
      'parlance.services': [{ baseUrl: workbench().service.baseUrl, imageApi: 'compatible' }],
    });
    const chat = await ChatDriver.inView(workbench());
    await chat.ask('And again?');
    const entry = workbench()
      .service.log()
      .findLast(({ kind }) => kind === 'chat');
    assert.match(entry?.path ?? '', /\/v1\/chat\/completions$/);
    assert.match(JSON.stringify(entry?.requestBody), /"And again\?"/);
    assert.match(JSON.stringify(entry?.requestBody), /"url":"data:image\/png;base64,/);
    await workbench().changeSettings({ 'parlance.services': [{ baseUrl: workbench().service.baseUrl }] });
  });

  it("isn't sent to a model without image input", async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await pasteImage(chat.box, await samplePicture(40, 30), 'small.png');
    await chip(chat, /^Image small\.png/).waitFor({ timeout: 60_000 });
    await chat.frame.getByText("doesn't support images").first().waitFor({ timeout: 60_000 });
    const asked = contents().length;
    await chat.send('Can you see it?');
    await chat.refusal.getByText("This model doesn't support images").waitFor();
    assert.equal(await chat.box.inputValue(), 'Can you see it?');
    assert.equal(contents().length, asked);
  });

  /** By its full path: that is listed at once, while a search might still be running. */
  function openFile(path: string): Promise<void> {
    return workbench().openFile(join(workbench().workspace, path));
  }

  /** Opens the list with the composer's button and selects a row. */
  async function choose(chat: ChatDriver, row: string): Promise<void> {
    await chat.button(/^Add Context/).click();
    const list = new QuickInput(workbench().page);
    await list.opened('Add Context');
    await list.box.fill(row);
    await list.choose(row);
  }

  async function add(chat: ChatDriver, row: string, name: RegExp): Promise<void> {
    await choose(chat, row);
    await chip(chat, name).waitFor({ timeout: 60_000 });
  }

  /** The last user message of each chat request, if it's text. */
  function contents(): readonly string[] {
    return workbench()
      .service.log()
      .map(({ requestBody }) => lastContent(requestBody))
      .filter((content) => content !== undefined);
  }

  function sentContent(words: string): Promise<string> {
    return waitUntil(`a request with "${words}"`, () => contents().findLast((content) => content.includes(words)));
  }
});

function lastContent(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return;
  const last: unknown = body.messages.at(-1);
  if (typeof last !== 'object' || last === null || !('content' in last)) return undefined;
  return typeof last.content === 'string' ? last.content : undefined;
}

/** Attachments of the message, without those that are only offered. */
function chips(chat: ChatDriver): Locator {
  return chat.frame.locator('.composer .chip:not(.suggested)');
}

function chip(chat: ChatDriver, name: RegExp): Locator {
  return chat.frame.locator('.composer').getByRole('button', { name });
}

function sentChips(chat: ChatDriver): Locator {
  return chat.questions.last().locator('.chip');
}

/** Waits until the browser has decoded the image. */
async function shown(chat: ChatDriver, picture: Locator): Promise<void> {
  await picture.waitFor({ timeout: 60_000 });
  await waitUntil('the picture', () =>
    picture.evaluate((target) => target instanceof HTMLImageElement && target.complete && target.naturalWidth > 0),
  );
}

async function focused(chat: ChatDriver, name: RegExp): Promise<void> {
  const now = () =>
    chat.frame.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent.trim() ?? '';
    });
  await waitUntil(`the focus on ${name.source}`, async () => name.test(await now()));
}
