import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { ChatBrowser, forgetPosted, intentions, nextOf, postedOf, send } from './chatBrowser.ts';
import { noAttachments } from './pageStates.ts';
import { samplePicture } from './samplePicture.ts';

const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const chips = (page: Page): Locator => page.locator('.composer .chip');

async function paste(page: Page, bytes: Buffer, type: string, text?: string): Promise<void> {
  await box(page).evaluate(
    (target, { base64, mediaType, words }) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([content], 'shot.png', { type: mediaType }));
      if (words !== undefined) clipboardData.setData('text/plain', words);
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { base64: bytes.toString('base64'), mediaType: type, words: text },
  );
}

/** The picture that the page sent: its size and its first bytes. */
function sentPicture(page: Page): Promise<{ width: number; height: number; start: number[]; length: number }> {
  return page.evaluate(() => {
    const message = window.fakeHost.posted.findLast(({ type }) => type === 'addPicture');
    if (message?.type !== 'addPicture') throw new Error('No picture was sent');
    const { width, height, bytes } = message;
    return { width, height, start: [...bytes.slice(0, 4)], length: bytes.length };
  });
}

describe('What goes with a message, on the page', function () {
  this.timeout(60_000);
  const browser = new ChatBrowser();

  it('is sent by its ids with the words, or alone', async () => {
    const page = await browser.open('attached');
    const ids = ['1', '2', '3', '4'].map((end) => `5f0c7a52-96e6-4b16-9a5a-0e8b6ffb000${end}`);
    await box(page).press('Enter');
    await box(page).press('Enter');
    assert.deepEqual(await intentions(page), [
      { type: 'ask', text: 'Why does this test fail?', attachments: ids },
      { type: 'ask', text: '', attachments: ids },
    ]);
  });

  it('is named with its size, for those who see the chips and for those who hear them', async () => {
    const page = await browser.open('attached');
    assert.deepEqual(await chips(page).allInnerTexts(), [
      'tasks.ts:6-12\n≈ 92',
      'Open editors (4)\n≈ 3.4k',
      'Unstaged changes\n≈ 610',
      'Screenshot of the failing test.png\n48 KB',
    ]);
    await page.getByRole('button', { name: 'Open editors (4), ≈ 3,420 tokens' }).waitFor();
    await page.getByRole('img', { name: 'Screenshot of the failing test.png' }).waitFor({ state: 'attached' });
    await page.getByText('≈ 4.9k of 131k tokens').waitFor();
  });

  it('is removed by key and by mouse, and the focus goes to the neighbour', async () => {
    const page = await browser.open('attached');
    await chips(page).nth(1).getByRole('button').first().focus();
    await page.keyboard.press('Backspace');
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    assert.match(await focused(), /^Unstaged changes/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await focused(), /^tasks\.ts/);
    await page.getByRole('button', { name: 'Remove Unstaged changes' }).click();
    assert.deepEqual(
      (await intentions(page)).map((message) => (message.type === 'removeAttachment' ? message.id.slice(-1) : message)),
      ['2', '3'],
    );
    assert.equal(await chips(page).count(), 2);
  });

  it('opens from the draft and from a sent message', async () => {
    const page = await browser.open('sentWithContext');
    await page.getByRole('list', { name: 'Sent with the message' }).first().getByRole('button').first().click();
    assert.deepEqual(await intentions(page), [{ type: 'openAttachment', id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0001' }]);
  });

  it('says when all of it is more than the model takes, and with what words that began', async () => {
    const page = await browser.open('empty');
    await send(page, {
      type: 'attachmentsChanged',
      attachments: { ...noAttachments, conversationTokens: 90, contextWindow: 100 },
    });
    const note = page.locator('.chips-note.warns');
    await box(page).fill('x'.repeat(40));
    assert.equal(await note.isVisible(), false);
    await box(page).fill('x'.repeat(44));
    assert.equal(await note.innerText(), '≈ 101 tokens: more than the 100 that this model takes');
    await box(page).fill('');
    assert.equal(await note.isVisible(), false);
  });

  it('is not sent with a picture to a model that sees none', async () => {
    const page = await browser.open('blind');
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    await page.getByRole('group', { name: 'This model cannot see pictures' }).waitFor();
    assert.equal(await box(page).inputValue(), 'What is it?');
    await page.getByRole('button', { name: 'Another Model…' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'runAction', action: 'selectModel' }]);
  });

  it('may be a pasted picture: small ones go as they are, large ones smaller', async () => {
    const page = await browser.open('empty');
    const small = await samplePicture(300, 200);
    await paste(page, small, 'image/png');
    await nextOf(page, 'addPicture');
    assert.deepEqual(await sentPicture(page), {
      width: 300,
      height: 200,
      start: [0x89, 0x50, 0x4e, 0x47],
      length: small.length,
    });
    await forgetPosted(page);
    await paste(page, await samplePicture(1000, 500), 'image/png');
    await nextOf(page, 'addPicture');
    const { width, height } = await sentPicture(page);
    assert.deepEqual([width, height], [400, 200]);
  });

  it('leaves a paste that has text too to the text', async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(30, 20), 'image/png', 'A table');
    assert.deepEqual(await intentions(page), []);
    assert.equal(await chips(page).count(), 0);
  });

  it('waits with the message for a picture that is on its way', async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(300, 200), 'image/png');
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    await nextOf(page, 'addPicture');
    assert.deepEqual(await postedOf(page, 'ask'), []);
    const id = await page.evaluate(() => {
      const message = window.fakeHost.posted.find(({ type }) => type === 'addPicture');
      return message?.type === 'addPicture' ? message.id : '';
    });
    const picture = {
      kind: 'picture',
      id,
      name: 'shot.png',
      detail: 'shot.png',
      mediaType: 'image/png',
      width: 300,
      height: 200,
      bytes: 9000,
      tokens: 80,
      at: 1,
    } as const;
    await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, items: [picture] } });
    assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', text: 'What is it?', attachments: [id] });
  });

  it('says so when what was pasted is no picture, and keeps the words', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Words');
    await paste(page, Buffer.from('no picture'), 'image/png');
    await page.getByRole('group', { name: '“shot.png” cannot be added' }).waitFor();
    assert.equal(await chips(page).count(), 0);
    assert.equal(await box(page).inputValue(), 'Words');
  });

  it('takes files that are dropped, those of VS Code by their addresses', async () => {
    const page = await browser.open('empty');
    await page.evaluate(() => {
      const drop = (fill: (data: DataTransfer) => void): void => {
        const dataTransfer = new DataTransfer();
        fill(dataTransfer);
        document
          .querySelector('.chat')
          ?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      };
      drop((data) => data.setData('application/vnd.code.uri-list', 'file:///w/a.ts\r\nfile:///w/b.ts'));
      drop((data) => data.items.add(new File(['text inside'], 'notes.txt', { type: 'text/plain' })));
    });
    await nextOf(page, 'addText');
    assert.deepEqual(await intentions(page), [
      { type: 'addDropped', conversationId: 'c1', uris: ['file:///w/a.ts', 'file:///w/b.ts'] },
      { type: 'addText', conversationId: 'c1', name: 'notes.txt', text: 'text inside' },
    ]);
  });

  describe('after a #', () => {
    async function completing(typed: string): Promise<Page> {
      const page = await browser.open('empty');
      await box(page).pressSequentially(typed);
      await nextOf(page, 'complete');
      const asked = (await postedOf(page, 'complete')).at(-1);
      await send(page, {
        type: 'completions',
        request: asked?.type === 'complete' ? asked.request : 0,
        items: [
          { id: '1.0', kind: 'problems', label: 'All Problems', detail: '3' },
          { id: '1.1', kind: 'file', label: 'tasks.ts', detail: 'src/tasks.ts' },
        ],
      });
      await page.getByRole('option').first().waitFor();
      await forgetPosted(page);
      return page;
    }

    it('is a list that the arrows move in while the focus stays in the text', async () => {
      const page = await completing('See #');
      await box(page).press('ArrowDown');
      assert.equal(await page.getByRole('option', { selected: true }).innerText(), 'tasks.ts\nsrc/tasks.ts');
      assert.equal(await box(page).getAttribute('aria-activedescendant'), 'parlance-completions-1');
      await box(page).press('Enter');
      assert.deepEqual(
        (await intentions(page)).filter(({ type }) => type !== 'complete'),
        [{ type: 'addCompletion', id: '1.1' }],
      );
      assert.equal(await box(page).inputValue(), 'See tasks.ts ');
      assert.equal(await page.getByRole('listbox').count(), 0);
    });

    it('leaves Enter to the input method', async () => {
      const page = await completing('See #');
      await box(page).evaluate((target) =>
        target.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }),
        ),
      );
      assert.deepEqual(await intentions(page), []);
      assert.equal(await page.getByRole('listbox').count(), 1);
    });

    it('closes with Escape, and the next Enter sends', async () => {
      const page = await completing('Issue #');
      await box(page).press('Escape');
      assert.equal(await page.getByRole('listbox').count(), 0);
      await box(page).press('Enter');
      assert.deepEqual(await intentions(page), [{ type: 'ask', text: 'Issue #' }]);
    });

    it('is asked for only where a word begins', async () => {
      const page = await browser.open('empty');
      await box(page).pressSequentially('C# and a#b');
      assert.deepEqual(await postedOf(page, 'complete'), []);
    });
  });
});
