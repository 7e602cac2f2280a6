import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { accessFaults } from './accessFaults.ts';
import { ChatDriver } from './chatDriver.ts';
import { MediaDriver } from './mediaDriver.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { Theme } from './workbenchPage.ts';

const themes: readonly Theme[] = ['dark', 'light', 'hc-dark'];

describe('Every page, for everybody', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond: 400, videoSeconds: 0 } });

  /** The frame of a tab's page. */
  function frameWith(selector: string): Promise<Frame> {
    return waitUntil(
      `a page with ${selector} in view`,
      async () => {
        const all = workbench().page.frames();
        const shown = await Promise.all(all.map((frame) => isShown(frame, selector)));
        return all[shown.indexOf(true)];
      },
      30_000,
    );
  }

  it('has nothing that axe-core finds wrong, in three themes', async function () {
    this.timeout(180_000);
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Show a table, a list and some code');
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    await form.generate({ Prompt: 'A bridge', Model: 'local/video', 'Duration in seconds': '1', Resolution: '120p' });
    await form.card('done').waitFor({ timeout: 20_000 });
    const models = await ModelsDriver.open(workbench());
    await models
      .row(/writer/)
      .first()
      .waitFor({ timeout: 20_000 });
    const pages: Readonly<Record<string, () => Promise<Frame>>> = {
      'the chat': async () => (await ChatDriver.inView(workbench())).frame,
      'the gallery': async () => (await MediaDriver.openGallery(workbench())).frame,
      'the form for videos': async () => (await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…')).frame,
      'the form for images': async () => (await MediaDriver.openForm(workbench(), 'Parlance: Generate Image…')).frame,
      'the use of the service': async () => {
        await workbench().runCommand('Parlance: Show Usage');
        return frameWith('dl.figures');
      },
      'one model': async () => {
        await models
          .row(/writer/)
          .first()
          .click();
        return frameWith('#parlance-model');
      },
    };
    const found: Record<string, readonly string[]> = {};
    for (const theme of themes) {
      await workbench().setTheme(theme);
      for (const [name, open] of Object.entries(pages)) {
        const faults = await accessFaults(await open());
        if (faults.length > 0) found[`${name}, ${theme}`] = faults;
      }
    }
    assert.deepEqual(found, {});
  });
});

async function isShown(frame: Frame, selector: string): Promise<boolean> {
  return frame
    .locator(selector)
    .first()
    .isVisible()
    .catch(() => false);
}
