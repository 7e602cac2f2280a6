import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessFaults } from '../accessFaults.ts';
import { ChatBrowser, drawn, send } from './chatBrowser.ts';
import { cutWords } from './cutWords.ts';
import { movingStill } from './movingStill.ts';
import { pageStates, reply } from './pageStates.ts';
import { themes, type ThemeName } from './themes.ts';

const themeNames = Object.keys(themes) as readonly ThemeName[];

/** As VS Code does it, in the visible page. */
async function setTheme(page: Page, theme: ThemeName): Promise<void> {
  await page.evaluate(
    ([name, bodyClass]) =>
      new Promise<void>((resolve) => {
        const link = document.querySelector<HTMLLinkElement>('link[href^="theme.css"]');
        if (link === null) throw new Error('The page has no theme');
        link.addEventListener('load', () => resolve(), { once: true });
        link.href = `theme.css?theme=${name}&again`;
        document.body.className = bodyClass;
      }),
    [theme, themes[theme].bodyClass] as const,
  );
  await drawn(page);
}

describe('The chat page is accessible', () => {
  const browser = new ChatBrowser();

  for (const state of Object.keys(pageStates)) {
    it(`axe-core finds nothing wrong: ${state}, in three themes`, async () => {
      const page = await browser.open(state);
      const found: Record<string, readonly string[]> = {};
      for (const theme of themeNames) {
        await setTheme(page, theme);
        found[theme] = await accessFaults(page, theme === themeNames[0] ? 'all' : 'colors');
      }
      assert.deepEqual(found, Object.fromEntries(themeNames.map((theme) => [theme, []])));
    });
  }

  // A side bar of 420 pixels has half as many in a window at 200%.
  for (const state of ['done', 'errors', 'attached', 'tooMuch', 'needsKey', 'longModel', 'empty', 'picking']) {
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
      for (const each of document.querySelectorAll('.visually-hidden')) each.scrollIntoView({ block: 'start' });
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
