import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { accessFaults } from '../accessFaults.ts';
import { ChatBrowser, drawn, send } from './chatBrowser.ts';
import { cutWords } from './cutWords.ts';
import { movingStill } from './movingStill.ts';
import { pageStates, reply } from './pageStates.ts';
import { primaryButtons } from './primaryButtons.ts';
import { setTheme, themes, type ThemeName } from './themes.ts';

const themeNames = Object.keys(themes) as readonly ThemeName[];

/** The contrast of an icon's strongest pixel with its background, as drawn on a screen without scaling. */
async function drawnContrast(page: Page, icon: Locator): Promise<number> {
  const png = await icon.screenshot();
  return page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext('2d');
      if (pen === null) throw new Error('Nothing to read the pixels with');
      pen.drawImage(image, 0, 0);
      const { data } = pen.getImageData(0, 0, image.width, image.height);
      const linear = (value = 0) => (value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      const light = (at: number) =>
        0.2126 * linear(data[at]) + 0.7152 * linear(data[at + 1]) + 0.0722 * linear(data[at + 2]);
      // The icon doesn't reach into the corner.
      const background = light(0);
      const ratios = Array.from({ length: data.length / 4 }, (_, index) => {
        const pixel = light(index * 4);
        return (Math.max(pixel, background) + 0.05) / (Math.min(pixel, background) + 0.05);
      });
      return Math.max(...ratios);
    },
    [...png],
  );
}

