import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  ChatBrowser,
  drawn,
  forgetPosted,
  intentions,
  nextOf,
  postedOf,
  saveDraft,
  send,
  stopClock,
} from './chatBrowser.ts';
import { chat, user } from './pageStates.ts';

const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

const parameters = (page: Page): Locator => page.getByRole('button', { name: /^Parameters/ });

/** The drafts that the page posted, once there's one. */
async function drafts(page: Page): Promise<readonly { conversationId: string; text: string }[]> {
  await nextOf(page, 'draftChanged');
  const posted = await postedOf(page, 'draftChanged');
  return posted.flatMap((message) =>
    message.type === 'draftChanged' ? [{ conversationId: message.conversationId, text: message.text }] : [],
  );
}

async function reopen(page: Page): Promise<void> {
  await page.reload();
  await page.getByRole('log').waitFor();
  await page.evaluate(() => window.fakeHost.loaded());
}

const noKey = {
  severity: 'error',
  title: 'No API key',
  detail: 'The service needs one.',
  actions: [{ kind: 'setApiKey', label: 'Set API Key…' }],
  technical: '',
} as const;

describe('the composer', function () {
  const browser = new ChatBrowser();

  it('sends with Enter and is empty afterwards', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Hello');
    await box(page).press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'ask', conversationId: 'c1', text: 'Hello' }]);
    assert.equal(await box(page).inputValue(), '');
  });

  it('says in its empty box what # and / do, in full even in a narrow side bar', async () => {
    const page = await browser.open('empty', { viewport: { width: 300, height: 640 } });
    assert.equal(await box(page).getAttribute('placeholder'), 'Message (# context, / prompts)');
    await box(page).waitFor();
    // As typed text, it would need no second line.
    const height = (await box(page).boundingBox())?.height;
    await box(page).fill('Message (# context, / prompts)');
    await drawn(page);
    assert.equal((await box(page).boundingBox())?.height, height);
  });

  it('shows its placeholder in full in a narrow window', async () => {
    const page = await browser.open('empty');
    await page.setViewportSize({ width: 140, height: 600 });
    const lines = await box(page).evaluate((area) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area);
      return (area.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight);
    });
    assert.ok(lines >= 3, `${lines} lines`);
  });

  it('starts a new line with Shift+Enter', async () => {
    const page = await browser.open('empty');
    await box(page).pressSequentially('One');
    await box(page).press('Shift+Enter');
    await box(page).pressSequentially('Two');
    assert.equal(await box(page).inputValue(), 'One\nTwo');
    assert.deepEqual(await intentions(page), []);
  });

  it('leaves Enter to the input method while it composes, and right after', async () => {
    const page = await browser.open('empty');
    await box(page).fill('にほん');
    await box(page).evaluate((target) => {
      const enter = (more: KeyboardEventInit): boolean =>
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }));
      enter({ isComposing: true });
      // Safari's order: the composition ends, and the key that ended it arrives as 229.
      target.dispatchEvent(new CompositionEvent('compositionend', { data: 'にほん', bubbles: true }));
      enter({ keyCode: 229 });
    });
    assert.deepEqual(await intentions(page), []);
    await box(page).press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'ask', conversationId: 'c1', text: 'にほん' }]);
  });

  it("doesn't send an empty message", async () => {
    const page = await browser.open('empty');
    await box(page).fill('  \n ');
    await box(page).press('Enter');
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    assert.deepEqual(await intentions(page), []);
  });

  it('sends a paste of 100 KB whole', async () => {
    const page = await browser.open('empty');
    const text = 'All work and no play. '.repeat(4700);
    await box(page).focus();
    await page.keyboard.insertText(text);
    await page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'ask', conversationId: 'c1', text }]);
  });

  it('grows with its text to 40% of the view', async () => {
    const page = await browser.open('empty');
    const heightOf = (): Promise<number> => box(page).evaluate((target) => target.clientHeight);
    const low = await heightOf();
    await box(page).fill('line\n'.repeat(6));
    const grown = await heightOf();
    await box(page).fill('line\n'.repeat(200));
    const full = await heightOf();
    assert.ok(low < grown && grown < full && full <= 640 * 0.4 + 1, `${low} ${grown} ${full}`);
  });

  it('has one button that is Send or Stop, and stops with it or with Escape', async () => {
    const page = await browser.open('streaming');
    assert.equal(await page.getByRole('button', { name: 'Send' }).count(), 0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await box(page).press('Escape');
    assert.deepEqual(await intentions(page), [{ type: 'stop' }, { type: 'stop' }]);
    await send(page, { type: 'replyChanged', replyId: 'r2', change: { state: 'stopped', metrics: {} } });
    await page.getByRole('button', { name: 'Send' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
    await box(page).press('Escape');
    assert.equal((await intentions(page)).length, 2);
  });

  it('keeps the draft and sends nothing while a reply runs', async () => {
    const page = await browser.open('streaming');
    await box(page).fill('Next');
    await box(page).press('Enter');
    assert.deepEqual(await intentions(page), []);
    assert.equal(await box(page).inputValue(), 'Next');
  });

  it('posts the draft when typing pauses', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Half a thought');
    assert.deepEqual(await drafts(page), [{ conversationId: 'c1', text: 'Half a thought' }]);
  });

  it('keeps a draft that never reached the host, through a reload', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Half a thought');
    await page.reload();
    await page.getByRole('log').waitFor();
    assert.equal(await box(page).inputValue(), 'Half a thought');
  });

  it('keeps a draft that was posted to a dead host, through a reload', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Two minutes of typing');
    await nextOf(page, 'draftChanged');
    await reopen(page);
    assert.equal(await box(page).inputValue(), 'Two minutes of typing');
  });

  it("uses the host's draft once the host has confirmed what was typed", async () => {
    const page = await browser.open('empty');
    await box(page).fill('Saved');
    await saveDraft(page);
    await reopen(page);
    // The fake host has none.
    assert.equal(await box(page).inputValue(), '');
  });

  it('keeps a message that was sent to a dead host, through a reload', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Is anyone there?');
    await box(page).press('Enter');
    await box(page).fill('And this?');
    await reopen(page);
    assert.equal(await box(page).inputValue(), 'Is anyone there?\n\nAnd this?');
    await forgetPosted(page);
    // It wasn't dead after all.
    await send(page, { type: 'messageAdded', message: user('u9', 'Is anyone there?') });
    assert.equal(await box(page).inputValue(), 'And this?');
  });

  it("doesn't restore a message that has arrived", async () => {
    const page = await browser.open('done');
    await box(page).fill('Thanks');
    await box(page).press('Enter');
    await send(page, { type: 'messageAdded', message: user('u9', 'Thanks') });
    await reopen(page);
    assert.equal(await box(page).inputValue(), '');
  });

  it('posts the draft at once when the page is hidden', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await box(page).fill('Quick');
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    assert.deepEqual(await drafts(page), [{ conversationId: 'c1', text: 'Quick' }]);
  });

  it('restores a refused text and keeps what was typed since', async () => {
    const page = await browser.open('empty');
    await box(page).fill('First');
    await box(page).press('Enter');
    await box(page).fill('Second');
    await send(page, {
      type: 'askRefused',
      text: 'First',
      problem: noKey,
    });
    assert.equal(await box(page).inputValue(), 'First\n\nSecond');
    await forgetPosted(page);
    const card = page.getByRole('group', { name: 'No API key' });
    await card.getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'runAction', action: 'setApiKey' }]);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await card.count(), 0);
  });

  it('shows why a text was refused only while that is so', async () => {
    const page = await browser.open('needsBaseUrl');
    const card = page.locator('.refusal .problem');
    const noService = { ...noKey, title: 'No service', actions: [{ kind: 'setBaseUrl', label: 'Set' }] } as const;
    await send(page, { type: 'askRefused', text: 'First', problem: noService });
    assert.equal(await card.count(), 1);
    await send(page, { type: 'connectionChanged', connection: { state: 'needsApiKey', host: 'inference.example' } });
    assert.equal(await card.count(), 0);
    await send(page, { type: 'askRefused', text: '', problem: noKey });
    assert.equal(await card.count(), 1);
    await send(page, { type: 'connectionChanged', connection: { state: 'needsModel', host: 'inference.example' } });
    assert.equal(await card.count(), 0);
    assert.equal(await box(page).inputValue(), 'First');
  });

  it('leaves the draft and the focus alone when a Retry is refused', async () => {
    const page = await browser.open('done');
    await box(page).fill('Half a thought');
    const retry = page.getByRole('button', { name: 'Retry' });
    await retry.click();
    await page.getByRole('menuitem', { name: 'Retry', exact: true }).click();
    await send(page, { type: 'askRefused', text: '', problem: noKey });
    await page.getByRole('group', { name: 'No API key' }).waitFor();
    assert.equal(await box(page).inputValue(), 'Half a thought');
    assert.equal(await retry.evaluate((button) => button === document.activeElement), true);
  });

  it("doesn't report to the host that the draft is gone when it has become a message", async () => {
    const page = await browser.open('empty', { ownClock: true });
    await stopClock(page);
    await box(page).fill('Hello');
    await box(page).press('Enter');
    await page.clock.runFor(1000);
    assert.deepEqual(await postedOf(page, 'draftChanged'), []);
  });

  it('keeps what is typed while the conversation loads, below its draft', async () => {
    const page = await browser.open('loading');
    await box(page).fill('Typed early');
    await page.evaluate(() => window.fakeHost.release());
    await page.getByRole('log').waitFor();
    assert.equal(await box(page).inputValue(), 'From the host\n\nTyped early');
    assert.deepEqual(await drafts(page), [{ conversationId: 'c1', text: 'From the host\n\nTyped early' }]);
  });

  it("keeps what is typed while the conversation loads, on its own if there's no draft", async () => {
    const page = await browser.open('loadingEmpty');
    await box(page).fill('Typed early');
    await page.evaluate(() => window.fakeHost.release());
    await page.getByRole('log').waitFor();
    assert.equal(await box(page).inputValue(), 'Typed early');
  });

  it("uses the host's draft if nothing was typed", async () => {
    const page = await browser.open('loading');
    await page.evaluate(() => window.fakeHost.release());
    await page.getByRole('log').waitFor();
    assert.equal(await box(page).inputValue(), 'From the host');
    assert.deepEqual(await postedOf(page, 'draftChanged'), []);
  });

  it('posts a waiting draft to its own conversation when another one is shown', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await box(page).fill('For the first');
    await send(page, { type: 'snapshot', snapshot: chat([], { conversationId: 'c2', draft: 'For the second' }) });
    assert.equal(await box(page).inputValue(), 'For the second');
    await page.clock.runFor(1000);
    assert.deepEqual(await drafts(page), [{ conversationId: 'c1', text: 'For the first' }]);
  });

  it('keeps the focus on its button when the reply ends under it', async () => {
    const page = await browser.open('streaming');
    await page.getByRole('button', { name: 'Stop' }).focus();
    await send(page, { type: 'replyChanged', replyId: 'r2', change: { state: 'done', metrics: {} } });
    const button = page.getByRole('button', { name: 'Send' });
    await drawn(page);
    assert.equal(await button.evaluate((it) => it === document.activeElement), true);
    await button.press('Enter');
    assert.deepEqual(await intentions(page), []);
  });

  it('takes over the focus from a card that disappears', async () => {
    const page = await browser.open('empty');
    await send(page, { type: 'askRefused', text: 'First', problem: noKey });
    await page.getByRole('button', { name: 'Set API Key…' }).focus();
    await send(page, { type: 'messageAdded', message: user('u9', 'First') });
    await drawn(page);
    assert.equal(await box(page).evaluate((it) => it === document.activeElement), true);
  });

  it("moves the focus to the next step's button when a step is done or replaced, and to itself after the last one", async () => {
    const page = await browser.open('needsBaseUrl');
    await send(page, { type: 'stepDone' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focused(), 'Set Base URL…');
    const connection = { host: 'inference.example' };
    await send(page, { type: 'connectionChanged', connection: { ...connection, state: 'needsApiKey' } });
    assert.equal(await focused(), 'Set API Key…');
    await send(page, { type: 'connectionChanged', connection: { ...connection, state: 'ready' } });
    assert.equal(await box(page).evaluate((it) => it === document.activeElement), true);
  });

  it('reports a text that is too long for the host, and keeps it', async () => {
    const page = await browser.open('empty');
    const length = 4 * 1024 * 1024 + 1;
    await box(page).evaluate((target: HTMLTextAreaElement, count) => {
      target.value = 'x'.repeat(count);
      target.dispatchEvent(new Event('input', { bubbles: true }));
    }, length);
    await box(page).press('Enter');
    await page.getByText('It has 4,194,305 characters, and Parlance accepts 4,194,304 at once.').waitFor();
    assert.equal(await box(page).evaluate((target: HTMLTextAreaElement) => target.value.length), length);
    assert.deepEqual(await intentions(page), []);
  });

  it('shows the full name of the model and asks for another one', async () => {
    const page = await browser.open('longModel', { viewport: { width: 220, height: 640 } });
    const button = page.getByRole('button', { name: 'Model: mistral-community/very-long' });
    assert.match((await button.getAttribute('title')) ?? '', /fp8-120b$/);
    await button.click();
    assert.deepEqual(await intentions(page), [{ type: 'selectModel' }]);
  });

  // A narrow side bar at a zoom of 200% has the last one.
  const sizes = [900, 420, 300, 220, 165];
  const shown = ['longModel', 'severalServices'].flatMap((of) => sizes.map((size) => [of, size] as const));
  for (const [state, width] of shown) {
    it(`is complete at ${width} px, with the end of the model readable: ${state}`, async () => {
      const page = await browser.open(state, { viewport: { width, height: 640 } });
      await parameters(page).click();
      const overflow = await page.evaluate(() => {
        const scrolling = [...document.querySelectorAll('.chat, .transcript, .composer, .composer-row, .parameters')];
        return scrolling.filter((part) => part.scrollWidth > part.clientWidth).map((part) => part.className);
      });
      assert.deepEqual(overflow, []);
      const tail = page.locator('.model-tail');
      assert.match(await tail.innerText(), /-fp8-120b$/);
      assert.ok(await tail.evaluate((part) => part.scrollWidth <= part.clientWidth));
      const button = await page.getByRole('button', { name: 'Send' }).boundingBox();
      assert.ok(button !== null && button.x + button.width <= width);
    });
  }
});
