/**
 * `npm run screenshots`: the README's pictures, taken from the real workbench, to `media/screenshots/`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFolder } from '../workbench/folders.ts';
import { runScript } from '../workbench/runScript.ts';
import { ChatDriver } from './chatDriver.ts';
import { MediaDriver } from './mediaDriver.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { openWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { Theme, WorkbenchPage } from './workbenchPage.ts';

const folder = join(projectFolder, 'media', 'screenshots');
const wide = { width: 1280, height: 800, sideBar: 460 };
/** High enough for a question, its answer and the speed. */
const whole = { ...wide, height: 940 };
const narrow = { width: 900, height: 800, sideBar: 300 };

async function converse(workbench: WorkbenchPage, model?: string): Promise<void> {
  const chat = await ChatDriver.open(workbench);
  if (model !== undefined) {
    await chat.startAnew();
    await chat.chooseModel(model);
  }
  await chat.ask('Why does this loop skip items?');
}

async function picture(workbench: WorkbenchPage, name: string, theme: Theme, size: typeof wide): Promise<void> {
  await workbench.setTheme(theme);
  await workbench.resizeTo(size.width, size.height);
  await workbench.setSideBarWidth(size.sideBar);
  const chat = await ChatDriver.inView(workbench);
  await chat.box.blur();
  const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
  if (await jump.isVisible()) await jump.click();
  await take(workbench, name);
}

async function take(workbench: WorkbenchPage, name: string, size?: typeof wide): Promise<void> {
  const { page } = workbench;
  if (size !== undefined) await workbench.resizeTo(size.width, size.height);
  const { width, height } = page.viewportSize() ?? wide;
  // Away from anything that would show a tooltip.
  await page.mouse.move(width / 2, height - 40);
  await page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
  await page.locator('.monaco-sash.hover').first().waitFor({ state: 'detached' });
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`media/screenshots/${name}.png`);
}

/** A replacement of selected code, to take over change by change. The model echoes: the prompt holds its reply. */
async function proposal(workbench: WorkbenchPage): Promise<void> {
  const prompts = join(workbench.workspace, '.github', 'prompts');
  await mkdir(prompts, { recursive: true });
  await writeFile(
    join(prompts, 'simplify.prompt.md'),
    `---
description: Makes it simpler
model: local/echo
target: replace
---
\`\`\`ts
/** Without what is done; the list that was given stays as it is. */
export function removeDone(tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => !task.done);
}
\`\`\`
`,
  );
  const { page } = workbench;
  await workbench.openFile('src/tasks.ts');
  await page.locator('.editor-instance .view-line').first().click();
  await page.keyboard.press('ControlOrMeta+Home');
  for (let line = 0; line < 5; line++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ControlOrMeta+End');
  await workbench.runCommand('Parlance: Run Prompt…');
  const input = new QuickInput(page);
  await input.opened('Run Prompt');
  await input
    .row(/^simplify/)
    .first()
    .click();
  await page
    .locator('.editor-actions')
    .getByRole('button', { name: 'Accept All Changes', exact: true })
    .first()
    .waitFor({ timeout: 20_000 });
}

/** The service in the side bar, after some use. */
async function sideBar(workbench: WorkbenchPage): Promise<void> {
  const models = await ModelsDriver.open(workbench);
  // A long list draws only what is in sight: each is found by the filter.
  for (const name of ['local/writer', 'local/thinker', 'local/fast']) {
    const input = await models.filter(name);
    await input.box.press('Enter');
    await models.pressIcon(new RegExp(`^${name},`), 'Add to Favorites');
  }
  await workbench.runCommand('Parlance: Clear Model Filter');
  await models.row('Favorites, 3 models').waitFor();
  await RequestsDriver.open(workbench);
}

async function film(workbench: WorkbenchPage): Promise<void> {
  const form = await MediaDriver.openForm(workbench, 'Parlance: Generate Video…');
  await form.generate({ Model: 'local/video', Prompt: 'A paper boat on a mountain lake at dawn', Resolution: '720p' });
  const video = form.card('done').locator('video');
  await video.waitFor({ timeout: 60_000 });
  await waitUntil('the first picture', () => video.evaluate((played: HTMLVideoElement) => played.readyState >= 3));
  await form.card('done').scrollIntoViewIfNeeded();
  // The browser's own sign of loading fades when it likes.
  await pause(3000);
}

if ((await runScript('esbuild.config.mjs', ['--no-tests'])) !== 0) throw new Error('The build failed; see above.');
await mkdir(folder, { recursive: true });
await using cleanup = new AsyncDisposableStack();
// A pace as of a good service, so that the pictures show figures that people know.
const workbench = await openWorkbench({ service: { tokensPerSecond: 84, firstTokenDelayMs: 310 } }, cleanup);
await workbench.openFile('src/tasks.ts');
await converse(workbench);
await picture(workbench, 'chat-dark', 'dark', whole);
await picture(workbench, 'chat-light', 'light', wide);
await picture(workbench, 'chat-high-contrast', 'hc-dark', wide);
const chat = await ChatDriver.inView(workbench);
await chat.startAnew();
await chat.chooseModel('local/error-402');
await chat.ask('Summarize the changes in this file for the changelog');
await picture(workbench, 'error-dark', 'dark', wide);

await workbench.runCommand('View: Hide Secondary Side Bar');
await workbench.runCommand('View: Close All Editors');
await proposal(workbench);
await take(workbench, 'diff-dark');
await workbench.runCommand('View: Close All Editors');
await workbench.openFile('src/tasks.ts');
await sideBar(workbench);
await workbench.runCommand('Parlance: Show Usage');
await (await RequestsDriver.open(workbench)).usagePage();
await take(workbench, 'service-dark', wide);
await workbench.setTheme('light');
await workbench.runCommand('View: Close All Editors');
await film(workbench);
await take(workbench, 'video-light', wide);

// Last, because VS Code makes its own side bar narrow too, and leaves it so.
await workbench.runCommand('View: Close All Editors');
await workbench.openFile('src/tasks.ts');
await converse(workbench, 'local/writer');
await picture(workbench, 'chat-narrow', 'dark', narrow);
await picture(workbench, 'chat-narrow-light', 'light', narrow);