describe('The chat page is accessible', () => {
  const browser = new ChatBrowser();

  for (const state of Object.keys(pageStates)) {
    it(`at most one button stands out: ${state}`, async () => {
      const names = await primaryButtons(await browser.look(state));
      assert.ok(names.length <= 1, names.join(', '));
    });

    it(`axe-core finds nothing wrong: ${state}, in three themes`, async () => {
      const page = await browser.look(state);
      const found: Record<string, readonly string[]> = {};
      for (const theme of themeNames) {
        await setTheme(page, theme);
        found[theme] = await accessFaults(page, theme === themeNames[0] ? 'all' : 'colors');
      }
      assert.deepEqual(found, Object.fromEntries(themeNames.map((theme) => [theme, []])));
    });
  }

  it('the button that stands out is that of the newest problem or message, or the one that sends', async () => {
    const named: Record<string, readonly string[]> = {};
    for (const state of ['done', 'needsKey', 'needsLocalKey', 'errors', 'streaming', 'told']) {
      const page = await browser.open(state);
      await drawn(page);
      named[state] = (await primaryButtons(page)).map((name) => name.replace(/\d+/, '…'));
    }
    assert.deepEqual(named, {
      done: [],
      needsKey: ['Set API Key…'],
      needsLocalKey: ['Use No Key'],
      errors: ['Retry in … s'],
      streaming: ['Stop'],
      told: ['Test Connection'],
    });
  });

  it('the button that stands out is the one that Enter presses, unless the text can only be sent after another', async () => {
    const typed = 'What now?';
    const leading = async (state: string, act: (page: Page) => Promise<unknown>) => {
      const page = await browser.open(state);
      await act(page);
      await drawn(page);
      return (await primaryButtons(page)).map((name) => name.replace(/\d+/, '…'));
    };
    const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
    const edit = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).first().press('Enter');
    const refuse = (page: Page) =>
      send(page, {
        type: 'askRefused',
        text: typed,
        problem: {
          severity: 'error',
          title: 'No API key',
          detail: '',
          actions: [{ kind: 'setApiKey', label: 'Set API Key…' }],
          technical: '',
        },
      });
    assert.deepEqual(await leading('done', (page) => box(page).fill(typed)), ['Send']);
    assert.deepEqual(await leading('errors', (page) => box(page).fill(typed)), ['Send']);
    assert.deepEqual(await leading('told', (page) => box(page).fill(typed)), ['Send']);
    assert.deepEqual(await leading('needsKey', (page) => box(page).fill(typed)), ['Set API Key…']);
    assert.deepEqual(await leading('done', refuse), ['Set API Key…']);
    assert.deepEqual(await leading('errors', refuse), ['Set API Key…']);
    assert.deepEqual(await leading('streaming', refuse), ['Stop']);
    const cleared = async (page: Page) => {
      await box(page).fill(typed);
      await drawn(page);
      await box(page).fill('');
    };
    assert.deepEqual(await leading('errors', cleared), ['Retry in … s']);
    // A problem before the newest message is over.
    const answered = (page: Page) => send(page, { type: 'messageAdded', message: reply('r9', 'It works') });
    assert.deepEqual(await leading('errors', answered), []);
    const edited = async (page: Page) => {
      await box(page).fill(typed);
      await edit(page);
    };
    assert.deepEqual(await leading('done', edited), ['Send']);
    const page = await browser.open('done');
    await edited(page);
    await drawn(page);
    assert.equal(await page.locator('.editor .button:not(.secondary, .yields)').count(), 1);
    await box(page).focus();
    await drawn(page);
    assert.equal(await page.locator('.editor .button:not(.secondary, .yields)').count(), 0);
    assert.deepEqual(await primaryButtons(page), ['Send']);
  });

  // A side bar of 420 pixels has half as many in a window at 200%.
  for (const state of [
    'done',
    'formulas',
    'errors',
    'attached',
    'tooMuch',
    'needsKey',
    'longModel',
    'empty',
    'picking',
  ]) {
    it(`is complete at a zoom of 200%: ${state}`, async () => {
      const page = await browser.open(state, { viewport: { width: 210, height: 320 }, deviceScaleFactor: 2 });
      await drawn(page);
      const cut = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        const elements = [...document.querySelectorAll<HTMLElement>('button, textarea, input, a, h1, h2, .bubble')];
        const shown = elements.filter(
          (each) => each.checkVisibility() && each.closest('pre, .visually-hidden') === null,
        );
        return shown
          .filter((each) => each.getBoundingClientRect().right > width + 1 || each.getBoundingClientRect().left < -1)
          .map((each) => each.outerHTML.slice(0, 120));
      });
      assert.deepEqual(cut, []);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
      );
    });
  }

  for (const theme of themeNames) {
    it(`draws the icons below a reply at 3:1 or more before the pointer is on it, in the ${theme} theme`, async () => {
      const page = await browser.open('done', { theme });
      const icons = page.locator('.reply > .footer > .actions .codicon:visible');
      const faint: string[] = [];
      for (const icon of await icons.all()) {
        const contrast = await drawnContrast(page, icon);
        if (contrast < 3) faint.push(`${await icon.evaluate(({ className }) => className)}: ${contrast.toFixed(2)}`);
      }
      assert.ok((await icons.count()) >= 3);
      assert.deepEqual(faint, []);
    });
  }

  it('breaks a long path in an error message, wherever it is', async () => {
    const path = `/home/someone/${'unbroken'.repeat(20)}/conversation.jsonl`;
    const problem = {
      severity: 'error',
      title: `${path} can't be written`,
      detail: `Parlance couldn't write ${path}.`,
      actions: [{ kind: 'showLog', label: 'Show Log' }],
      technical: path,
    } as const;
    const page = await browser.open('empty', { viewport: { width: 300, height: 640 } });
    await send(page, { type: 'unsavedChanged', unsaved: problem });
    await send(page, { type: 'askRefused', text: '', problem });
    await send(page, { type: 'messageAdded', message: reply('r1', 'Half', { state: 'failed', problem }) });
    await send(page, { type: 'askRefused', text: '', problem });
    assert.equal(await page.locator('.problem').count(), 3);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.problem, .problem *')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline')
        .map((each) => each.outerHTML.slice(0, 120)),
    );
    assert.deepEqual(wide, []);
    assert.deepEqual(await cutWords(page), []);
  });

  it("doesn't move for people who asked for less motion, while a reply arrives", async () => {
    const page = await browser.open('streaming');
    assert.deepEqual(await movingStill(page), { bySystem: 0, byVsCode: 0 });
  });

  it('keeps its place when a screen reader goes to text that only it can read', async () => {
    const page = await browser.open('many');
    const top = await page.evaluate(() => {
      for (const each of document.querySelectorAll('.visually-hidden, .spoken'))
        each.scrollIntoView({ block: 'start' });
      document.documentElement.scrollTop = 5000;
      document.body.scrollTop = 5000;
      return [document.documentElement.scrollTop, document.body.scrollTop, document.querySelector('main')?.scrollTop];
    });
    assert.deepEqual(top, [0, 0, 0]);
  });

  it('is navigated by headings: the page, then each message, then those in a reply', async () => {
    const page = await browser.open('done');
    const levels = await page.evaluate(() =>
      [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
        .filter((each) => each.checkVisibility())
        .map(({ tagName, textContent }) => `${tagName} ${textContent}`),
    );
    assert.deepEqual(levels.slice(0, 2), ['H1 Chat', 'H2 You']);
    assert.ok(levels[2]?.startsWith('H2 '), levels.join());
  });
});
