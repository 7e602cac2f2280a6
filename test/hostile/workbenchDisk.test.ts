import assert from 'node:assert/strict';
import type { RequestKind } from '../service/inferenceLog.ts';
import { ChatDriver } from '../ui/chatDriver.ts';
import { copiedMarkdown } from '../ui/copiedMarkdown.ts';
import { KeptWorkbench } from '../ui/keptWorkbench.ts';
import { MediaDriver, playFilm } from '../ui/mediaDriver.ts';
import { QuickInput } from '../ui/quickInput.ts';
import { watchWorkbench } from '../ui/useWorkbench.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import { writtenText } from '../ui/writtenText.ts';
import { SmallDisk } from './smallDisk.ts';

const film = { 'Duration in seconds': '2', Resolution: '120p' };
const toggleSideBar = 'View: Toggle Secondary Side Bar Visibility';

describe("A disk that Parlance can't write to", () => {
  let kept: KeptWorkbench;
  let disk: SmallDisk;

  before('open the workbench', async function () {
    this.timeout(180_000);
    const tried: (SmallDisk | string)[] = [];
    kept = await KeptWorkbench.prepare({
      service: { tokensPerSecond: 150, videoSeconds: 0 },
      settings: { 'parlance.chat.maxTokens': 60_000 },
      // VS Code also writes what it tells the user about the disk to its console.
      expectedFaults: /ENOSPC|EROFS|Couldn't save/,
      prepareStorage: async (folder, cleanup) => {
        const made = await SmallDisk.mount(folder, 8);
        if (made instanceof SmallDisk) cleanup.use(made);
        tried.push(made);
      },
    });
    const [mounted] = tried;
    if (!(mounted instanceof SmallDisk)) {
      console.log(`      ${mounted}`);
      this.skip();
    }
    disk = mounted;
    await kept.start();
  });
  watchWorkbench(() => kept);
  after('close the workbench', () => kept[Symbol.asyncDispose]());

  const requests = (kind: RequestKind) => kept.service.log().filter((entry) => entry.kind === kind);
  const unsaved = (chat: ChatDriver) => chat.frame.locator('.unsaved .problem');

  async function reopened(question: string): Promise<ChatDriver> {
    const chat = await ChatDriver.open(kept.page);
    await kept.page.runCommand('Parlance: Show Conversations');
    await new QuickInput(kept.page.page).choose(new RegExp(question));
    await chat.questions.getByText(question).first().waitFor({ timeout: 60_000 });
    return chat;
  }

  it('that is full in the middle of a reply: the conversation says so until there is space, and is then complete', async () => {
    const chat = await ChatDriver.open(kept.page);
    // More than a memory page: data that fits into the current page is still written to a full disk of this kind.
    await chat.send('Write 1500 tokens on full disks');
    await waitUntil('text', async () => (await chat.lastReply.locator('.answer').innerText()).length > 100);
    await disk.fill();
    const card = unsaved(chat);
    await card.waitFor({ timeout: 60_000 });
    const said = await card.innerText();
    assert.match(said, /This conversation isn't saved/);
    assert.match(said, /kept in this window only[^]*Free up disk space[^]*ENOSPC/);
    await chat.ended(0);
    // Its card has said it.
    assert.equal(await kept.page.told(/Couldn't save a conversation/).isShown(), false);
    // The next question isn't saved either.
    await chat.ask('Write 20 tokens on next to nothing');
    assert.equal(await card.count(), 1);
    // Nor is it after it was out of view for a while.
    await kept.page.runCommand(toggleSideBar);
    await waitUntil('no chat in view', async () => (await kept.page.chatFrames()).length === 0);
    await kept.page.runCommand(toggleSideBar);
    const again = await ChatDriver.inView(kept.page);
    await unsaved(again).waitFor();

    await disk.makeRoom();
    await unsaved(again).waitFor({ state: 'detached', timeout: 60_000 });
    await kept.start();
    const later = await reopened('Write 1500 tokens on full disks');
    await later.ended(1);
    for (const [place, entry] of requests('chat').entries()) {
      assert.equal(await copiedMarkdown(kept.page, later, place), writtenText(entry));
    }
    assert.equal(requests('chat').length, 2);
  }).timeout(240_000);

  it('that is full until the window is reloaded: the reply keeps what was saved, and says that it was cut off', async () => {
    const chat = await ChatDriver.open(kept.page);
    await chat.startAnew();
    await chat.send('Write 1500 tokens on reloading');
    await waitUntil('text', async () => (await chat.lastReply.locator('.answer').innerText()).length > 200);
    await disk.fill();
    await unsaved(chat).waitFor({ timeout: 60_000 });
    const before = requests('chat').length;
    await kept.page.reload();
    const again = await reopened('Write 1500 tokens on reloading');
    const reply = again.frame.locator('article.reply[data-state=interrupted]');
    await reply.getByText('interrupted').waitFor({ timeout: 60_000 });
    const text = await copiedMarkdown(kept.page, again, 0);
    assert.ok(text.length > 50);
    const entry = requests('chat').at(-1);
    assert.ok(entry && writtenText(entry).startsWith(text), text);
    assert.equal(requests('chat').length, before);
    await disk.makeRoom();
  }).timeout(180_000);

  it("that is full: a video isn't even requested, and the form says why", async () => {
    const form = await MediaDriver.openForm(kept.page, 'Parlance: Generate Video…');
    await disk.fill();
    await form.generate({ ...film, Model: 'local/video', Prompt: 'No room' });
    const card = form.frame.locator('.problem', { hasText: 'Nothing was sent' });
    await card.waitFor({ timeout: 60_000 });
    assert.match(await card.innerText(), /Free up disk space, then try again/);
    assert.equal(requests('video').length, 0);
    await disk.makeRoom();
  }).timeout(60_000);

  it('that is full while a video arrives: it says so, and the download can be finished without generating it again', async () => {
    const form = await MediaDriver.openForm(kept.page, 'Parlance: Generate Video…');
    await form.generate({ ...film, Model: 'local/video-download-slow', Prompt: 'Too large' });
    const card = form.cards.filter({ hasText: 'Too large' });
    await card.getByRole('button', { name: 'Stop' }).waitFor();
    await disk.fill();
    await card.getByText('The disk is full. Free up disk space, then download it again').waitFor({ timeout: 30_000 });
    await disk.makeRoom();
    await card.getByRole('button', { name: 'Download Again' }).click();
    await playFilm(card);
    assert.equal(requests('video').length, 1);
  }).timeout(120_000);

  it("that is read-only: a new chat says that it isn't saved, and is saved once that's possible", async () => {
    await disk.setReadOnly(true);
    const chat = await ChatDriver.open(kept.page);
    await chat.startAnew();
    await chat.ask('Write 20 tokens on stone');
    await unsaved(chat).waitFor({ timeout: 60_000 });
    assert.match(await unsaved(chat).innerText(), /isn't saved[^]*Make the folder writable[^]*EROFS/);
    await disk.setReadOnly(false);
    await unsaved(chat).waitFor({ state: 'detached', timeout: 60_000 });
    await kept.page.reload();
    const again = await reopened('Write 20 tokens on stone');
    await again.ended(0);
    assert.equal(await unsaved(again).count(), 0);
  }).timeout(180_000);
});
