import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChatBrowser, drawn, forgetPosted, nextOf, postedOf, send } from './chatBrowser.ts';
import { chat, reply, user } from './pageStates.ts';

const box = (page: Page) => page.getByRole('textbox', { name: 'Find in Conversation' });
const count = (page: Page) => page.getByRole('search').getByRole('status');

async function look(page: Page, query: string): Promise<void> {
  await page.keyboard.press('Control+f');
  await page.keyboard.type(query);
}

/** What is highlighted on the page: all but the current match, and the current one. */
function marked(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    ['parlance-found', 'parlance-found-current'].map((name) =>
      [...(CSS.highlights.get(name) ?? [])].map((range) => (range instanceof Range ? range.toString() : '')),
    ),
  );
}

/** Whether the current match is inside everything that scrolls or cuts off. */
function isMatchInView(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const [match] = CSS.highlights.get('parlance-found-current') ?? [];
    if (!(match instanceof Range)) return false;
    const text = match.getBoundingClientRect();
    let around = match.startContainer.parentElement;
    for (; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflow.includes('visible')) continue;
      const frame = around.getBoundingClientRect();
      if (text.top < frame.top || text.bottom > frame.bottom) return false;
      if (text.left < frame.left || text.right > frame.right) return false;
    }
    return true;
  });
}

