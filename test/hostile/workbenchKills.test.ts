import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogEntry, RequestKind } from '../service/inferenceLog.ts';
import { ChatDriver } from '../ui/chatDriver.ts';
import { copiedMarkdown } from '../ui/copiedMarkdown.ts';
import { KeptWorkbench } from '../ui/keptWorkbench.ts';
import { MediaDriver, playFilm } from '../ui/mediaDriver.ts';
import { QuickInput } from '../ui/quickInput.ts';
import { watchWorkbench } from '../ui/useWorkbench.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import { writtenText } from '../ui/writtenText.ts';

const film = { 'Duration in seconds': '2', Resolution: '120p' };
const inTheMiddle = 'Write 30000 tokens on the middle';
const thinking = 'Write 30000 tokens on thoughts';
const noWord = 'Write 30000 tokens on silence';

/** How VS Code ends and starts again. */
const ways: Readonly<Record<string, (kept: KeptWorkbench) => Promise<void>>> = {
  'the extension host was killed': (kept) => kept.page.killExtensionHost(),
  'the whole server was killed': async (kept) => {
    await kept.kill();
    await kept.start();
  },
};

for (const [way, kill] of Object.entries(ways)) {
  describe(`After ${way} while much was going on`, () => {
    let kept: KeptWorkbench;
    /** The unfinished reply from before VS Code was killed. */
    let seen = '';
    let asked: readonly LogEntry[] = [];

    const requests = (...kinds: readonly RequestKind[]) =>
      kept.service.log().filter(({ kind }) => kind !== undefined && kinds.includes(kind));
    const files = async (folder: string, ending: string) =>
      (await readdir(join(kept.storage, folder)).catch(() => [])).some((name) => name.endsWith(ending));

    before('replies, a video, a download, and a draft are cut off at once', async function () {
      this.timeout(240_000);
      kept = await KeptWorkbench.prepare({
        service: { tokensPerSecond: 40, videoSeconds: 0 },
        settings: { 'parlance.chat.maxTokens': 60_000 },
      });
      const page = await kept.start();
      const chat = await ChatDriver.open(page);
      await chat.send(inTheMiddle);
      const words = async () => (await chat.lastReply.locator('.answer').textContent()) ?? '';
      await waitUntil('text', async () => (await words()).length > 300, 40_000);
      seen = await words();
      await chat.box.fill('Half a question');
      await waitUntil('the draft on disk', () => files('conversations', '.draft'));
      await openAnother(chat);
      await chat.chooseModel('local/thinker');
      await chat.send(thinking);
      await chat.lastReply.locator('.reasoning').waitFor({ timeout: 60_000 });
      await openAnother(chat);
      await chat.chooseModel('local/slow');
      const form = await MediaDriver.openForm(page, 'Parlance: Generate Video…');
      await form.generate({ ...film, Model: 'local/video-slow', Prompt: 'Killed while it was made' });
      await waitUntil('the request for a video', () => requests('video').length === 1);
      await form.generate({ ...film, Model: 'local/video-download-slow', Prompt: 'Killed while it came' });
      await waitUntil('a part of the download', () => files(join('media', 'results'), '.part'));
      await chat.send(noWord);
      await waitUntil('the last request', () => requests('chat').length === 3);
      await kill(kept);
      asked = requests('chat', 'video');
    });
    watchWorkbench(() => kept);
    after('close the workbench', () => kept[Symbol.asyncDispose]());

    /** A conversation as VS Code shows it after it was killed. */
    async function reopened(words: string): Promise<ChatDriver> {
      const chat = await ChatDriver.open(kept.page);
      await kept.page.runCommand('Parlance: Show Conversations');
      await new QuickInput(kept.page.page).choose(new RegExp(words));
      return chat;
    }

    async function interrupted(question: string) {
      const chat = await reopened(question);
      await chat.questions.getByText(question).waitFor({ timeout: 60_000 });
      const reply = chat.frame.locator('article.reply[data-state=interrupted]');
      await reply.getByText('interrupted').waitFor({ timeout: 60_000 });
      return { chat, reply };
    }

    it('a reply is kept up to where it was cut off, says so, and can continue, with what was typed since', async () => {
      const { chat, reply } = await interrupted(inTheMiddle);
      await reply.getByRole('button', { name: 'Continue' }).waitFor();
      const text = await copiedMarkdown(kept.page, chat, 0);
      const atService = await kept.service.waitForEntry(
        ({ requestBody, outcome }) => JSON.stringify(requestBody).includes(inTheMiddle) && outcome !== 'running',
        60_000,
      );
      assert.ok(writtenText(atService).startsWith(text), text);
      // The page shows Markdown without its syntax.
      const letters = (words: string) => words.replaceAll(/\W/g, '');
      assert.ok(letters(text).startsWith(letters(seen).slice(0, 150)), text);
      await waitUntil('what was not sent yet', async () => (await chat.box.inputValue()) === 'Half a question');
    });

    it('a reply that was only thinking keeps its thoughts, and says that it was cut off', async () => {
      const { reply } = await interrupted(thinking);
      await reply.locator('.reasoning').waitFor();
      await reply.getByRole('button', { name: 'Retry' }).waitFor();
    });

    it('a reply without a word yet is shown, and says that it was cut off', async () => {
      const { reply } = await interrupted(noWord);
      await reply.getByRole('button', { name: 'Retry' }).waitFor();
    });

    it('a video that was being generated is marked unknown, with what to do', async () => {
      const gallery = await MediaDriver.openGallery(kept.page);
      const card = gallery.cards.filter({ hasText: 'Killed while it was made' });
      await card.and(gallery.frame.locator('[data-state=unknown]')).waitFor({ timeout: 30_000 });
      assert.match(await card.innerText(), /Might have been generated[^]*never resends it automatically/);
      await card.getByRole('button', { name: /^Run again/ }).waitFor();
    });

    it("an unfinished download completes on its own, and the video isn't generated again", async () => {
      const gallery = await MediaDriver.openGallery(kept.page);
      const card = gallery.cards.filter({ hasText: 'Killed while it came' });
      await card.locator('video').waitFor({ timeout: 40_000 });
      await playFilm(card);
    });

    it('nothing was sent a second time', () => {
      assert.deepEqual(
        requests('chat', 'video').map(({ id }) => id),
        asked.map(({ id }) => id),
      );
      assert.equal(asked.length, 5);
    });

    async function openAnother(chat: ChatDriver): Promise<void> {
      await kept.page.driver.runToEnd('parlance.newChat');
      await chat.frame.locator('.empty-body').waitFor();
      await waitUntil('an empty box', async () => (await chat.box.inputValue()) === '');
    }
  });
}
