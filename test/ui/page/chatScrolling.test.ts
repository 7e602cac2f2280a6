import assert from 'node:assert/strict';
import { ChatBrowser, drawn, forgetPosted, nextOf, postedOf, send } from './chatBrowser.ts';
import { chat, reply, user } from './pageStates.ts';
import { colorsIn, grow, history, paragraph, scrollUp, settled } from './longTranscript.ts';

describe('the transcript while it is read', function () {
  const browser = new ChatBrowser();

  it('follows a reply to the end while the reader is there', async () => {
    const page = await browser.open('streaming');
    await grow(page, paragraph, 30);
    await settled(page);
    assert.equal(await page.getByRole('button', { name: 'Jump to latest' }).isVisible(), false);
  });

  it('follows a reply that has just begun when the page opens', async () => {
    const page = await browser.open('begun', { viewport: { width: 290, height: 400 } });
    await drawn(page);
    await page.evaluate(() => (document.body.dataset['grown'] = '240'));
    await grow(page, paragraph, 30);
    await settled(page);
    assert.equal(await page.getByRole('button', { name: 'Jump to latest' }).isVisible(), false);
  });

  it('never moves a reader who has scrolled up, and leads back on request', async () => {
    const page = await browser.open('streaming');
    await grow(page, paragraph, 30);
    await settled(page);
    await page.mouse.move(200, 200);
    await page.mouse.wheel(0, -200);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const log = page.getByRole('log');
    await drawn(page);
    const top = await log.evaluate((element) => element.scrollTop);
    await grow(page, paragraph, 30);
    await drawn(page);
    assert.equal(await log.evaluate((element) => element.scrollTop), top);
    await page.getByRole('button', { name: 'Jump to latest' }).press('Enter');
    await settled(page);
    await grow(page, paragraph, 10);
    await settled(page);
  });

  it('stays where a reader scrolls up in one step, at any zoom', async () => {
    for (const deviceScaleFactor of [1.2, 1.5, 1.728]) {
      const page = await browser.open('streaming', { deviceScaleFactor });
      await grow(page, paragraph, 30);
      const log = page.getByRole('log');
      // The end is at a fraction of a pixel.
      for (const height of [400.3, 411.7, 423.4]) {
        await log.evaluate((element, px) => (element.style.height = `${px}px`), height);
        await log.evaluate((element) => (element.scrollTop = element.scrollHeight));
        await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
        await log.evaluate((element) => (element.scrollTop -= 300));
        await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      }
    }
  });

  it('fades at its lower edge, and no code is behind the button that leads to the end', async () => {
    const page = await browser.open('streaming');
    await grow(page, 'const same = list.filter((each) => each.isDone);\n'.repeat(60), 1);
    await grow(page, `\n\`\`\`ts\n${'const same = list.filter((each) => each.isDone);\n'.repeat(80)}`, 1);
    await settled(page);
    const log = page.getByRole('log');
    const fade = () => log.evaluate((element) => getComputedStyle(element).maskImage);
    assert.match(await fade(), /^linear-gradient\(.*rgba\(0, 0, 0, 0\)\)$/);
    await scrollUp(page);
    assert.match(await fade(), /^linear-gradient\(.*rgba\(0, 0, 0, 0\)/);
    const jump = await page.getByRole('button', { name: 'Jump to latest' }).boundingBox();
    const frame = await log.boundingBox();
    assert.ok(jump !== null && frame !== null);
    const left = { x: frame.x, width: jump.x - frame.x - 10 };
    assert.equal(await colorsIn(page, { ...left, y: jump.y, height: jump.height }), 1);
    assert.ok((await colorsIn(page, { ...left, y: jump.y - 60, height: jump.height })) > 10);
  });

  it("doesn't move a reader near the end when the part of the reply in view is finished", async () => {
    const page = await browser.open('streaming');
    const log = page.getByRole('log');
    // Sixteen blocks are one part, and these are taller than the height that is assumed for a part out of sight.
    const block = `${'word '.repeat(60)}\n\n`;
    await grow(page, block, 12);
    await settled(page);
    assert.ok((await log.evaluate((element) => element.scrollHeight)) > 1200);
    assert.equal(await page.locator('.md-section-full').count(), 0);
    await page.mouse.move(200, 200);
    await page.mouse.wheel(0, -120);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await page.waitForFunction(() => {
      const element = document.querySelector('[role=log]');
      return element !== null && element.scrollHeight - element.clientHeight - element.scrollTop >= 119;
    });
    const top = await log.evaluate((element) => element.scrollTop);
    for (let more = 0; more < 20 && (await page.locator('.md-section-full').count()) === 0; more += 1) {
      await grow(page, block);
      assert.equal(await log.evaluate((element) => element.scrollTop), top, `after ${more + 13} blocks`);
    }
    assert.equal(await page.locator('.md-section-full').count(), 1);
    await drawn(page);
    assert.equal(await log.evaluate((element) => element.scrollTop), top);
  });

  it('follows again when the reader returns to the end', async () => {
    const page = await browser.open('streaming');
    await grow(page, paragraph, 30);
    await settled(page);
    await page.mouse.move(200, 200);
    await page.mouse.wheel(0, -300);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await page.getByRole('log').press('End');
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
    await grow(page, paragraph, 10);
    await settled(page);
  });

  it("scrolls to the end for the user's own message", async () => {
    const page = await browser.open('many');
    await scrollUp(page);
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('And now?');
    await page.keyboard.press('Enter');
    await send(page, { type: 'messageAdded', message: user('new', 'And now?') });
    await settled(page);
  });

  it('scrolls to the end when a reply is retried', async () => {
    const page = await browser.open('many');
    await scrollUp(page);
    await page.getByRole('button', { name: 'Retry' }).last().press('Enter');
    await page.getByRole('menuitem', { name: 'Retry', exact: true }).press('Enter');
    await send(page, { type: 'messageAdded', message: reply('new', paragraph.repeat(40)) });
    await settled(page);
  });

  it("doesn't move a reader for a message from another page", async () => {
    const page = await browser.open('many');
    const log = page.getByRole('log');
    await scrollUp(page);
    const top = await log.evaluate((element) => element.scrollTop);
    await send(page, { type: 'messageAdded', message: user('new', 'Asked elsewhere') });
    await send(page, { type: 'messageAdded', message: reply('newer', paragraph) });
    await drawn(page);
    assert.equal(await log.evaluate((element) => element.scrollTop), top);
    await page.getByTitle("There's new text below").waitFor();
  });

  it('has nothing to scroll while the invitation fits', async () => {
    const page = await browser.open('empty', { viewport: { width: 300, height: 640 } });
    await page.getByText('Ask any model').waitFor();
    const scrolls = await page.getByRole('log').evaluate((log) => log.scrollHeight > log.clientHeight);
    assert.equal(scrolls, false);
  });

  it('loads older messages while scrolling up and keeps the position', async () => {
    const page = await browser.open('many');
    const log = page.getByRole('log');
    await settled(page);
    await forgetPosted(page);
    await log.evaluate((element) => {
      element.scrollTop = 300;
    });
    assert.deepEqual(await nextOf(page, 'loadOlder'), { type: 'loadOlder', beforeId: 'm30' });
    const anchor = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Question 34' });
    const before = await anchor.boundingBox();
    await send(page, { type: 'olderMessages', messages: history(0, 30), hasOlder: true });
    await page.getByText('Question old0').waitFor({ state: 'attached' });
    await drawn(page);
    await drawn(page);
    const afterwards = await anchor.boundingBox();
    assert.ok(before !== null && afterwards !== null);
    assert.ok(Math.abs(before.y - afterwards.y) <= 2, `${before.y} became ${afterwards.y}`);
  });

  it('asks again after a new snapshot for older messages that never arrived, and keeps the position', async () => {
    const page = await browser.open('many');
    const log = page.getByRole('log');
    await settled(page);
    await log.evaluate((element) => {
      element.scrollTop = 300;
    });
    await nextOf(page, 'loadOlder');
    const anchor = page.getByRole('article', { name: 'You' }).filter({ hasText: 'Question 34' });
    const before = await anchor.boundingBox();
    await forgetPosted(page);
    // The state's own snapshot contains the same messages.
    await page.evaluate(() => {
      window.fakeHost.skip();
      window.fakeHost.send({ type: 'composerFocused' });
    });
    assert.deepEqual(await nextOf(page, 'loadOlder'), { type: 'loadOlder', beforeId: 'm30' });
    await drawn(page);
    const afterwards = await anchor.boundingBox();
    assert.ok(before !== null && afterwards !== null);
    assert.ok(Math.abs(before.y - afterwards.y) <= 2, `${before.y} became ${afterwards.y}`);
  });

  it('keeps what was loaded, and the position, when a new snapshot contains it all', async () => {
    const page = await browser.open('many');
    const log = page.getByRole('log');
    await settled(page);
    await log.evaluate((element) => {
      element.scrollTop = 0;
    });
    await nextOf(page, 'loadOlder');
    const older = history(0, 30);
    await send(page, { type: 'olderMessages', messages: older, hasOlder: false });
    const anchor = page.getByText('Question old20');
    await anchor.waitFor({ state: 'attached' });
    await drawn(page);
    await anchor.evaluate((element) => element.scrollIntoView());
    await drawn(page);
    const before = await anchor.boundingBox();
    const known = history(30, 30).map((message) => ({ ...message, id: message.id.replace('old', 'm') }));
    await send(page, { type: 'snapshot', snapshot: chat([...older, ...known]) });
    await drawn(page);
    await drawn(page);
    const afterwards = await anchor.boundingBox();
    assert.ok(before !== null && afterwards !== null);
    assert.ok(Math.abs(before.y - afterwards.y) <= 2, `${before.y} became ${afterwards.y}`);
    assert.deepEqual((await postedOf(page, 'loadOlder')).length, 1);
  });

  it('keeps at most two hundred messages in the page and restores all on the way down', async () => {
    const page = await browser.open('many');
    const log = page.getByRole('log');
    const shown = (): Promise<number> => page.locator('.message').count();
    let loaded = 30;
    while (loaded < 300) {
      await forgetPosted(page);
      await log.evaluate((element) => {
        element.scrollTop = 0;
      });
      await nextOf(page, 'loadOlder');
      await send(page, { type: 'olderMessages', messages: history(10_000 - loaded, 30), hasOlder: true });
      loaded += 30;
      assert.ok((await shown()) <= 200);
    }
    assert.equal(await shown(), 200);
    await send(page, { type: 'messageAdded', message: reply('last', 'The very last') });
    assert.equal(await page.getByText('The very last').count(), 0);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await settled(page);
    await page.getByText('The very last').waitFor();
  });
});
