import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChatBrowser, drawn, forgetPosted, nextOf, postedOf, saveDraft, send, stopClock } from './chatBrowser.ts';
import { reply, user } from './pageStates.ts';
import { silenceWords } from './silenceWords.ts';

function activeName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement;
    return active?.getAttribute('aria-label') ?? active?.textContent ?? '';
  });
}

/** Presses a key until the control with this name has the focus. */
async function waitForKey(page: Page, key: string, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press(key);
    if ((await activeName(page)) === name) return;
  }
  assert.fail(`${name} isn't reached with ${key}`);
}

describe('the page and its host', function () {
  const browser = new ChatBrowser();

  it('asks for a snapshot once when a message was missed, and continues from it', async () => {
    const page = await browser.open('done');
    await forgetPosted(page);
    const posted = await page.evaluate(() => {
      window.fakeHost.skip();
      window.fakeHost.send({ type: 'titleChanged', title: 'Missed' });
      window.fakeHost.send({ type: 'titleChanged', title: 'Missed again' });
      return window.fakeHost.posted.map(({ type }) => type);
    });
    assert.deepEqual(posted, ['ready']);
    await send(page, { type: 'titleChanged', title: 'Back' });
    await page.waitForFunction(() => document.title === 'Back');
  });

  it('shows an empty chat before what shows messages is loaded, and then the messages that arrived until then', async () => {
    const { asked, release } = browser.holdScripts(/^(?:transcriptParts|markdownView)-/);
    const page = await browser.open('empty');
    await asked;
    await page.getByRole('heading', { name: 'Ask any model' }).waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Typed meanwhile');
    await send(page, { type: 'messageAdded', message: user('q1', 'The question') });
    await send(page, { type: 'messageAdded', message: reply('a1', 'Here', { state: 'running', metrics: {} }) });
    await send(page, { type: 'replyGrew', replyId: 'a1', part: 'text', offset: 4, text: ' it is' });
    await drawn(page);
    assert.equal(await page.getByRole('article').count(), 0);
    release();
    await page.getByText('Here it is').waitFor();
    const names = await page
      .getByRole('article')
      .evaluateAll((articles) => articles.map((article) => article.getAttribute('aria-label')));
    assert.deepEqual(names, ['You', 'meta/llama-4-scout']);
    assert.equal(await page.getByRole('heading', { name: 'Ask any model' }).isVisible(), false);
    assert.equal(await page.getByRole('textbox', { name: 'Message', exact: true }).inputValue(), 'Typed meanwhile');
  });

  it('shows a stored chat at once, complete, when what shows messages is loaded', async () => {
    const { asked, release } = browser.holdScripts(/^(?:transcriptParts|markdownView)-/);
    const opening = browser.open('done');
    await asked;
    release();
    const page = await opening;
    assert.ok((await page.getByRole('article').count()) > 0, 'the conversation appeared without its messages');
  });

  it('tells the host and the user if what shows messages could not be loaded', async () => {
    const page = await browser.open('empty');
    await page.route(/\/transcriptParts-/, (route) => route.abort());
    await page.reload();
    await page.getByRole('log').waitFor();
    const words = page.getByRole('alert').getByText(silenceWords);
    assert.equal(await words.isVisible(), false);
    await send(page, { type: 'messageAdded', message: user('q1', 'The question') });
    await words.waitFor();
    await browser.pages.takeError(/failed at the message messageAdded/);
    await browser.pages.takeError(/Failed to fetch/);
    await browser.pages.takeError(/ERR_FAILED .*transcriptParts-/);
  });

  it('still wraps long lines of code after it was hidden, which destroys the page', async () => {
    const page = await browser.open('done');
    const wrap = () => page.getByRole('button', { name: 'Wrap Lines' }).first();
    await wrap().click();
    for (const isOn of [true, false]) {
      await page.reload();
      await page.locator(`[data-action=wrap][aria-pressed=${isOn}]`).first().waitFor();
      await wrap().click();
      await drawn(page);
    }
  });

  it("asks for a snapshot when text doesn't fit, and shows the text only once", async () => {
    const page = await browser.open('done');
    await forgetPosted(page);
    await send(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset: 9, text: 'NO' });
    await nextOf(page, 'ready');
    await drawn(page);
    const text = await page.getByRole('article', { name: 'meta/llama-4-scout' }).textContent();
    assert.equal(text?.split('Removing from an array').length, 2);
    assert.doesNotMatch(text ?? '', /NO/);
  });

  it("shows the host's message above the message box, and its button, Dismiss, and Escape end it", async () => {
    const page = await browser.open('told');
    const note = (words: string) => page.locator('.note', { hasText: words });
    const box = await page.getByRole('textbox', { name: 'Message', exact: true }).boundingBox();
    const shown = await note('is stored').boundingBox();
    assert.ok(box && shown && shown.y + shown.height <= box.y, 'it covers the message box');
    await note('Testing').getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await nextOf(page, 'endNote'), { type: 'endNote', id: 'n1', button: 'Cancel' });
    await forgetPosted(page);
    await note('is stored').getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await nextOf(page, 'endNote'), { type: 'endNote', id: 'n3' });
    await forgetPosted(page);
    // By keyboard, from the message box backward.
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await waitForKey(page, 'Shift+Tab', 'Dismiss');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await activeName(page), 'Test Connection');
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'endNote'), { type: 'endNote', id: 'n3', button: 'Test Connection' });
    await forgetPosted(page);
    await page.keyboard.press('Escape');
    assert.deepEqual(await nextOf(page, 'endNote'), { type: 'endNote', id: 'n3' });
    await forgetPosted(page);
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.keyboard.press('Escape');
    assert.deepEqual(await nextOf(page, 'endNote'), { type: 'endNote', id: 'n3' });
  });

  it("announces the host's message, doesn't move the focus, and returns the focus when it ends", async () => {
    const page = await browser.open('done');
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.focus();
    const told = {
      id: 'n9',
      severity: 'warning',
      text: 'The daily budget is spent.',
      buttons: ['Show Usage'],
    } as const;
    await send(page, { type: 'notesChanged', notes: [told] });
    await page.getByRole('status').getByText('The daily budget is spent.').waitFor();
    assert.equal(await activeName(page), await box.getAttribute('aria-label'));
    const button = page.getByRole('button', { name: 'Show Usage' });
    await button.focus();
    await send(page, { type: 'notesChanged', notes: [{ ...told, text: 'The daily budget is spent: $2.' }] });
    assert.equal(await activeName(page), 'Show Usage');
    await send(page, { type: 'notesChanged', notes: [] });
    await button.waitFor({ state: 'detached' });
    assert.equal(await activeName(page), await box.getAttribute('aria-label'));
  });

  it('keeps the draft when the host sends a new snapshot', async () => {
    const page = await browser.open('done');
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thought');
    await page.evaluate(() => {
      window.fakeHost.skip();
      window.fakeHost.send({ type: 'composerFocused' });
    });
    await drawn(page);
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    assert.equal(await box.inputValue(), 'Half a thought');
  });

  it('accepts text and focus from the host, below what is typed', async () => {
    const page = await browser.open('done');
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await send(page, { type: 'draftAdded', text: 'Explain this' });
    await send(page, { type: 'composerFocused' });
    assert.equal(await box.inputValue(), 'Explain this');
    assert.equal(await activeName(page), 'Message');
    await box.fill('My own words');
    await send(page, { type: 'draftAdded', text: 'Explain this' });
    assert.equal(await box.inputValue(), 'My own words\n\nExplain this');
    await page.waitForFunction(() =>
      window.fakeHost.posted.some((message) => message.type === 'draftChanged' && message.text.endsWith('this')),
    );
  });

  it("checks on a host that is silent while a reply runs, and reports when it doesn't answer", async () => {
    const page = await browser.open('streaming', { ownClock: true });
    const words = page.getByText(silenceWords);
    await stopClock(page);
    await send(page, { type: 'titleChanged', title: 'Here' });
    const before = (await postedOf(page, 'ready')).length;
    const checks = async () => (await postedOf(page, 'ready')).length - before;
    await page.clock.runFor(29_000);
    assert.equal(await checks(), 0);
    await send(page, { type: 'titleChanged', title: 'Still here' });
    await page.clock.runFor(29_000);
    assert.equal(await checks(), 0);
    await page.clock.runFor(2000);
    assert.equal(await checks(), 1);
    // The fake host has answered.
    await page.clock.runFor(15_000);
    assert.equal(await words.first().isVisible(), false);
    await page.evaluate(() => window.fakeHost.mute());
    await page.clock.runFor(17_000);
    assert.equal(await checks(), 2);
    assert.equal(await words.first().isVisible(), false);
    await page.clock.runFor(10_000);
    assert.equal(await words.first().isVisible(), true);
    await send(page, { type: 'titleChanged', title: 'Back' });
    assert.equal(await words.first().isVisible(), false);
  });

  it('leaves a host alone while no reply runs', async () => {
    const page = await browser.open('done', { ownClock: true });
    await page.evaluate(() => window.fakeHost.mute());
    await page.clock.runFor(120_000);
    assert.equal((await postedOf(page, 'ready')).length, 1);
    assert.equal(await page.getByText("isn't responding").isVisible(), false);
  });

  it("checks on a host that doesn't confirm a draft or a message, and reports when it doesn't answer", async () => {
    for (const end of ['', '\n']) {
      const page = await browser.open('done', { ownClock: true });
      await stopClock(page);
      await page.evaluate(() => window.fakeHost.mute());
      const box = page.getByRole('textbox', { name: 'Message', exact: true });
      await box.pressSequentially(`Is anyone there?${end}`);
      await page.clock.runFor(29_000);
      await box.pressSequentially('Hello?');
      assert.equal(await page.getByText("isn't responding").first().isVisible(), false);
      await page.clock.runFor(12_000);
      assert.equal(await page.getByText("isn't responding").first().isVisible(), true);
    }
  });

  it('leaves a host alone that has confirmed the draft', async () => {
    const page = await browser.open('done', { ownClock: true });
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Half a thought');
    await page.clock.runFor(1000);
    await saveDraft(page);
    await page.evaluate(() => window.fakeHost.mute());
    await page.clock.runFor(120_000);
    assert.equal((await postedOf(page, 'ready')).length, 1);
    assert.equal(await page.getByText("isn't responding").first().isVisible(), false);
  });

  it('reports which message failed, and continues with a new snapshot', async () => {
    const page = await browser.open('done');
    await send(page, { type: 'olderMessages', messages: 5 as unknown as [], hasOlder: false });
    await browser.pages.takeError(/failed at the message olderMessages/);
    await browser.pages.takeError(/TypeError: first is not iterable/);
    await send(page, { type: 'titleChanged', title: 'Missed' });
    await send(page, { type: 'messageAdded', message: reply('after', 'Still here') });
    await page.getByText('Still here').waitFor();
  });

  it('shows all of a reply that arrived while the page was busy', async () => {
    const page = await browser.open('done');
    await send(page, { type: 'messageAdded', message: { ...reply('r2', ''), state: 'running', metrics: {} } });
    const length = await page.evaluate(() => {
      let offset = 0;
      for (let index = 0; index < 4000; index += 1) {
        const text = `word${index} ${index % 20 === 19 ? '\n\n' : ''}`;
        window.fakeHost.send({ type: 'replyGrew', replyId: 'r2', part: 'text', offset, text });
        offset += text.length;
      }
      window.fakeHost.send({ type: 'replyChanged', replyId: 'r2', change: { state: 'done', metrics: {} } });
      return offset;
    });
    assert.ok(length > 30_000);
    await page.waitForFunction(() => document.querySelector('.reply:last-of-type')?.textContent?.includes('word3999'));
    const words = await page
      .getByRole('article')
      .last()
      .locator('.answer')
      .evaluate((answer) => answer.textContent.match(/word\d+/g));
    assert.equal(words?.length, 4000);
    assert.equal(words[3999], 'word3999');
  });
});

describe('the keyboard', function () {
  const browser = new ChatBrowser();

  it('reaches every control, in the visual order of the page', async () => {
    const page = await browser.open('errors');
    const walked: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      walked.push(await activeName(page));
    }
    const ofUser = ['Edit', 'Copy', 'Delete'];
    assert.deepEqual(walked, [
      'Conversation',
      ...ofUser,
      'Open Credits Page',
      'Show Log',
      'Copy error details',
      'Copy',
      'Retry',
      'Delete',
      ...ofUser,
      walked[13],
      'Select Another Model…',
      'Copy error details',
      'Copy',
      'Delete',
      'Message',
      'Add Context (#)',
      'Model: meta/llama-4-scout',
      'Parameters',
      'Send',
    ]);
    assert.match(walked[13] ?? '', /^Retry in \d+ s$/);
  });

  it('shows the focus', async () => {
    const page = await browser.open('done');
    const outlines: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      outlines.push(
        await page.evaluate(() => {
          const active = document.activeElement;
          if (active === null || active === document.body) return 'none';
          const style = getComputedStyle(active);
          return active.matches('.message-box') ? 'solid' : style.outlineStyle;
        }),
      );
    }
    assert.deepEqual([...new Set(outlines)], ['solid']);
  });
});
