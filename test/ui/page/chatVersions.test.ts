import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { VersionView } from '../../../src/shared/chat.ts';
import type { NoteView } from '../../../src/shared/protocol/chatProtocol.ts';
import { chat, reply, user } from './pageStates.ts';
import { ChatBrowser, drawn, forgetPosted, intentions, send } from './chatBrowser.ts';

const versions: readonly VersionView[] = [
  { id: 'r1', model: 'northwind/gale-32b-instruct', metrics: { totalSeconds: { value: 5.9, from: 'service' } } },
  { id: 'r2', model: 'kestrel/sparrow', metrics: { totalSeconds: { value: 1.7, from: 'service' } } },
];

/** The host shows the first version and what followed it. */
function showFirst(page: Page): Promise<void> {
  const first = reply('r1', 'The first', { model: 'northwind/gale-32b-instruct', versions });
  const messages = [user('u1', 'Why does this loop skip items?'), first, user('u2', 'And?'), reply('r3', 'So')];
  return send(page, { type: 'snapshot', snapshot: chat(messages) });
}

const focusedName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('The versions of a reply', function () {
  const browser = new ChatBrowser();

  it('are one key away: the focus stays on the arrow, and a screen reader hears which one is shown', async () => {
    const page = await browser.open('versions');
    const group = page.getByRole('group', { name: 'Version 2 of 2, kestrel/sparrow' });
    const next = group.getByRole('button', { name: 'Next Version' });
    assert.equal(await next.getAttribute('aria-disabled'), 'true');
    await next.press('Enter');
    assert.deepEqual(await intentions(page), []);
    await group.getByRole('button', { name: 'Previous Version' }).press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'showVersion', messageId: 'r1' }]);
    await showFirst(page);
    await page.getByRole('status').getByText('Version 1 of 2, northwind/gale-32b-instruct').waitFor();
    assert.equal(await focusedName(page), 'Previous Version');
    await page.getByText('1/2').waitFor();
    assert.equal(await page.getByRole('article').count(), 4);
  });

  it('each have their own model, speed, and tokens below them', async () => {
    const page = await browser.open('versions');
    const facts = async (article: Locator) => (await article.innerText()).replaceAll(/\s+/g, ' ');
    const sparrow = page.getByRole('article', { name: 'kestrel/sparrow' });
    assert.match(await facts(sparrow), /sparrow .*118 tok\/s.* 0\.18 s first token.* 1\.7 s total.* 188 tokens/);
    await showFirst(page);
    const gale = page.getByRole('article', { name: 'northwind/gale-32b-instruct' });
    await gale.waitFor();
    assert.match(await facts(gale), /gale-32b-instruct .*84 tok\/s.* 0\.31 s first token.* 3\.4 s total.* 261 tokens/);
    assert.equal(await sparrow.count(), 0);
  });

  it('stay as they are while another window writes a reply, as the buttons show', async () => {
    const page = await browser.open('versions');
    await showFirst(page);
    const next = page.getByRole('button', { name: 'Next Version' });
    const edit = page.getByRole('button', { name: 'Edit' }).first();
    const isOff = (button: Locator) => button.getAttribute('aria-disabled');
    assert.deepEqual([await isOff(next), await isOff(edit)], ['false', null]);
    const elsewhere = reply('r9', 'So far', { state: 'elsewhere', metrics: {} });
    await send(page, { type: 'messageAdded', message: elsewhere });
    await drawn(page);
    assert.deepEqual([await isOff(next), await isOff(edit)], ['true', 'true']);
    await next.click({ force: true });
    await edit.click({ force: true });
    assert.deepEqual(await intentions(page), []);
    assert.equal(await page.getByRole('textbox', { name: 'Edit message' }).count(), 0);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await send(page, { type: 'replyChanged', replyId: 'r9', change: { state: 'done', metrics: {} } });
    await drawn(page);
    assert.deepEqual([await isOff(next), await isOff(edit)], ['false', null]);
  });

  it('keep the reader at their message, however much follows the one that is shown', async () => {
    const page = await browser.open('versions');
    await page.getByRole('button', { name: 'Previous Version' }).press('Enter');
    const first = reply('r1', 'The first', { model: 'northwind/gale-32b-instruct', versions });
    const rest = Array.from({ length: 250 }, (_, index) =>
      index % 2 === 0 ? user(`q${index}`, `Question ${index}`) : reply(`a${index}`, `Reply ${index}\n\nMore`),
    );
    const messages = [user('u1', 'Why does this loop skip items?'), first, ...rest];
    await send(page, { type: 'snapshot', snapshot: chat(messages) });
    await page.getByRole('status').getByText('Version 1 of 2, northwind/gale-32b-instruct').waitFor();
    // The page draws what's around the reader; the newest isn't.
    await page.getByText('Question 10', { exact: true }).waitFor({ state: 'attached' });
    await drawn(page);
    await drawn(page);
    assert.equal(await focusedName(page), 'Previous Version');
    const { top, bottom } = await page.evaluate(
      () => document.activeElement?.getBoundingClientRect() ?? document.body.getBoundingClientRect(),
    );
    assert.ok(top >= 0 && bottom <= 640, `from ${top} to ${bottom}`);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  });

  for (const way of ['deleted', 'restored'] as const) {
    it(`keep the reader at their message when one is ${way}, however much follows the one that is shown then`, async () => {
      const page = await browser.open('versions');
      const undo: NoteView = { id: 'n1', severity: 'undo', text: 'Message deleted.', buttons: ['Undo'] };
      await send(page, { type: 'notesChanged', notes: [undo] });
      await send(page, { type: 'messagesRemoved', ids: ['r2'], canRestore: true });
      const long = Array.from({ length: 250 }, (_, index) =>
        index % 2 === 0 ? user(`q${index}`, `Question ${index}`) : reply(`a${index}`, `Reply ${index}\n\nMore`),
      );
      const [isBack, id] = [way === 'restored', way === 'restored' ? 'r2' : 'r1'];
      if (isBack) {
        await send(page, {
          type: 'snapshot',
          snapshot: { ...chat([user('u1', 'Why?'), reply('r1', 'The first')]), notes: [undo] },
        });
        await page.getByRole('button', { name: 'Undo' }).press('Enter');
      }
      const shown = reply(id, 'The one that is shown', { model: 'kestrel/sparrow', ...(isBack && { versions }) });
      await send(page, { type: 'snapshot', snapshot: chat([user('u1', 'Why?'), shown, ...long]) });
      await page.getByText('Question 248').waitFor({ state: 'attached' });
      await page.waitForFunction(() => document.querySelectorAll('.message').length > 0);
      await drawn(page);
      await drawn(page);
      const box = await page.getByText('The one that is shown').boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y < 500, JSON.stringify(box));
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    });
  }

  it("share one scale, so that the bar of a fast one is short even if the slow one isn't shown", async () => {
    const page = await browser.open('versions');
    await page.waitForFunction(() => document.querySelector('.speed-bar')?.getAttribute('style')?.includes('width'));
    const share = () =>
      page
        .locator('.speed-bar')
        .first()
        .evaluate((bar) => parseFloat((bar as HTMLElement).style.width));
    assert.equal(await share(), 50);
  });

  it('are called by the names of their models, without the part that Parlance adds for their service', async () => {
    const page = await browser.open('versions');
    const quill = { id: 'r1', model: 'lab::quill' };
    const shown = reply('r2', 'The second', { versions: [quill, { id: 'r2', model: 'kestrel/sparrow' }] });
    await send(page, { type: 'snapshot', snapshot: chat([user('u1', 'Why?'), shown]) });
    await page.getByTitle('Previous Version: quill', { exact: true }).waitFor();
  });

  it("can't be switched while a reply is being written, and keep their count when it ends", async () => {
    const page = await browser.open('versions');
    await send(page, { type: 'messageAdded', message: user('u2', 'And?') });
    await send(page, {
      type: 'messageAdded',
      message: { ...reply('r4', ''), state: 'running', metrics: {}, versions: [...versions, { id: 'r4', model: 'm' }] },
    });
    await forgetPosted(page);
    const previous = page.getByRole('button', { name: 'Previous Version' }).first();
    assert.equal(await previous.getAttribute('aria-disabled'), 'true');
    await previous.click({ force: true });
    assert.deepEqual(await intentions(page), []);
    await send(page, { type: 'replyChanged', replyId: 'r4', change: { state: 'done', metrics: {} } });
    await page.getByText('3/3').waitFor();
    assert.equal(await previous.getAttribute('aria-disabled'), 'false');
  });
});

