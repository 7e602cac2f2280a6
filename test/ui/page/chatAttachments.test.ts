import assert from 'node:assert/strict';
import { ChatBrowser, drawn, forgetPosted, intentions, nextOf, postedOf, send, stopClock } from './chatBrowser.ts';
import { movingStill } from './movingStill.ts';
import { chat, diff, noAttachments, screenshot } from './pageStates.ts';
import { samplePicture } from './samplePicture.ts';
import {
  box,
  chips,
  dropFiles,
  dropUris,
  fileOf,
  focusedName,
  idOfLast,
  paste,
  sentPicture,
  show,
} from './attachmentsOnPage.ts';

describe('What is sent with a message, on the page', function () {
  const browser = new ChatBrowser();

  it('is sent once by its ID, with the text or alone', async () => {
    const ids = ['1', '2', '3', '4'].map((end) => `5f0c7a52-96e6-4b16-9a5a-0e8b6ffb000${end}`);
    for (const text of ['Why does this test fail?', '']) {
      const page = await browser.open('attached');
      await box(page).fill(text);
      await box(page).press('Enter');
      await box(page).press('Enter');
      assert.deepEqual(await intentions(page), [{ type: 'ask', conversationId: 'c1', text, attachments: ids }]);
      assert.equal(await chips(page).count(), 0);
    }
  });

  it('is restored when the message was refused', async () => {
    const page = await browser.open('attached');
    await box(page).press('Enter');
    assert.equal(await chips(page).count(), 0);
    const problem = { severity: 'error', title: 'No API key', detail: '', actions: [], technical: '' } as const;
    await send(page, { type: 'askRefused', text: 'Why does this test fail?', problem });
    assert.equal(await chips(page).count(), 4);
    await forgetPosted(page);
    await box(page).press('Enter');
    const [again] = await intentions(page);
    assert.equal(again?.type === 'ask' && again.attachments?.length, 4);
  });

  it('is named with its size, visibly and for screen readers', async () => {
    const page = await browser.open('attached');
    const named = chips(page).locator('.chip-open');
    assert.deepEqual(await named.locator('.chip-name').allInnerTexts(), [
      'tasks.ts:6-12',
      'Open editors (4)',
      'Unstaged changes',
      'Screenshot of the failing test.png',
    ]);
    assert.deepEqual(await named.locator('.chip-size').allInnerTexts(), ['≈ 92', '≈ 3.4k', '≈ 610', '47 KB']);
    await page.getByRole('button', { name: /^Open editors \(4\) ?, ≈ 3\.4k tokens$/ }).waitFor();
    await page.getByRole('button', { name: /^Image Screenshot of the failing test\.png ?, 47 KB$/ }).waitFor();
    await page.getByText('≈ 4.9k of 128k tokens').waitFor();
  });

  it('is removed by key and by mouse, and the focus moves to the neighbor', async () => {
    const page = await browser.open('attached');
    await chips(page).nth(1).getByRole('button').first().focus();
    await page.keyboard.press('Backspace');
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
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

  it('keeps the focus on its button when the host sends the list', async () => {
    const page = await browser.open('attached');
    await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, items: [diff, screenshot] } });
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .focus();
    await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, items: [diff] } });
    assert.match(await focusedName(page), /^Remove /);
  });

  it('opens from the draft and from a sent message', async () => {
    const page = await browser.open('sentWithContext');
    await page.getByRole('list', { name: 'Sent with the message' }).first().getByRole('button').first().click();
    assert.deepEqual(await intentions(page), [{ type: 'openAttachment', id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0001' }]);
  });

  it("shows when it's more than the model accepts in total, and where that began", async () => {
    const page = await browser.open('empty');
    await send(page, {
      type: 'attachmentsChanged',
      attachments: { ...noAttachments, conversationTokens: 90, contextWindow: 100 },
    });
    const note = page.locator('.chips-note.warns');
    await box(page).fill('x'.repeat(40));
    assert.equal(await note.isVisible(), false);
    await box(page).fill('x'.repeat(44));
    assert.equal(await note.innerText(), "≈ 101 tokens, more than this model's context window of 100 tokens");
    await box(page).fill('');
    assert.equal(await note.isVisible(), false);
  });

  it('is announced as too much only once, however much more is typed', async () => {
    const page = await browser.open('empty');
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const live = document.querySelector('[aria-live=polite]');
      if (live === null) throw new Error('Nothing is read out on this page');
      new MutationObserver(() => said.push(live.textContent)).observe(live, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    await send(page, {
      type: 'attachmentsChanged',
      attachments: { ...noAttachments, conversationTokens: 90, contextWindow: 100 },
    });
    await box(page).fill('x'.repeat(44));
    await page.waitForFunction(() => Reflect.get(window, 'said').some((text: string) => text.includes('101 tokens')));
    await box(page).pressSequentially('y'.repeat(30));
    await drawn(page);
    const said = await page.evaluate<string[]>(() => Reflect.get(window, 'said'));
    assert.deepEqual(
      said.filter((text) => text.includes('tokens')),
      ["≈ 101 tokens, more than this model's context window of 100 tokens"],
    );
  });

  it("isn't sent with an image to a model without image input", async () => {
    const page = await browser.open('blind');
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    await page.getByRole('group', { name: "This model doesn't support images" }).waitFor();
    assert.equal(await box(page).inputValue(), 'What is it?');
    await page.getByRole('button', { name: 'Select Another Model…' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'runAction', action: 'selectModel' }]);
    await send(page, { type: 'optionsChanged', options: { model: 'local/eye' }, defaults: {} });
    assert.equal(await page.locator('.refusal .problem').count(), 0);
  });

  it('is reported as unsuitable for the model only while the image is attached', async () => {
    const page = await browser.open('blind');
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    const card = page.getByRole('group', { name: "This model doesn't support images" });
    await card.waitFor();
    const view = { ...noAttachments, seesPictures: false };
    await send(page, { type: 'attachmentsChanged', attachments: { ...view, items: [screenshot, diff] } });
    assert.equal(await card.count(), 1);
    await send(page, { type: 'attachmentsChanged', attachments: { ...view, items: [diff] } });
    assert.equal(await card.count(), 0);
  });

  it('can be a pasted image: small ones are sent unchanged, large ones are scaled down', async () => {
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

  it("isn't created from a paste that also contains text", async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(30, 20), 'image/png', 'A table');
    assert.deepEqual(await intentions(page), []);
    assert.equal(await chips(page).count(), 0);
  });

  it('can be a pasted file, whose name is no text to insert', async () => {
    const page = await browser.open('empty');
    await paste(page, Buffer.from('text inside'), 'text/plain', undefined, 'notes.txt');
    const message = await nextOf(page, 'addText');
    assert.deepEqual(message?.type === 'addText' && [message.name, message.text], ['notes.txt', 'text inside']);
    const picture = await samplePicture(30, 20);
    for (const names of [
      'my shot.png',
      '/home/me/my shot.png\n',
      'file:///C:/me/my%20shot.png',
      'C:\\me\\my shot.png',
    ]) {
      await forgetPosted(page);
      await paste(page, picture, 'image/png', names, 'my shot.png');
      await nextOf(page, 'addPicture');
    }
    assert.equal(await chips(page).count(), 5);
    assert.equal(await box(page).inputValue(), '');
  });

  it('waits with the message for an image that is loading', async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(300, 200), 'image/png');
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    const id = await idOfLast(page, 'addPicture');
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await page.getByText('Sends when attachments are ready').waitFor();
    assert.deepEqual(await movingStill(page), { bySystem: 0, byVsCode: 0 });
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
    await show(page, picture);
    assert.deepEqual(await nextOf(page, 'ask'), {
      type: 'ask',
      conversationId: 'c1',
      text: 'What is it?',
      attachments: [id],
    });
  });

  it('sends nothing that waited for an image once another conversation is shown', async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(300, 200), 'image/png');
    await box(page).fill('For the first');
    await box(page).press('Enter');
    await idOfLast(page, 'addPicture');
    await send(page, { type: 'snapshot', snapshot: chat([], { conversationId: 'c2', draft: 'For the second' }) });
    await show(page);
    assert.deepEqual(await postedOf(page, 'ask'), []);
    assert.equal(await box(page).inputValue(), 'For the second');
    assert.equal(await chips(page).count(), 0);
  });

  it('waits with the message for what the user selected outside of the page', async () => {
    const page = await browser.open('empty');
    const id = '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0009';
    await send(page, { type: 'adding', conversationId: 'c0', id: `not-${id}`, name: 'other.ts' });
    await send(page, { type: 'adding', conversationId: 'c1', id, name: 'tasks.ts' });
    assert.deepEqual(await chips(page).allInnerTexts(), ['tasks.ts\nadding…']);
    await box(page).fill('What is it?');
    await box(page).press('Enter');
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await show(page, fileOf(id));
    const asked = await nextOf(page, 'ask');
    assert.deepEqual(asked?.type === 'ask' && asked.attachments, [id]);
    // A page that has just opened hears of it after it has it.
    await send(page, { type: 'adding', conversationId: 'c1', id, name: 'tasks.ts' });
    assert.doesNotMatch((await chips(page).allInnerTexts()).join(), /adding/);
  });

  it('waits with the message for what comes with a selection, and is sent without it if there is none, it takes too long, or it is removed', async () => {
    for (const end of ['none', 'late', 'removed']) {
      const page = await browser.open('empty', { ownClock: true });
      await send(page, { type: 'adding', conversationId: 'c1', id: 'selection', name: 'selection' });
      await send(page, { type: 'adding', conversationId: 'c1', id: 'around', name: 'around', isOptional: true });
      await box(page).fill('What is it?');
      await box(page).press('Enter');
      await show(page, fileOf('selection'));
      assert.deepEqual(await page.locator('.chip.pending').allInnerTexts(), ['around\nadding…']);
      assert.deepEqual(await postedOf(page, 'ask'), []);
      if (end === 'none') await send(page, { type: 'notAdded', id: 'around' });
      else if (end === 'late') await page.clock.runFor(15_000);
      else await page.getByRole('button', { name: 'Remove around' }).click();
      const asked = await nextOf(page, 'ask');
      assert.deepEqual(asked?.type === 'ask' && asked.attachments, ['selection'], end);
    }
  });

  it("doesn't read an image that the user canceled before the host had read it", async () => {
    const page = await browser.open('empty');
    await send(page, { type: 'adding', conversationId: 'c1', id: 'canceled', name: 'shot.png' });
    await page.getByRole('button', { name: 'Remove shot.png' }).click();
    const picture = { type: 'pictureRead', name: 'shot.png', mediaType: 'image/png', conversationId: 'c1' } as const;
    const bytes = new Uint8Array(await samplePicture(30, 20));
    await send(page, { ...picture, id: 'canceled', bytes });
    await send(page, { ...picture, id: 'wanted', bytes });
    await nextOf(page, 'addPicture');
    const added = await postedOf(page, 'addPicture');
    assert.deepEqual(
      added.map((message) => 'id' in message && message.id),
      ['wanted'],
    );
  });

  it('is added to the conversation that the host read an image for, whichever is shown by then', async () => {
    const page = await browser.open('empty');
    await send(page, { type: 'snapshot', snapshot: chat([], { conversationId: 'c2' }) });
    const picture = { type: 'pictureRead', name: 'shot.png', mediaType: 'image/png' } as const;
    const bytes = await samplePicture(30, 20);
    for (const conversationId of ['c1', 'c2']) {
      await send(page, { ...picture, conversationId, id: `for-${conversationId}`, bytes: new Uint8Array(bytes) });
      const added = await nextOf(page, 'addPicture');
      assert.ok(added?.type === 'addPicture');
      assert.deepEqual([added.conversationId, added.id], [conversationId, `for-${conversationId}`]);
      assert.equal(await chips(page).count(), conversationId === 'c1' ? 0 : 1);
      await forgetPosted(page);
    }
  });

  it("sends nothing that waited and was then changed, until it's sent again", async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(300, 200), 'image/png');
    await box(page).fill('What is it');
    await box(page).press('Enter');
    const id = await idOfLast(page, 'addPicture');
    await box(page).pressSequentially(', and why');
    await show(page, fileOf(id));
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await box(page).press('Enter');
    assert.deepEqual(await nextOf(page, 'ask'), {
      type: 'ask',
      conversationId: 'c1',
      text: 'What is it, and why',
      attachments: [id],
    });
  });

  it("can be canceled while it's loading, and is removed if it arrives anyway", async () => {
    const page = await browser.open('empty');
    await paste(page, await samplePicture(300, 200), 'image/png');
    const id = await idOfLast(page, 'addPicture');
    assert.deepEqual(await chips(page).allInnerTexts(), ['shot.png\nadding…']);
    await box(page).fill('Never mind');
    await box(page).press('Enter');
    await page.getByRole('button', { name: 'Remove shot.png' }).click();
    assert.equal(await chips(page).count(), 0);
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await show(page, fileOf(id));
    assert.equal(await chips(page).count(), 0);
    assert.deepEqual(await postedOf(page, 'removeAttachment'), [
      { type: 'removeAttachment', conversationId: 'c1', id },
    ]);
    await box(page).press('Enter');
    assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', conversationId: 'c1', text: 'Never mind' });
  });

  it('delays no message for longer than 15 seconds, says so, and accepts what arrives later', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    await dropUris(page, ['file:///w/a.ts']);
    const id = await idOfLast(page, 'addDropped');
    await box(page).fill('Is it in?');
    await box(page).press('Enter');
    await page.clock.runFor(12_000);
    assert.deepEqual(await chips(page).allInnerTexts(), ['a.ts\nadding…']);
    await page.clock.runFor(3000);
    assert.deepEqual(await chips(page).allInnerTexts(), ['a.ts\nnot added']);
    const card = page.getByRole('group', { name: 'Couldn\'t add "a.ts"' });
    await card.getByRole('button', { name: 'Show Log' }).waitFor();
    assert.equal(await box(page).inputValue(), 'Is it in?');
    // The user decides: it isn't sent without the image automatically.
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await box(page).press('Enter');
    assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', conversationId: 'c1', text: 'Is it in?' });
    await show(page, fileOf(id));
    assert.equal(await page.locator('.chip.late').count(), 0);
    assert.equal(await chips(page).count(), 1);
    // An image that arrived in time isn't reported as late afterwards.
    await page.clock.runFor(20_000);
    assert.equal(await card.count(), 0);
  });

  it('is no longer reported as late once it arrives, or the user removes it', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    await dropUris(page, ['file:///w/a.ts']);
    const id = await idOfLast(page, 'addDropped');
    await page.clock.runFor(15_000);
    const card = page.locator('.refusal .problem');
    assert.equal(await card.count(), 1);
    await show(page, fileOf(id));
    assert.equal(await card.count(), 0);

    await dropUris(page, ['file:///w/b.ts']);
    await page.clock.runFor(15_000);
    assert.equal(await card.count(), 1);
    await page.getByRole('button', { name: 'Remove b.ts' }).click();
    assert.equal(await card.count(), 0);
  });

  it('is late only if nothing else arrived in its time: many files are read one after another', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    await dropUris(page, ['file:///w/a.ts', 'file:///w/b.ts', 'file:///w/c.ts']);
    const ids = (await postedOf(page, 'addDropped')).flatMap((message) => ('id' in message ? [message.id] : []));
    await page.clock.runFor(10_000);
    await send(page, { type: 'notAdded', id: ids[0] ?? '' });
    await page.clock.runFor(10_000);
    await show(page, fileOf(ids[1] ?? ''));
    await page.clock.runFor(14_000);
    assert.deepEqual(await page.locator('.chip.pending').allInnerTexts(), ['c.ts\nadding…']);
    await page.clock.runFor(1000);
    assert.deepEqual(await page.locator('.chip.late').allInnerTexts(), ['c.ts\nnot added']);
  });

  it('delays a message for as long as the user is asked about an attachment', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    await dropUris(page, ['file:///w/a.ts']);
    await page.clock.runFor(14_000);
    await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, isAsking: true } });
    await dropUris(page, ['file:///w/b.ts']);
    const id = await idOfLast(page, 'addDropped');
    await page.clock.runFor(120_000);
    assert.deepEqual(await chips(page).allInnerTexts(), ['a.ts\nadding…', 'b.ts\nadding…']);
    await show(page);
    await page.clock.runFor(14_000);
    await show(page, fileOf(id));
    assert.deepEqual(await page.locator('.chip.pending').allInnerTexts(), ['a.ts\nadding…']);
    await page.clock.runFor(15_000);
    assert.deepEqual(await page.locator('.chip.late').allInnerTexts(), ['a.ts\nnot added']);
  });

  it('delays a message as long in a page that was opened while the user was asked', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    const attachments = { ...noAttachments, isAsking: true };
    await send(page, { type: 'snapshot', snapshot: chat([], { attachments }) });
    await dropUris(page, ['file:///w/a.ts']);
    await page.clock.runFor(120_000);
    assert.deepEqual(await chips(page).allInnerTexts(), ['a.ts\nadding…']);
    await show(page);
    await page.clock.runFor(14_000);
    await show(page);
    await page.clock.runFor(1000);
    assert.deepEqual(await page.locator('.chip.late').allInnerTexts(), ['a.ts\nnot added']);
  });

  it("reports a pasted file that isn't an image, and keeps the text", async () => {
    const page = await browser.open('empty');
    await box(page).fill('Words');
    await paste(page, Buffer.from('no picture'), 'image/png');
    await page.getByRole('group', { name: 'Couldn\'t add "shot.png"' }).waitFor();
    assert.equal(await chips(page).count(), 0);
    assert.equal(await box(page).inputValue(), 'Words');
  });

  it('accepts dropped files, those from VS Code by their URIs', async () => {
    const page = await browser.open('empty');
    await dropUris(page, ['file:///w/a.ts', 'file:///w/b.ts']);
    await dropFiles(page, [{ name: 'notes.txt', text: 'text inside' }]);
    await nextOf(page, 'addText');
    // The question is typed next.
    assert.equal(await box(page).evaluate((text) => text === document.activeElement), true);
    assert.deepEqual(await chips(page).locator('.chip-name').allInnerTexts(), ['a.ts', 'b.ts', 'notes.txt']);
    const posted = await intentions(page);
    assert.equal(new Set(posted.map((message) => 'id' in message && message.id)).size, 3);
    assert.deepEqual(
      posted.map((message) => ({ ...message, id: '' })),
      [
        { type: 'addDropped', conversationId: 'c1', id: '', uri: 'file:///w/a.ts' },
        { type: 'addDropped', conversationId: 'c1', id: '', uri: 'file:///w/b.ts' },
        { type: 'addText', conversationId: 'c1', id: '', name: 'notes.txt', text: 'text inside' },
      ],
    );
  });

  it('accepts a whole file with multibyte characters, and reports one with too many bytes', async () => {
    const page = await browser.open('empty');
    const text = 'ä'.repeat(600_000);
    await dropFiles(page, [{ name: 'long.txt', text }]);
    const message = await nextOf(page, 'addText');
    assert.equal(message?.type === 'addText' && message.text === text, true);
    await dropFiles(page, [{ name: 'longer.txt', text: 'ä'.repeat(1_000_001) }]);
    await page.getByRole('group', { name: '"longer.txt" is too long' }).waitFor();
    assert.equal((await postedOf(page, 'addText')).length, 1);
  });

  it("reports that a folder can't be read, and accepts the files beside it", async () => {
    const page = await browser.open('empty');
    await dropFiles(page, [{ name: 'src' }, { name: 'notes.txt', text: 'text inside' }]);
    await nextOf(page, 'addText');
    await page.getByRole('group', { name: 'Couldn\'t add "src"' }).waitFor();
    assert.deepEqual(await chips(page).locator('.chip-name').allInnerTexts(), ['notes.txt']);
  });

  it('reports a drop of more than a message accepts', async () => {
    const page = await browser.open('empty');
    await dropUris(
      page,
      Array.from({ length: 31 }, (_, index) => `file:///w/${index}.ts`),
    );
    await page.getByRole('group', { name: 'Too many attachments' }).waitFor();
    assert.equal((await postedOf(page, 'addDropped')).length, 30);
  });
});
