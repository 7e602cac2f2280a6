import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { MediaDriver } from './mediaDriver.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

// One person's way: each step goes on from the one before.
describe('The walkthrough', () => {
  const workbench = useWorkbench({ service: { videoSeconds: 1 } });

  /** The steps that have their tick, once these are among them. */
  async function stepsDone(...awaited: readonly string[]): Promise<readonly string[]> {
    // Its tab, chosen again, may show VS Code's own page.
    await workbench().runCommand('Welcome: Open Walkthrough...');
    const list = new QuickInput(workbench().page);
    await list.row('Get Started with Parlance').first().click({ timeout: 20_000 });
    await workbench().page.locator('.getting-started-step').nth(4).waitFor({ timeout: 20_000 });
    return waitUntil(`the steps ${awaited.join()} done`, async () => {
      const names = await workbench()
        .page.locator('.getting-started-step')
        .evaluateAll((steps) =>
          steps
            .filter((step) => step.getAttribute('aria-checked') === 'true')
            .map((step) => step.getAttribute('data-step-id')?.split('#').at(-1) ?? ''),
        );
      return awaited.every((name) => names.includes(name)) ? names : undefined;
    });
  }

  it('has no step that is done before the user acts', async () => {
    assert.deepEqual(await stepsDone(), []);
  });

  it('ticks the connection and the chat with the first reply, and not the models for one that was chosen', async () => {
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Good morning');
    assert.deepEqual(await stepsDone('connect', 'chat'), ['connect', 'chat']);
  });

  it('ticks work on code with a prompt that runs, whichever it is, and not with a list that was left', async () => {
    await workbench().openFile('README.md');
    await workbench().runCommand('Parlance: Run Prompt…');
    const list = new QuickInput(workbench().page);
    await list.opened('Run Prompt');
    await workbench().page.keyboard.press('Escape');
    await list.closed();
    assert.deepEqual(await stepsDone(), ['connect', 'chat']);

    await workbench().openFile('README.md');
    await workbench().page.locator('.editor-instance .view-line').first().click();
    await workbench().page.keyboard.press('ControlOrMeta+A');
    const before = workbench().service.asked().length;
    await workbench().runCommand('Parlance: Review Code');
    // Where the reply goes takes the focus when it's sent: a list that is open closes.
    await waitUntil('the reply', () => workbench().service.asked()[before]?.outcome === 'done');
    assert.deepEqual(await stepsDone('selection'), ['connect', 'chat', 'selection']);
  });

  it('ticks the video once there is one', async () => {
    const form = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    await form.field('Model').fill('local/video');
    assert.deepEqual(await stepsDone(), ['connect', 'chat', 'selection']);

    await workbench().page.getByRole('tab', { name: 'Generate Video' }).click();
    const again = await MediaDriver.inView(workbench(), '.media.studio');
    await again.field('Model').fill('local/video');
    await again.generate({ Prompt: 'A red kite', 'Duration in seconds': '1', Resolution: '120p' });
    await again.card('done').waitFor({ timeout: 20_000 });
    assert.deepEqual(await stepsDone('video'), ['connect', 'chat', 'selection', 'video']);
  });

  it('ticks the models with a button of its own, and knows in a later window what was done in an earlier one', async () => {
    const { page } = workbench();
    await page.locator('.getting-started-step[data-step-id$="#models"]').click();
    await page.getByRole('button', { name: 'Show Models' }).click();
    const all = ['connect', 'chat', 'selection', 'models', 'video'];
    assert.deepEqual(await stepsDone('models'), all);
    await workbench().reload();
    assert.deepEqual(await stepsDone(...all), all);
  });
});
