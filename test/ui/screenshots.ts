/**
 * `npm run screenshots`: the README's pictures, taken from the real workbench, to `media/screenshots/`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../workbench/folders.ts';
import { runScript } from '../workbench/runScript.ts';
import { ChatDriver } from './chatDriver.ts';
import { openWorkbench } from './useWorkbench.ts';
import type { Theme, WorkbenchPage } from './workbenchPage.ts';

const folder = join(projectFolder, 'media', 'screenshots');
const wide = { width: 1280, height: 800, sideBar: 460 };
const narrow = { width: 900, height: 800, sideBar: 300 };

async function converse(workbench: WorkbenchPage): Promise<void> {
  const chat = await ChatDriver.open(workbench);
  await chat.ask('Why does this loop skip items?');
}

async function picture(
  workbench: WorkbenchPage,
  name: string,
  theme: Theme,
  size: typeof wide,
  from: 'start' | 'end' = 'end',
): Promise<void> {
  await workbench.setTheme(theme);
  await workbench.resizeTo(size.width, size.height);
  await workbench.setSideBarWidth(size.sideBar);
  const chat = await ChatDriver.inView(workbench);
  await chat.box.blur();
  const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
  if (from === 'start') await chat.frame.getByRole('article').first().scrollIntoViewIfNeeded();
  else if (await jump.isVisible()) await jump.click();
  // Away from anything that would show a tooltip.
  await workbench.page.mouse.move(size.width / 2, size.height / 2);
  await workbench.page.locator('.monaco-hover').first().waitFor({ state: 'hidden' });
  await workbench.page.locator('.monaco-sash.hover').first().waitFor({ state: 'detached' });
  await workbench.page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await workbench.page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`media/screenshots/${name}.png`);
}

if ((await runScript('esbuild.config.mjs', ['--no-tests'])) !== 0) throw new Error('The build failed; see above.');
await mkdir(folder, { recursive: true });
await using cleanup = new AsyncDisposableStack();
// A pace as of a good service, so that the pictures show figures that people know.
const workbench = await openWorkbench({ service: { tokensPerSecond: 84, firstTokenDelayMs: 310 } }, cleanup);
await workbench.openFile('src/tasks.ts');
await converse(workbench);
await picture(workbench, 'chat-dark', 'dark', wide, 'start');
await picture(workbench, 'chat-light', 'light', wide);
await picture(workbench, 'chat-high-contrast', 'hc-dark', wide);
await picture(workbench, 'chat-narrow', 'dark', narrow);
await picture(workbench, 'chat-narrow-light', 'light', narrow);
const chat = await ChatDriver.inView(workbench);
await chat.startAnew();
await chat.chooseModel('local/error-402');
await chat.ask('Summarise the changes in this file for the changelog');
await picture(workbench, 'error-dark', 'dark', wide);
