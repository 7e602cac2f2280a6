import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { accessFaults } from './accessFaults.ts';
import { ChatDriver } from './chatDriver.ts';
import { MediaDriver } from './mediaDriver.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { Theme } from './workbenchPage.ts';

// Uses the themes that VS Code itself gives to the pages. `page/` tests their individual states, and the page about a
// model, because axe-core never finishes in a frame without scripts.
describe('Every page is accessible', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond: 400, videoSeconds: 0 } });

  const pages: Readonly<Record<string, () => Promise<Frame>>> = {
    chat: async () => (await ChatDriver.inView(workbench())).frame,
    gallery: async () => (await MediaDriver.openGallery(workbench())).frame,
    'form for videos': async () => (await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…')).frame,
    'form for images': async () => (await MediaDriver.openForm(workbench(), 'Parlance: Generate Image…')).frame,
    usage: async () => {
      await workbench().runCommand('Parlance: Show Usage');
      return (await RequestsDriver.open(workbench())).usagePage();
    },
  };

  before('every page has content', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Show a table, a list and some code, in 560 tokens');
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    await form.generate({ Prompt: 'A bridge', Model: 'local/video', 'Duration in seconds': '1', Resolution: '120p' });
    await form.card('done').waitFor({ timeout: 60_000 });
  });

  for (const theme of ['dark', 'light', 'hc-dark'] satisfies readonly Theme[]) {
    it(`axe-core finds nothing wrong: ${theme}`, async function () {
      await workbench().setTheme(theme);
      for (const [name, open] of Object.entries(pages)) {
        // Pages show their background, which is outside of them.
        const behind = ['chat', 'gallery'].includes(name) ? 'sideBar' : 'editor';
        const faults = await waitUntil(name, async () => {
          const page = await open();
          await page.evaluate((place) => {
            document.documentElement.style.background = `var(--vscode-${place}-background)`;
          }, behind);
          return accessFaults(page);
        });
        assert.deepEqual(faults, [], name);
      }
    });
  }
});
