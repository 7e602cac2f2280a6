import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { findBrowser, launchBrowser } from '../../workbench/browser.ts';
import { cacheFolder } from '../../workbench/folders.ts';
import { servePage } from './pageServer.ts';
import type { ThemeName } from './themes.ts';

// Images of the page to look at: `node test/ui/page/chatScreenshots.ts [name …]`.

interface Shot {
  readonly state: string;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly name?: string;
  /** True for a clock that `prepare` advances. */
  readonly ownClock?: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
}

const openParameters = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Parameters/ }).click();
  await page.getByLabel('Top P').fill('3');
};
const edit = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit' }).first().click();
};
const remove = async (page: Page): Promise<void> => {
  await page.evaluate(() => {
    window.fakeHost.send({ type: 'messagesRemoved', ids: ['r4'], canRestore: true });
    const note = { id: 'n1', severity: 'undo', text: 'Message deleted.', buttons: ['Undo'] } as const;
    window.fakeHost.send({ type: 'notesChanged', notes: [note] });
  });
  await page.getByRole('textbox', { name: 'Message' }).fill('A draft\nof two lines');
};
const openRetry = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Retry' }).last().click();
  await page.getByRole('menu').waitFor();
};
const goSilent = async (page: Page): Promise<void> => {
  await page.evaluate(() => window.fakeHost.mute());
  await page.clock.runFor(41_000);
};
const complete = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Message', exact: true }).press('End');
  await page.keyboard.type(' #ta');
  await page.waitForFunction(() => window.fakeHost.posted.some(({ type }) => type === 'complete'));
  await page.evaluate(() => {
    const asked = window.fakeHost.posted.findLast((message) => message.type === 'complete');
    window.fakeHost.send({
      type: 'completions',
      request: asked?.request ?? 0,
      items: [
        { id: '1', kind: 'gitStaged', label: 'Staged Changes', detail: '' },
        { id: '2', kind: 'file', label: 'tasks.ts', detail: 'src/tasks.ts' },
        { id: '3', kind: 'file', label: 'tasks.test.ts', detail: 'test/unit/list/removal/tasks.test.ts' },
        { id: '4', kind: 'file', label: 'table.ts', detail: 'src/webview/markdown/blocks/drawing/table.ts' },
      ],
    });
  });
};
const refuse = async (page: Page): Promise<void> => {
  await page.evaluate(() =>
    window.fakeHost.send({
      type: 'askRefused',
      text: 'What is new?',
      problem: {
        severity: 'error',
        title: 'No API key',
        detail: 'The service at inference.example needs a key.',
        actions: [{ kind: 'setApiKey', label: 'Set API Key…' }],
        technical: '',
      },
    }),
  );
};

const shots: readonly Shot[] = [
  { state: 'empty' },
  { state: 'empty', theme: 'light', width: 300 },
  { state: 'needsKey' },
  { state: 'needsKey', theme: 'hc', width: 300 },
  { state: 'streaming' },
  { state: 'streaming', theme: 'light' },
  { state: 'streaming', theme: 'hc' },
  { state: 'streaming', width: 300 },
  { state: 'done' },
  { state: 'done', theme: 'light', width: 900 },
  { state: 'sentCode', height: 1200 },
  { state: 'sentCode', theme: 'light', height: 1200 },
  { state: 'sentCode', theme: 'hc', height: 1200 },
  { state: 'sentCode', theme: 'light', width: 300, height: 1300 },
  { state: 'versions', name: 'retry', prepare: openRetry },
  { state: 'versions', name: 'retry', theme: 'light', width: 300, prepare: openRetry },
  { state: 'versions', name: 'retry', theme: 'hc', width: 300, prepare: openRetry },
  { state: 'edited' },
  { state: 'edited', theme: 'hc', width: 300 },
  { state: 'suggested' },
  { state: 'suggested', theme: 'light', width: 300 },
  { state: 'suggested', theme: 'hc', width: 300 },
  { state: 'waiting' },
  { state: 'retrying' },
  { state: 'reasoning', prepare: (page) => page.getByText(/^(Thinking|Thought)/).click() },
  { state: 'errors' },
  { state: 'errors', theme: 'light' },
  { state: 'errors', theme: 'hc' },
  { state: 'errors', width: 300, height: 900 },
  { state: 'wrongHost' },
  { state: 'wrongHost', theme: 'hc', width: 300 },
  { state: 'elsewhere' },
  { state: 'streaming', name: 'silent', ownClock: true, prepare: goSilent },
  { state: 'streaming', name: 'silent', theme: 'hc', width: 300, ownClock: true, prepare: goSilent },
  { state: 'stopped' },
  { state: 'stopped', theme: 'hc' },
  { state: 'stopped', theme: 'light', width: 300 },
  { state: 'stopped', name: 'editing', prepare: edit },
  { state: 'stopped', name: 'deleted', prepare: remove },
  { state: 'done', name: 'refused', prepare: refuse },
  { state: 'done', name: 'parameters', prepare: openParameters },
  { state: 'longModel', name: 'parameters', theme: 'light', width: 300, prepare: openParameters },
  { state: 'longModel', name: 'parameters', theme: 'hc', prepare: openParameters },
  { state: 'attached' },
  { state: 'attached', theme: 'light' },
  { state: 'attached', theme: 'hc' },
  { state: 'attached', width: 300 },
  { state: 'attached', name: 'completing', theme: 'light', prepare: complete },
  { state: 'attached', name: 'completing', width: 300, prepare: complete },
  { state: 'attached', name: 'completing', theme: 'hc', prepare: complete },
  { state: 'tooMuch' },
  { state: 'tooMuch', theme: 'light', width: 300 },
  { state: 'blind', theme: 'light' },
  { state: 'told' },
  { state: 'told', theme: 'light', width: 300 },
  { state: 'told', theme: 'hc', width: 300 },
  { state: 'picking', theme: 'hc', width: 300 },
  { state: 'sentWithContext' },
  { state: 'sentWithContext', theme: 'light' },
  { state: 'sentWithContext', theme: 'hc' },
  { state: 'sentWithContext', theme: 'light', width: 300 },
  { state: 'longModel' },
  { state: 'longModel', width: 220 },
  { state: 'many', name: 'jump', theme: 'light', prepare: (page) => page.mouse.wheel(0, -900) },
];

const folder = fileURLToPath(new URL('../../../test-results/chat/', import.meta.url));
const wanted = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const server = await servePage();
const browser = await launchBrowser(await findBrowser(cacheFolder, console.log));
try {
  for (const shot of shots) {
    const { state, theme = 'dark', width = 420, height = 720, name = state, ownClock = false, prepare } = shot;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor: 2 });
    if (ownClock) await page.clock.install();
    await page.goto(server.url(state, theme));
    await page.mouse.move(width / 2, 200);
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    await prepare?.(page);
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${folder}${name}-${theme}-${width}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
