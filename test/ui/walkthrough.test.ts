import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { MediaDriver } from './mediaDriver.ts';
import { modelsFocused } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { treeRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

/** The completed steps, once these are among them. */
async function stepsDoneIn(workbench: WorkbenchPage, ...awaited: readonly string[]): Promise<readonly string[]> {
  // Selecting its tab again might show VS Code's own page.
  await workbench.runCommand('Welcome: Open Walkthrough...');
  const list = new QuickInput(workbench.page);
  await list.choose('Get Started with Parlance');
  await workbench.page.locator('.getting-started-step').nth(4).waitFor({ timeout: 60_000 });
  return waitUntil(`the steps ${awaited.join()} done`, async () => {
    const names = await workbench.page
      .locator('.getting-started-step')
      .evaluateAll((steps) =>
        steps
          .filter((step) => step.getAttribute('aria-checked') === 'true')
          .map((step) => step.getAttribute('data-step-id')?.split('#').at(-1) ?? ''),
      );
    return awaited.every((name) => names.includes(name)) ? names : undefined;
  });
}

// One user's path: each step builds on the previous one.
describe('The walkthrough', () => {
  const workbench = useWorkbench({ service: { videoSeconds: 1 } });
  const stepsDone = (...awaited: readonly string[]) => stepsDoneIn(workbench(), ...awaited);

  it('has no step that is completed before the user acts', async () => {
    assert.deepEqual(await stepsDone(), []);
  });

  it('shows an image beside each step', async () => {
    const { page } = workbench();
    // A narrower editor has no room for images.
    await workbench().resizeTo(1600, 900);
    await stepsDone();
    for (const step of ['connect', 'chat', 'selection', 'models', 'video']) {
      await page.locator(`.getting-started-step[data-step-id$="#${step}"]`).click();
      const image = page.locator(`.getting-started-media img[srcset*="${step}-dark.webp"]`);
      await waitUntil(`the image of ${step}`, () =>
        image.evaluate((drawn: HTMLImageElement) => drawn.complete && drawn.naturalWidth > 100),
      );
    }
  });

  it('completes the connection and the chat with the first reply, but not the models for a selected model', async () => {
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Good morning');
    assert.deepEqual(await stepsDone('connect', 'chat'), ['connect', 'chat']);
  });

  it('completes work on code with any prompt that runs, and not with a canceled list', async () => {
    await workbench().openFile('README.md');
    await workbench().runCommand('Parlance: Run Prompt…');
    const list = new QuickInput(workbench().page);
    await list.opened('Run Prompt');
    await list.dismiss();
    assert.deepEqual(await stepsDone('connect', 'chat'), ['connect', 'chat']);

    await workbench().openFile('README.md');
    await workbench().page.locator('.editor-instance .view-line').first().click();
    await workbench().page.keyboard.press('ControlOrMeta+A');
    const before = workbench().service.asked().length;
    await workbench().runCommand('Parlance: Review Code');
    // The reply's view takes the focus when it's sent: an open list closes.
    await waitUntil('the reply', () => workbench().service.asked()[before]?.outcome === 'done');
    assert.deepEqual(await stepsDone('selection'), ['connect', 'chat', 'selection']);
  });

  it("completes the video once there's one", async () => {
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    await form.field('Model').fill('local/video');
    const earlier = ['connect', 'chat', 'selection'];
    assert.deepEqual(await stepsDone(...earlier), earlier);

    await workbench().page.getByRole('tab', { name: 'Generate Video' }).click();
    const again = await MediaDriver.inView(workbench(), '.media.studio');
    await again.field('Model').fill('local/video');
    await again.generate({ Prompt: 'A red kite', 'Duration in seconds': '1', Resolution: '120p' });
    await again.card('done').waitFor({ timeout: 60_000 });
    assert.deepEqual(await stepsDone('video'), ['connect', 'chat', 'selection', 'video']);
  });

  it('completes the models with its own button, and remembers in a later window what was done in an earlier one', async () => {
    const { page } = workbench();
    await page.locator('.getting-started-step[data-step-id$="#models"]').click();
    await page.getByRole('button', { name: 'Show Models' }).click();
    await modelsFocused(workbench());
    const all = ['connect', 'chat', 'selection', 'models', 'video'];
    assert.deepEqual(await stepsDone('models'), all);
    await workbench().reload();
    assert.deepEqual(await stepsDone(...all), all);
  });
});

describe('The walkthrough opened for the first time', () => {
  const workbench = useWorkbench();

  it('shows the steps that the user took before as completed', async () => {
    // With its icon, and no command of ours.
    await workbench().page.locator('.activitybar').getByRole('tab', { name: 'Parlance' }).click();
    await treeRow(workbench().page, /^local/)
      .first()
      .waitFor({ timeout: 60_000 });
    assert.deepEqual(await stepsDoneIn(workbench(), 'models'), ['models']);
  });
});
