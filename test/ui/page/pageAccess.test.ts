import assert from 'node:assert/strict';
import { accessFaults } from '../accessFaults.ts';
import { checksStates } from './checksStates.ts';
import { compareStates } from './compareStates.ts';
import { cutWords } from './cutWords.ts';
import { measureStates } from './measureStates.ts';
import { mediaStates } from './mediaStates.ts';
import { modelDetailsStates } from './modelDetailsStates.ts';
import { movingStill } from './movingStill.ts';
import { PageBrowser } from './pageBrowser.ts';
import type { PageName } from './pageServer.ts';
import { primaryButtons } from './primaryButtons.ts';
import { requestStates } from './requestStates.ts';
import { setTheme, themes, type ThemeName } from './themes.ts';
import { usageStates } from './usageStates.ts';

const themeNames = Object.keys(themes) as readonly ThemeName[];

const pages: readonly (readonly [PageName, readonly string[]])[] = [
  ['usage', Object.keys(usageStates)],
  ['checks', Object.keys(checksStates)],
  ['compare', Object.keys(compareStates)],
  ['request', Object.keys(requestStates)],
  ['media', Object.keys(mediaStates).filter((state) => state !== 'large')],
  ['measure', Object.keys(measureStates)],
  ['modelDetails', modelDetailsStates],
];

for (const [name, states] of pages) {
  describe(`The ${name} page is accessible`, () => {
    const browser = new PageBrowser(name);

    for (const state of states) {
      it(`axe-core finds nothing wrong: ${state}, in three themes`, async () => {
        const page = await browser.look(state);
        for (const theme of themeNames) {
          await setTheme(page, theme);
          assert.deepEqual(await accessFaults(page, theme === themeNames[0] ? 'all' : 'colors'), [], theme);
        }
      });

      it(`at most one button stands out: ${state}`, async () => {
        const names = await primaryButtons(await browser.look(state));
        assert.ok(names.length <= 1, names.join(', '));
      });

      // A side bar of 420 pixels has half as many in a window at 200%.
      it(`is complete at a zoom of 200%: ${state}`, async () => {
        const page = await browser.look(state, 210);
        assert.deepEqual(await cutWords(page), []);
      });
    }

    // Nothing moves on the other pages.
    for (const state of name === 'media' ? ['gallery', 'filledForm'] : []) {
      it(`doesn't move for people who asked for less motion: ${state}`, async () => {
        assert.deepEqual(await movingStill(await browser.open(state)), { bySystem: 0, byVsCode: 0 });
      });
    }
  });
}
