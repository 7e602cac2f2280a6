import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { ChatDriver } from '../ui/chatDriver.ts';
import { CompareDriver } from '../ui/compareDriver.ts';
import { MediaDriver } from '../ui/mediaDriver.ts';
import { ModelsDriver } from '../ui/modelsDriver.ts';
import { QuickInput } from '../ui/quickInput.ts';
import { RequestsDriver } from '../ui/requestsDriver.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import type { WorkbenchPage } from '../ui/workbenchPage.ts';
import type { Camera } from './camera.ts';
import { withoutCredits } from './exampleModels.ts';

interface Shot {
  readonly name: string;
  readonly take: (workbench: WorkbenchPage, camera: Camera) => Promise<void>;
}

/** Long enough for a busy machine, because only something that never happens takes that long. */
const longestWaitMs = 120_000;
const question = 'Why does removeDone skip tasks?';
const video = { Model: 'lumen/reel-2', Prompt: 'Bright pixel balloons drifting at dusk', Resolution: '720p' };

/** In the order in which they're taken. Each can start from any state of the workbench. */
export const shots: readonly Shot[] = [
  {
    name: 'usage',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 920, height: 900 });
      await workbench.runCommand('Parlance: Show Usage');
      const requests = await RequestsDriver.open(workbench);
      await workbench.runCommand('View: Close Primary Side Bar');
      const frame = await requests.usagePage();
      await camera.take('usage', [frame.locator('body')]);
    },
  },
  // Before other models were used, because VS Code would then start with one of those.
  {
    name: 'vscode-chat',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 860, height: 640 });
      await workbench.runCommand('Chat: Open Chat');
      await workbench.setSideBarWidth(480);
      const view = workbench.page.locator('.interactive-session');
      const input = view.locator('.interactive-input-part');
      // Before it lists our models, VS Code sends nothing.
      await input.getByText('sparrow', { exact: true }).waitFor({ timeout: longestWaitMs });
      await input.locator('.monaco-editor').first().click();
      await workbench.page.keyboard.insertText(`@parlance ${question}`);
      await workbench.page.keyboard.press('Escape');
      await workbench.page.keyboard.press('Enter');
      const end = view.locator('.interactive-response').getByText('Callers must use the return value');
      await end.waitFor({ timeout: longestWaitMs });
      const speed = view.locator('.chat-footer-details', { hasText: 'tok/s' });
      await camera.take('vscode-chat', [view], 0, async () => {
        await end.hover();
        // VS Code applies its setting for the size of text a moment after it has drawn the text.
        await waitUntil('the speed', () =>
          speed.evaluate((each) => {
            const { opacity, fontSize } = getComputedStyle(each);
            return opacity === '1' && parseFloat(fontSize) > 11;
          }),
        );
      });
    },
  },
  {
    name: 'hero',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 920, height: 640 });
      const comparison = await CompareDriver.open(workbench);
      // It starts with the models that were used last.
      const others = (await comparison.models()).filter((name) => name !== 'kestrel/sparrow');
      for (const name of others)
        await comparison
          .column(name)
          .getByRole('button', { name: /^Close/ })
          .click();
      await comparison.button('Add Model…').click();
      await comparison.choose('northwind/gale-32b-instruct');
      await comparison.column('northwind/gale-32b-instruct').waitFor();
      await comparison.message.click();
      await camera.film('hero', comparison.frame.locator('body'), async () => {
        await workbench.page.keyboard.type(question, { delay: 40 });
        await workbench.page.keyboard.press('Enter');
        await comparison.frame.locator('.race').getByText('slower').waitFor({ timeout: longestWaitMs });
        await comparison.button('Stop All').waitFor({ state: 'hidden', timeout: longestWaitMs });
      });
    },
  },
  {
    name: 'speed',
    take: async (workbench, camera) => {
      const chat = await chatAlone(workbench);
      await chat.ask(question);
      await camera.take('speed', [chat.lastReply], 8);
    },
  },
  {
    name: 'diff',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 860, height: 560 });
      await camera.take('diff', [await proposedChange(workbench)]);
    },
  },
  {
    name: 'models',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 860, height: 620 });
      const models = await ModelsDriver.open(workbench);
      await workbench.resizeTo(860, 560);
      await widenSideBar(workbench, 480);
      await models
        .row(/sparrow/)
        .first()
        .waitFor({ timeout: longestWaitMs });
      await camera.take('models', [models.pane]);
    },
  },
  {
    name: 'media',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 920, height: 824 });
      const form = await MediaDriver.openForm(workbench, 'Parlance: Generate Video…');
      await form.field('Draft').selectOption({ label: 'On' });
      await form.generate(video);
      await videoDrawn(form.card('done'));
      await form.card('done').getByRole('button', { name: 'Generate Final Version' }).click();
      const both = form.frame.locator('.card[data-state=done]');
      await both.nth(1).waitFor({ timeout: longestWaitMs });
      for (const card of await both.all()) await videoDrawn(card);
      await form.field('Draft').selectOption({ index: 0 });
      await both.first().scrollIntoViewIfNeeded();
      // The browser's own loading indicator fades at an unpredictable time.
      await pause(3000);
      await camera.take('media', [form.frame.locator('body')]);
    },
  },
  {
    name: 'walkthrough',
    take: async (workbench, camera) => {
      await clean(workbench, { width: 600, height: 400 });
      const input = new QuickInput(workbench.page);
      await workbench.runCommand('Parlance: Set Base URL…');
      await input.opened(/Base URL/);
      await input.box.fill('https://inference.example/v1');
      await camera.takeStep('connect', input.widget);
      await workbench.page.keyboard.press('Escape');

      const chat = await chatAlone(workbench, 560);
      await chat.ask(question);
      await camera.takeStep('chat', chat.lastReply);

      await clean(workbench, { width: 580, height: 560 });
      await camera.takeStep('selection', await proposedChange(workbench));

      await clean(workbench, { width: 860, height: 560 });
      const models = await ModelsDriver.open(workbench);
      await workbench.resizeTo(860, 440);
      await widenSideBar(workbench, 480);
      await camera.takeStep('models', models.pane);

      await clean(workbench, { width: 560, height: 900 });
      const form = await MediaDriver.openForm(workbench, 'Parlance: Generate Video…');
      await form.generate(video);
      const card = form.card('done');
      await videoDrawn(card);
      await card.scrollIntoViewIfNeeded();
      await pause(3000);
      await camera.takeStep('video', card);
    },
  },
  {
    name: 'error',
    take: async (workbench, camera) => {
      const chat = await chatAlone(workbench);
      await chat.chooseModel(withoutCredits);
      await chat.ask('Summarize the changes in this file for the changelog');
      await camera.take('error', [chat.lastReply], 8);
    },
  },
  {
    name: 'high-contrast',
    take: async (workbench, camera) => {
      await workbench.setTheme('hc-dark');
      const chat = await chatAlone(workbench);
      await workbench.resizeTo(760, 560);
      await chat.ask(question);
      await camera.take('high-contrast', [chat.frame.locator('body')]);
      await workbench.setTheme('dark');
    },
  },
];