describe('Find in the conversation', function () {
  const browser = new ChatBrowser();

  async function opened(hasOlder: boolean): Promise<Page> {
    const page = await browser.open('many');
    const messages = [
      user('q1', 'Where do owls nest?'),
      reply('a1', 'An **ow**l nests in `owl boxes`.\n\n```\nlet owl;\n```\n'),
    ];
    await send(page, { type: 'snapshot', snapshot: { ...chat(messages), hasOlder } });
    await page.getByText('Where do owls nest?').waitFor();
    await drawn(page);
    return page;
  }

  it('counts and highlights what the page shows, across formatting, and moves from match to match', async () => {
    const page = await opened(false);
    await look(page, 'OWL');
    assert.equal(await box(page).inputValue(), 'OWL');
    await count(page).filter({ hasText: '? of 4' }).waitFor();
    assert.deepEqual(await marked(page), [['owl', 'owl', 'owl', 'owl'], []]);
    await page.keyboard.press('Enter');
    await page.getByText('4 of 4').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 4').waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('4 of 4').waitFor();
    assert.deepEqual(
      (await marked(page)).map((texts) => texts.length),
      [3, 1],
    );
    assert.equal(await page.locator('mark').count(), 0);
  });

  it("shows when there's no match, and returns to the message box with Escape", async () => {
    const page = await opened(false);
    await look(page, 'wolf');
    await page.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('search').count(), 0);
    assert.deepEqual(await marked(page), [[], []]);
    assert.deepEqual(await postedOf(page, 'stop'), []);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  });

  it("loads its search when it's first opened, and takes what is typed until then", async () => {
    const page = await opened(true);
    await forgetPosted(page);
    const { asked, release } = browser.holdScripts();
    await look(page, 'owl');
    await page.keyboard.press('Enter');
    assert.equal(await box(page).inputValue(), 'owl');
    assert.equal(await count(page).textContent(), '');
    await asked;
    release();
    await page.getByText('4 of 4').waitFor();
    assert.equal(await box(page).inputValue(), 'owl');
    assert.deepEqual(await postedOf(page, 'find'), [{ type: 'find', request: 1, query: 'owl', beforeId: 'q1' }]);
  });

  it("marks nothing while it's closed, not even if its search is loaded then", async () => {
    const page = await opened(false);
    const { asked, release } = browser.holdScripts();
    await look(page, 'owl');
    await asked;
    await page.keyboard.press('Escape');
    const loaded = page.waitForEvent('requestfinished');
    release();
    await loaded;
    await drawn(page);
    assert.deepEqual(await marked(page), [[], []]);
    await page.keyboard.press('Control+f');
    await page.getByText('? of 4').waitFor();
    await page.keyboard.press('Escape');
    assert.deepEqual(await marked(page), [[], []]);
  });

  it("asks the host about what isn't loaded, and loads it to go there", async () => {
    const page = await opened(true);
    await forgetPosted(page);
    await page.keyboard.press('Control+f');
    await box(page).fill('nest');
    assert.deepEqual(await nextOf(page, 'find'), { type: 'find', request: 1, query: 'nest', beforeId: 'q1' });
    await send(page, { type: 'found', request: 1, older: [{ id: 'old0', count: 1 }] });
    await page.getByText('? of 3').waitFor();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+Enter');
    assert.deepEqual(await nextOf(page, 'loadOlder'), { type: 'loadOlder', beforeId: 'q1', throughId: 'old0' });
    const older = [
      user('old0', 'The oldest nest'),
      ...Array.from({ length: 80 }, (_, at) => user(`old${at + 1}`, 'x')),
    ];
    await send(page, { type: 'olderMessages', messages: older, hasOlder: false });
    await page.getByText('1 of 3').waitFor();
    await page.getByText('The oldest nest').waitFor();
    const place = await page.getByText('The oldest nest').boundingBox();
    assert.ok(place !== null && place.y >= 0 && place.y < 640, JSON.stringify(place));
  });

  it("skips a match that only a message's source has", async () => {
    const page = await opened(true);
    await page.keyboard.press('Control+f');
    await box(page).fill('nest');
    await nextOf(page, 'find');
    const older = [user('old0', 'The oldest nest'), reply('old1', '```nest\nlet x;\n```\n')];
    await send(page, { type: 'found', request: 1, older: older.map(({ id }) => ({ id, count: 1 })) });
    await page.getByText('? of 4').waitFor();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Shift+Enter');
    assert.deepEqual(await nextOf(page, 'loadOlder'), { type: 'loadOlder', beforeId: 'q1', throughId: 'old1' });
    await send(page, { type: 'olderMessages', messages: older, hasOlder: false });
    await count(page)
      .filter({ hasText: /^1 of 3$/ })
      .waitFor();
  });

  it('shows a match of a long question, collapsed or not', async () => {
    const page = await browser.open('many');
    const lines = Array.from({ length: 200 }, (_, at) => `Line ${at + 1} of it`);
    const messages = [user('q1', lines.join('\n')), reply('a1', 'Read.'), user('q2', 'Thanks'), reply('a2', 'Sure.')];
    await send(page, { type: 'snapshot', snapshot: { ...chat(messages), hasOlder: false } });
    await page.getByText('Sure.').waitFor();
    await drawn(page);
    await look(page, 'Line 150 ');
    await page.getByText('? of 1').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1').waitFor();
    await drawn(page);
    assert.ok(await isMatchInView(page));
    const button = page.getByRole('button', { name: 'Show Less' });
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    await box(page).fill('Line 20 ');
    await page.keyboard.press('Enter');
    await drawn(page);
    assert.deepEqual(await marked(page), [[], ['Line 20 ']]);
    assert.ok(await isMatchInView(page));
    await box(page).fill('Show');
    await page.getByText('No results').waitFor();
  });

  it('shows a match at the end of a long line of code, and one far down in a long reply', async () => {
    const page = await browser.open('many');
    const code = `\`\`\`\nlet all = [${'1234, '.repeat(80)}owl];\n\`\`\`\n`;
    const paragraphs = Array.from({ length: 400 }, (_, at) => `${at === 333 ? 'Jackdaw' : 'Bird'} ${at}. `.repeat(20));
    const messages = [user('q1', 'Where?'), reply('a1', `${code}\n${paragraphs.join('\n\n')}`)];
    await send(page, { type: 'snapshot', snapshot: { ...chat(messages), hasOlder: false } });
    await page.getByText('Bird 399.').first().waitFor();
    await drawn(page);
    for (const query of ['owl', 'Jackdaw 333', 'owl', 'Bird 332']) {
      await page.keyboard.press('Control+f');
      await box(page).fill(query);
      await page.getByText(/^\? of \d+$/).waitFor();
      await page.keyboard.press('Enter');
      await page.getByText(/^\d+ of \d+$/).waitFor();
      // Far away, what lies between gets its height in the next frames.
      for (let frame = 0; frame < 10; frame += 1) await drawn(page);
      assert.ok(await isMatchInView(page), query);
    }
  });

  it("counts and highlights what a reply adds while it's being written", async () => {
    const page = await opened(false);
    await send(page, {
      type: 'messageAdded',
      message: reply('a2', '', { state: 'running' }),
    });
    await look(page, 'owl');
    await count(page).filter({ hasText: '? of 4' }).waitFor();
    const [least, most, shown] = await page.evaluate(async () => {
      const marks: number[] = [];
      const counts = new Set<string | null>();
      const pieces = Array.from({ length: 30 }, (_, at) => `owl ${at}\n\n`);
      let offset = 0;
      for (const text of pieces) {
        window.fakeHost.send({ type: 'replyGrew', replyId: 'a2', part: 'text', offset, text });
        offset += text.length;
        for (let frame = 0; frame < 3; frame += 1) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          marks.push(CSS.highlights.get('parlance-found')?.size ?? 0);
        }
        counts.add(document.querySelector('.find-count')?.textContent ?? null);
      }
      return [Math.min(...marks), Math.max(...marks), [...counts]] as const;
    });
    assert.ok(least >= 4, String(least));
    assert.ok(most > 10, String(most));
    assert.ok(shown.length >= 4, shown.join());
    await count(page).filter({ hasText: '? of 34' }).waitFor();
  });
});
