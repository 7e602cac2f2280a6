import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessFaults } from '../accessFaults.ts';
import { ChatBrowser, drawn } from './chatBrowser.ts';
import { pageStates } from './pageStates.ts';
import { themes, type ThemeName } from './themes.ts';

const themeNames = Object.keys(themes) as readonly ThemeName[];

/** As VS Code does it, in the page that is shown. */
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

describe('The chat page, for everybody', () => {
  const browser = new ChatBrowser();

  for (const state of Object.keys(pageStates)) {
    it(`has nothing that axe-core finds wrong: ${state}, in three themes`, async () => {
      const page = await browser.open(state);
      const found: Record<string, readonly string[]> = {};
      for (const theme of themeNames) {
        await setTheme(page, theme);
        found[theme] = await accessFaults(page);
      }
      assert.deepEqual(found, Object.fromEntries(themeNames.map((theme) => [theme, []])));
    });
  }
});