/** Waits until a card shows the first frame of its video. */
async function videoDrawn(card: Locator): Promise<void> {
  const played = card.locator('video');
  await played.waitFor({ timeout: longestWaitMs });
  await waitUntil('the first frame', () => played.evaluate((each: HTMLVideoElement) => each.readyState >= 3));
}

/** The editor with the change that a model proposes for a function. */
async function proposedChange(workbench: WorkbenchPage): Promise<Locator> {
  const { page } = workbench;
  await workbench.openFile('src/tasks.ts');
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let line = 0; line < 5; line++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ControlOrMeta+End');
  await workbench.runCommand('Parlance: Simplify Code');
  const editor = page.locator('.editor-group-container.active');
  await editor
    .locator('.editor-actions')
    .getByRole('button', { name: /All/ })
    .first()
    .waitFor({ timeout: longestWaitMs });
  await editor.locator('.line-insert').first().waitFor({ timeout: longestWaitMs });
  // VS Code draws the change's own buttons after the diff.
  await editor
    .locator('.review-widget')
    .getByRole('button', { name: 'Discard' })
    .first()
    .waitFor({ timeout: longestWaitMs });
  return editor;
}

/** One editor, no side bars, and the window as large as this. */
async function clean(
  workbench: WorkbenchPage,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand('View: Hide Secondary Side Bar');
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.resizeTo(size.width, size.height);
}

/** A new chat in its own editor, at a comfortable reading width. */
async function chatAlone(workbench: WorkbenchPage, width = 760): Promise<ChatDriver> {
  await clean(workbench, { width, height: 900 });
  await workbench.runCommand('Parlance: Open Chat in Editor');
  return ChatDriver.inView(workbench);
}

/** Drags the border of the primary side bar. @param width CSS pixels */
async function widenSideBar(workbench: WorkbenchPage, width: number): Promise<void> {
  const { page } = workbench;
  const bar = page.locator('.part.sidebar');
  await waitUntil(`a side bar ${width} px wide`, async () => {
    const box = await bar.boundingBox();
    if (!box) return false;
    if (Math.abs(box.width - width) <= 3) return true;
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + width, middle, { steps: 5 });
    await page.mouse.up();
    return false;
  });
}