describe('The menu of Retry', function () {
  const browser = new ChatBrowser();

  it('offers recently used models with their speed, and any other', async () => {
    const page = await browser.open('versions');
    const retry = page.getByRole('button', { name: 'Retry' });
    for (const [row, message] of [
      ['Retry', { type: 'retry', replyId: 'r2' }],
      ['Retry with kestrel/sparrow, 118 tok/s', { type: 'retry', replyId: 'r2', model: 'kestrel/sparrow' }],
      ['Retry with Another Model…', { type: 'retryWithOther', replyId: 'r2' }],
      ['Compare Models…', { type: 'compareReply', replyId: 'r2' }],
    ] as const) {
      await retry.click();
      await page.getByRole('menuitem', { name: row, exact: true }).click();
      assert.deepEqual((await intentions(page)).at(-1), message);
      assert.equal(await page.getByRole('menu').count(), 0);
    }
  });

  it('says which model Retry uses if another one wrote the reply, and offers that one too', async () => {
    const page = await browser.open('versions');
    await page.evaluate(() => window.fakeHost.mute());
    await page.getByRole('button', { name: 'Retry' }).click();
    const models = [{ id: 'lab::sparrow', speed: '' }];
    await send(page, { type: 'retryOffers', replyId: 'r2', model: 'northwind/gale', models });
    const rows = ['Retry with northwind/gale', 'Retry with sparrow', 'Retry with Another Model…', 'Compare Models…'];
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), rows);
    await page.getByRole('menuitem', { name: 'Retry with northwind/gale' }).click();
    assert.deepEqual((await intentions(page)).at(-1), { type: 'retry', replyId: 'r2' });
  });

  it('is navigated with the arrows, and returns the focus with Escape or Tab without stopping anything', async () => {
    const page = await browser.open('versions');
    const retry = page.getByRole('button', { name: 'Retry' });
    const row = () => page.evaluate(() => document.activeElement?.textContent);
    for (const key of ['Escape', 'Tab']) {
      await retry.press('Enter');
      await page.getByRole('menu', { name: 'Retry' }).waitFor();
      assert.equal(await row(), 'Retry');
      await page.keyboard.press('ArrowUp');
      assert.equal(await row(), 'Compare Models…');
      await page.keyboard.press('ArrowDown');
      assert.equal(await row(), 'Retry');
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      assert.equal(await row(), 'Retry');
      await page.keyboard.press(key);
      assert.equal(await page.getByRole('menu').count(), 0);
      assert.equal(await focusedName(page), 'Retry');
    }
    assert.deepEqual(
      (await intentions(page)).map(({ type }) => type),
      ['offerRetry', 'offerRetry'],
    );
  });

  it('fits on a page that is 300 pixels wide, and closes with a click beside it', async () => {
    const page = await browser.open('versions', { viewport: { width: 300, height: 500 } });
    await page.getByRole('button', { name: 'Retry' }).click();
    const box = await page.getByRole('menu').boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 300 && box.y + box.height <= 500);
    await page.getByRole('textbox', { name: 'Message', exact: true }).click();
    assert.equal(await page.getByRole('menu').count(), 0);
  });

  it('shows all its words on a page that is 165 pixels wide', async () => {
    const page = await browser.open('versions', { viewport: { width: 165, height: 500 } });
    await page.getByRole('button', { name: 'Retry' }).click();
    const menu = page.getByRole('menu');
    const box = await menu.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 165 && box.y >= 0 && box.y + box.height <= 500);
    const beyond = await menu.evaluate((each) =>
      [each, ...each.querySelectorAll('*')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline')
        .map((part) => part.textContent),
    );
    assert.deepEqual(beyond, []);
  });
});
