import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { MediaBrowser, tell, told } from './mediaBrowser.ts';
import { filmOutput, madeFilm, madeImage } from './mediaStates.ts';

describe('Media', () => {
  const browser = new MediaBrowser();

  const cards = (page: Page) => page.getByRole('article');
  const card = (page: Page, words: string) => cards(page).filter({ hasText: words });
  const focusedCard = (page: Page) =>
    page.evaluate(() => document.activeElement?.closest('.card')?.getAttribute('data-id'));
  /** The results that the page contains now. */
  const loaded = (page: Page) => page.locator('.frame [src]').count();
  const scrollTo = (page: Page, place: 'top' | 'end') =>
    page
      .locator('.media')
      .evaluate((media, wanted) => media.scrollTo(0, wanted === 'top' ? 0 : media.scrollHeight), place);

  it('with 500 results creates and loads only those near the window, unloads the rest, and can show them all', async () => {
    const page = await browser.open('large');
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).pathname));
    await page.locator('video[src]').first().waitFor();
    assert.ok((await cards(page).count()) <= 36, `${await cards(page).count()} cards at first`);
    assert.ok((await loaded(page)) <= 12, `${await loaded(page)} files at first`);

    // The end moves away while items near it get their size.
    const most = await page.evaluate(async () => {
      const media = document.querySelector('.media');
      let held = 0;
      while (document.querySelectorAll('.card').length < 500) {
        media?.scrollTo(0, media.scrollHeight);
        await new Promise((resolve) => requestAnimationFrame(resolve));
        held = Math.max(held, document.querySelectorAll('.frame [src]').length);
      }
      return held;
    });
    assert.ok(most <= 36, `${most} files at a time`);
    await scrollTo(page, 'end');
    await card(page, 'take 499').locator('[src]').waitFor();
    await scrollTo(page, 'top');
    await card(page, 'take 0').first().locator('[src]').waitFor();
    await page.waitForFunction(() => document.querySelector('[data-id="499"] [src]') === null);
    assert.ok(asked.size < 400, `${asked.size} files were asked for while 500 passed by`);
  });

  it('runs again once if its button is clicked twice in a row, or Enter is held', async () => {
    const page = await browser.open('gallery');
    const again = { type: 'act', id: 'draft', output: 0, act: 'runAgain' };
    await page.locator('[data-id=draft]').getByRole('button', { name: 'Run again' }).dblclick();
    assert.deepEqual(await told(page, 'act'), [again]);
    for (let presses = 0; presses < 5; presses++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.deepEqual(await told(page, 'act'), [again, again]);
  });

  it('shows a new run above all others, and keeps the focus where it is while one runs', async () => {
    const page = await browser.open('gallery');
    const running = { state: 'running', outputs: [], startedAt: Date.now(), usualSeconds: 10 } as const;
    await tell(page, { type: 'itemChanged', item: madeFilm('new', running) });
    assert.equal(await cards(page).first().getAttribute('data-id'), 'new');
    const stop = cards(page).first().getByRole('button', { name: 'Stop' });
    await stop.focus();
    await tell(page, { type: 'itemChanged', item: madeFilm('new', { ...running, usualSeconds: 11 }) });
    assert.ok(await stop.evaluate((button) => button === document.activeElement));
    await stop.press('Enter');
    assert.deepEqual(await told(page, 'act'), [{ type: 'act', id: 'new', output: 0, act: 'stop' }]);
    await tell(page, { type: 'itemChanged', item: madeFilm('new', { startedAt: running.startedAt }) });
    await cards(page).first().locator('video').waitFor();
    await page.getByText('The video is ready.').waitFor({ state: 'attached' });
  });

  it("announces a result once its file is there, or that the file couldn't be downloaded", async () => {
    const page = await browser.open('gallery');
    const news = page.locator('.visually-hidden[role=status]');
    const problem = {
      severity: 'error',
      title: "Couldn't download the file",
      detail: '',
      actions: [],
      technical: '',
    } as const;
    const downloading = { state: 'downloading', hasLink: true } as const;
    await tell(page, { type: 'itemChanged', item: madeFilm('new', { state: 'running', outputs: [] }) });
    for (const [output, words] of [
      [downloading, ''],
      [{ state: 'failed', hasLink: true, problem }, "Couldn't download the file"],
      [downloading, "Couldn't download the file"],
      [filmOutput, 'The video is ready.'],
    ] as const) {
      await tell(page, { type: 'itemChanged', item: madeFilm('new', { outputs: [output] }) });
      assert.equal(await news.textContent(), words, output.state);
    }
  });

  it('offers for each state what can be done with it, and no more', async () => {
    const page = await browser.open('gallery');
    const names = async (id: string) => {
      const buttons = page.locator(`[data-id=${id}]`).getByRole('button');
      return (
        await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? each.textContent))
      ).join(', ');
    };
    await page.locator('[data-id=broken]').scrollIntoViewIfNeeded();
    await page.locator('[data-id=broken]').getByText("VS Code can't show this file").waitFor();
    const again = 'Copy Link, Run again (charged again), Reuse these settings, Delete';
    const file = 'Save a Copy…, Insert at Cursor, Open Outside VS Code';
    assert.equal(await names('running'), 'Stop');
    assert.equal(await names('elsewhere'), '');
    assert.equal(await names('loading'), `Stop, ${again}`);
    assert.equal(await names('draft'), `Generate Final Version, ${file}, ${again}`);
    assert.equal(await names('gone'), `Copy error details, Download Again, ${again}`);
    // A file that VS Code can't play was paid for and can be opened in other programs.
    assert.equal(await names('broken'), `Download Again, ${file}, ${again}`);
    assert.equal(await names('waiting'), `Download Again, ${again}`);
  });

  it("warns that a video might be silent if VS Code can't play AAC and the file might contain it", async () => {
    const page = await browser.open('gallery');
    const note = (id: string) => page.locator(`[data-id=${id}]`).getByText("can't play AAC");
    const show = async (id: string, mediaType: string) => {
      await tell(page, { type: 'itemChanged', item: madeFilm(id, { outputs: [{ ...filmOutput, mediaType }] }) });
      return note(id).count();
    };
    const plays = (answer: '' | 'probably') =>
      page.evaluate((said) => {
        HTMLMediaElement.prototype.canPlayType = () => said;
      }, answer);
    await plays('');
    assert.deepEqual([await show('m1', 'video/mp4'), await show('w1', 'video/webm')], [1, 0]);
    await plays('probably');
    assert.equal(await show('m2', 'video/mp4'), 0);
  });

  it('requests the model that a problem offers, or the model picker, on behalf of that run', async () => {
    const page = await browser.open('gallery');
    const problem = {
      severity: 'error',
      title: 'Model not found',
      detail: 'The service does not have local/imag, or it is not available now.',
      actions: [
        { kind: 'useModel', label: 'Use local/image', model: 'local/image' },
        { kind: 'selectModel', label: 'Select Another Model…' },
      ],
      technical: '404 model_not_found',
    } as const;
    await tell(page, { type: 'itemChanged', item: madeImage('typo', { state: 'failed', outputs: [], problem }) });
    await page.getByRole('button', { name: 'Use local/image' }).click();
    await page.getByRole('button', { name: 'Select Another Model…' }).click();
    assert.deepEqual(await told(page, 'runAction'), [
      { type: 'runAction', action: 'useModel', id: 'typo', model: 'local/image' },
      { type: 'runAction', action: 'selectModel', id: 'typo' },
    ]);
  });

  it('names the service of each model if there are several, and that of one that was removed', async () => {
    const page = await browser.open('services');
    const names = await page.locator('.card .facts .model').allTextContents();
    assert.deepEqual(names, ['maker/film (Northwind)', 'maker/film (Home server)', 'maker/film (Old studio)']);
    // Without a prompt, the model names the result.
    const film = page.locator('[data-id=home] video');
    await film.scrollIntoViewIfNeeded();
    assert.equal(await film.getAttribute('aria-label'), 'maker/film (Home server)');
  });

  it('moves the focus to the neighbor of a deleted card, and back after Undo', async () => {
    const page = await browser.open('gallery');
    await page.locator('[data-id=draft]').getByRole('button', { name: 'Delete' }).press('Enter');
    assert.deepEqual(await told(page, 'act'), [{ type: 'act', id: 'draft', output: 0, act: 'delete' }]);
    await tell(page, { type: 'itemRemoved', id: 'draft', canRestore: true });
    await page.waitForFunction(() => document.activeElement?.closest('.card')?.getAttribute('data-id') === 'image');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await told(page, 'restore'), [{ type: 'restore', id: 'draft' }]);
    assert.equal(await focusedCard(page), 'image');
    await tell(page, { type: 'itemChanged', item: madeFilm('draft', { isDraft: true }) });
    assert.equal(await focusedCard(page), 'draft');
  });

  it('no longer offers Undo for what came back by that in another page or window', async () => {
    const page = await browser.open('gallery');
    const undo = page.getByRole('button', { name: 'Undo' });
    await tell(page, { type: 'itemRemoved', id: 'draft', canRestore: true });
    await undo.focus();
    await tell(page, { type: 'itemChanged', item: madeFilm('failed', { state: 'running', outputs: [] }) });
    assert.equal(await undo.isVisible(), true);
    await tell(page, { type: 'itemChanged', item: madeFilm('draft', { isDraft: true }) });
    assert.equal(await undo.isVisible(), false);
    assert.notEqual(await focusedCard(page), undefined);
  });

  it('keeps the focus at its card when the button that had it is gone, and not on one that costs money', async () => {
    const page = await browser.open('gallery');
    const button = (id: string, name: string) => page.locator(`[data-id=${id}]`).getByRole('button', { name });
    const isOnCard = () => page.evaluate(() => document.activeElement?.matches('.card') === true);
    await button('running', 'Stop').focus();
    await tell(page, { type: 'itemChanged', item: madeFilm('running', { isDraft: true }) });
    assert.deepEqual([await focusedCard(page), await isOnCard()], ['running', true]);

    await button('loading', 'Stop').focus();
    await tell(page, { type: 'itemChanged', item: madeFilm('loading') });
    assert.deepEqual([await focusedCard(page), await isOnCard()], ['loading', true]);

    await button('failed', 'Add Credits').focus();
    await tell(page, { type: 'itemChanged', item: madeFilm('failed', { state: 'running', outputs: [] }) });
    assert.deepEqual([await focusedCard(page), await isOnCard()], ['failed', true]);

    // A button that is still there keeps it.
    await button('gone', 'Download Again').focus();
    const waiting = { state: 'waiting', hasLink: true } as const;
    await tell(page, { type: 'itemChanged', item: madeFilm('gone', { outputs: [waiting] }) });
    assert.deepEqual([await focusedCard(page), await isOnCard()], ['gone', false]);
  });

  it('keeps the focus when the last card is deleted, and when what it was deleted with is dismissed', async () => {
    const page = await browser.open('gallery');
    const last = card(page, '<img src=x onerror').first();
    await last.getByRole('button', { name: 'Delete' }).focus();
    await tell(page, { type: 'itemRemoved', id: 'hostile', canRestore: true });
    assert.equal(await focusedCard(page), 'waiting');
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    assert.equal(await focusedCard(page), 'waiting');

    const single = await browser.open('imageForm');
    for (const id of ['1', '2']) {
      await single.locator(`[data-id="${id}"]`).getByRole('button', { name: 'Delete' }).focus();
      await tell(single, { type: 'itemRemoved', id, canRestore: true });
    }
    assert.equal(await single.evaluate(() => document.activeElement?.id), 'parlance-media-prompt');
  });

  it('shows a hostile prompt as literal text, and is never wider than its view', async () => {
    for (const state of ['gallery', 'empty', 'filledForm', 'imageForm']) {
      const page = await browser.open(state, 300);
      const [width, inner] = await page.locator('.media').evaluate((media) => [media.scrollWidth, media.clientWidth]);
      assert.equal(width, inner, state);
      if (state !== 'gallery') continue;
      await card(page, '<img src=x onerror').first().waitFor();
      assert.equal(await page.title(), 'media');
    }
  });
});
