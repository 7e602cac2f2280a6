import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { modelsFocused } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { tryUntil } from './tryUntil.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

interface Focus {
  readonly name: string;
  readonly isSeen: boolean;
}

// No mouse: what these keys can't reach, a user without a mouse can't reach.
describe('With only the keyboard', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond: 200 } });
  const press = (key: string) => workbench().page.keyboard.press(key);
  let chat: ChatDriver;

  /** Until VS Code knows that the chat has the focus, which its shortcuts depend on. */
  const knowsFocus = async (): Promise<void> => {
    await workbench().settle();
    // Anything that the extension has set by then arrives first.
    await workbench().driver.runToEnd('setContext', 'parlance.test.settled', true);
  };
  const inBox = (frame: Frame): Promise<boolean> =>
    // A hidden page keeps its active element.
    frame.evaluate(() => document.hasFocus() && document.activeElement?.matches('textarea') === true);

  /** The focused element in the chat, and whether the focus is visible. */
  const focus = (): Promise<Focus> =>
    chat.frame.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return { name: '', isSeen: false };
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      // In a text field, the caret is visible.
      return { name, isSeen: hasOutline || boxShadow !== 'none' || element.matches('textarea') };
    });

  /** Presses Tab, or Shift+Tab, until the focused element has this name. */
  async function tabTo(name: string | RegExp, key: 'Tab' | 'Shift+Tab'): Promise<void> {
    const passed: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      await press(key);
      const { name: here, isSeen } = await focus();
      passed.push(here);
      if (typeof name === 'string' ? here !== name : !name.test(here)) continue;
      assert.ok(isSeen, `the focus on ${here} is not to be seen`);
      return;
    }
    assert.fail(`no way to ${name} among ${passed.join(' | ')}`);
  }

  /**
   * Runs a command from the palette. It lists the commands known when it opens: at the start, ours appear a moment
   * later.
   */
  function choose(command: string): Promise<boolean> {
    const { widget, box } = new QuickInput(workbench().page);
    return tryUntil(`${command} in the command palette`, async (limitMs) => {
      await press('F1');
      await box.waitFor();
      await workbench().page.keyboard.type(command);
      // Enter accepts the marked row, which is another one while the list is being filtered.
      const option = widget.getByRole('option', { name: command }).and(widget.locator('.focused')).first();
      const isThere = await option.waitFor({ timeout: limitMs }).then(
        () => true,
        () => false,
      );
      await press(isThere ? 'Enter' : 'Escape');
      return isThere;
    });
  }

  it('a user opens the chat, asks, and gets a reply', async () => {
    await choose('Parlance: Open Chat');
    chat = await ChatDriver.inView(workbench());
    await waitUntil('the focus in the message box', () => inBox(chat.frame), 60_000);
    await workbench().page.keyboard.type('Write 30 tokens');
    await press('Enter');
    await chat.ended(0);
    assert.ok(await inBox(chat.frame));
  });

  it('copies the reply', async () => {
    await tabTo('Copy', 'Shift+Tab');
    await press('Enter');
    await waitUntil('the answer on the clipboard', async () => {
      const copied = await workbench().page.evaluate(() => navigator.clipboard.readText());
      return copied !== '' && (await chat.lastReply.innerText()).includes(copied.slice(0, 20));
    });
  });

  it('selects another model and is back in the chat', async () => {
    await tabTo(/^Model: /, 'Tab');
    await press('Enter');
    await chat.modelSearch.and(chat.frame.locator(':focus')).waitFor();
    await workbench().page.keyboard.type('local/slow');
    // Enter accepts the marked row, which is the first of the whole list until it's filtered.
    await chat.modelRow('local/slow').and(chat.frame.locator('[aria-selected=true]')).waitFor();
    await press('Enter');
    await chat.button('Model: local/slow').waitFor({ timeout: 60_000 });
    await waitUntil('the focus back in the chat', async () => (await focus()).name !== '', 60_000);
  });

  it('stops a reply with Escape', async () => {
    if (!(await inBox(chat.frame))) await tabTo('Message', 'Shift+Tab');
    await workbench().page.keyboard.type('Write 4000 tokens');
    await press('Enter');
    await chat.button('Stop').waitFor({ timeout: 60_000 });
    await press('Escape');
    const reply = await chat.ended(1);
    assert.equal(await reply.getAttribute('data-state'), 'stopped');
  });

  it('goes to the chat with its shortcut, starts a new one there, and makes another model reply too', async () => {
    await press('Control+Alt+b');
    await workbench().page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await press('Control+Alt+h');
    chat = await ChatDriver.inView(workbench());
    await waitUntil('the focus in the message box', () => inBox(chat.frame), 60_000);
    await knowsFocus();
    await press('Control+n');
    await chat.replies.first().waitFor({ state: 'detached' });
    await waitUntil('the focus in the new message box', () => inBox(chat.frame), 60_000);
    await knowsFocus();
    await press('Control+Alt+.');
    await chat.modelSearch.and(chat.frame.locator(':focus')).waitFor();
    await workbench().page.keyboard.type('local/echo');
    await chat.modelRow('local/echo').and(chat.frame.locator('[aria-selected=true]')).waitFor();
    await tabTo('Add to Favorites: local/echo', 'Tab');
    await press('Enter');
    await chat.frame.getByRole('button', { name: 'Remove from Favorites: local/echo' }).waitFor();
    await tabTo('Show Models', 'Tab');
    await press('Enter');
    await workbench()
      .page.locator('.part.sidebar .pane-header[aria-label^="Models"][aria-expanded=true]')
      .waitFor({ timeout: 60_000 });
    await modelsFocused(workbench());
    await press('Control+Alt+h');
    await waitUntil('the focus back in the message box', () => inBox(chat.frame), 60_000);
    await workbench().page.keyboard.type('Good morning');
    await press('Enter');
    const reply = await chat.ended(0);
    await tabTo('Retry', 'Shift+Tab');
    await press('Enter');
    await chat.frame.getByRole('menuitem', { name: 'Retry with Another Model…' }).focus();
    await press('Enter');
    await chat.frame.getByRole('dialog', { name: 'Retry with Another Model' }).waitFor();
    await chat.modelSearch.and(chat.frame.locator(':focus')).waitFor();
    await workbench().page.keyboard.type('local/echo');
    await chat.modelRow('local/echo').and(chat.frame.locator('[aria-selected=true]')).waitFor();
    await press('Enter');
    await chat.frame.getByText('2/2').waitFor({ timeout: 60_000 });
    await reply.locator('.answer', { hasText: 'Good morning' }).waitFor();
    await chat.ended(0);
  });

  it('reads a reply in an editor', async () => {
    await choose('Parlance: Open Last Reply in Editor');
    await workbench()
      .page.getByRole('tab', { name: /local echo/ })
      .waitFor({ timeout: 60_000 });
    await workbench().page.locator('.editor-instance').getByText('# local/echo').first().waitFor({ timeout: 60_000 });
  });
});
