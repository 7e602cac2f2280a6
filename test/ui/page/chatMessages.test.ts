import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { NoteView } from '../../../src/shared/protocol/chatProtocol.ts';
import { ChatBrowser, drawn, forgetPosted, intentions, send, stopClock } from './chatBrowser.ts';
import { chat, pageStates, reply, sentCode, user } from './pageStates.ts';

/** As the host does for each deletion. */
async function offerUndo(page: Page, ...texts: readonly string[]): Promise<readonly NoteView[]> {
  const notes = texts.map((text, at) => ({ id: `n${at}`, severity: 'undo' as const, text, buttons: ['Undo'] }));
  await send(page, { type: 'notesChanged', notes });
  return notes;
}

describe('a problem in the chat', function () {
  const browser = new ChatBrowser();

  it('offers its actions, shows who asked, and keeps the partial text', async () => {
    const page = await browser.open('errors');
    const article = page.getByRole('article', { name: 'meta/llama-4-scout' }).first();
    // The text that is displayed lacks blocks that aren't in view yet, and the page might still be scrolling to the end.
    assert.match((await article.textContent()) ?? '', /The three changes that users see are/);
    const card = article.getByRole('group', { name: 'Out of credits' });
    await card.getByRole('button', { name: 'Open Credits Page' }).click();
    await card.getByRole('button', { name: 'Show Log' }).click();
    await card.getByRole('button', { name: 'Copy error details' }).click();
    assert.deepEqual(await intentions(page), [
      { type: 'runAction', action: 'openCreditsPage', replyId: 'r3' },
      { type: 'runAction', action: 'showLog', replyId: 'r3' },
      { type: 'copyText', text: '402 insufficient_quota · req_77b0de' },
    ]);
  });

  it('counts down to the retry, which is possible at zero and not before', async () => {
    const page = await browser.open('done', { ownClock: true });
    await stopClock(page);
    const retryAt = await page.evaluate(() => Date.now() + 3000);
    const problem = {
      severity: 'error',
      title: 'Too many requests',
      detail: '',
      actions: [{ kind: 'retry', label: 'Retry' }],
      technical: '429',
      retryAt,
    } as const;
    await send(page, { type: 'messageAdded', message: { ...reply('r9', ''), state: 'failed', metrics: {}, problem } });
    const card = page.getByRole('group', { name: 'Too many requests' });
    const retry = card.getByRole('button', { name: 'Retry' });
    assert.equal(await retry.innerText(), 'Retry in 3 s');
    assert.equal(await retry.isDisabled(), true);
    await retry.click({ force: true });
    assert.deepEqual(await intentions(page), []);
    await page.clock.runFor(3500);
    assert.equal(await retry.innerText(), 'Retry');
    await retry.click();
    assert.deepEqual(await intentions(page), [{ type: 'runAction', action: 'retry', replyId: 'r9' }]);
  });

  it('shows text literally, whatever it contains', async () => {
    const page = await browser.open('done');
    const hostile = '<img src=x onerror="console.error(1)"><b>bold</b>';
    const problem = {
      severity: 'warning',
      title: hostile,
      detail: hostile,
      actions: [{ kind: 'showLog', label: hostile }],
      technical: hostile,
    } as const;
    await send(page, { type: 'messageAdded', message: user('u9', hostile) });
    await send(page, { type: 'messageAdded', message: { ...reply('r9', hostile, { model: hostile }), problem } });
    assert.equal(await page.locator('.message img, .message b:text("bold")').count(), 0);
    assert.equal(await page.locator('.message.user .bubble').last().innerText(), hostile);
  });
});

describe('a message', function () {
  const browser = new ChatBrowser();

  it('can be copied, retried, and deleted', async () => {
    const page = await browser.open('done');
    const article = page.getByRole('article', { name: 'meta/llama-4-scout' });
    await article.getByRole('button', { name: 'Copy', exact: true }).last().click();
    await article.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('menuitem', { name: 'Retry', exact: true }).click();
    await article.getByRole('button', { name: 'Delete' }).click();
    assert.deepEqual(await intentions(page), [
      { type: 'copyMessage', messageId: 'r1' },
      { type: 'offerRetry', replyId: 'r1' },
      { type: 'retry', replyId: 'r1' },
      { type: 'deleteMessage', messageId: 'r1' },
    ]);
  });

  it('can be edited and sent again with Enter', async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    assert.equal(await box.inputValue(), 'Why does this loop skip items?');
    await box.press('Shift+Enter');
    await box.pressSequentially('Be short.');
    await box.press('Enter');
    assert.deepEqual(await intentions(page), [
      { type: 'resend', messageId: 'u1', text: 'Why does this loop skip items?\nBe short.' },
    ]);
    assert.equal(await box.count(), 0);
  });

  it('shows sent code as code and everything else as typed, and is edited as it was sent', async () => {
    const page = await browser.open('sentCode');
    const bubble = page.locator('.message.user .bubble').first();
    const lines = sentCode.split('\n');
    assert.equal(await bubble.locator('pre > code').textContent(), lines.slice(3, 7).join('\n'));
    assert.doesNotMatch(await bubble.innerText(), /```|typescript/);
    assert.match(await bubble.innerText(), /^Explain this code[^]*\n\s*In \*two\* sentences\.$/);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    assert.equal(await box.inputValue(), sentCode);
    await box.press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'resend', messageId: 'u1', text: sentCode }]);
  });

  it("is collapsed if it's long, and the keyboard expands it", async () => {
    const page = await browser.open('sentCode', { viewport: { width: 420, height: 600 } });
    const bubble = page.locator('.message.user .bubble').nth(1);
    const height = async () => (await bubble.boundingBox())?.height ?? 0;
    const folded = await height();
    assert.ok(folded < 450, `${folded} px`);
    const more = bubble.getByRole('button', { name: 'Show All' });
    assert.equal(await more.getAttribute('aria-expanded'), 'false');
    await more.press('Enter');
    assert.ok((await height()) > 2 * folded);
    const less = bubble.getByRole('button', { name: 'Show Less' });
    assert.equal(await less.getAttribute('aria-expanded'), 'true');
    await less.press('Enter');
    assert.equal(await height(), folded);
    // Expanded by a reader at the end, its text stays in place instead of being pulled up to the new end.
    const log = page.getByRole('log');
    await log.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
    const place = async () => (await bubble.boundingBox())?.y;
    const before = await place();
    await more.press('Enter');
    await less.waitFor();
    await drawn(page);
    assert.equal(await place(), before);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    await less.press('Enter');
    assert.equal(await page.locator('.message.user .bubble').first().getByRole('button').count(), 0);
  });

  it('is unchanged when editing is canceled', async () => {
    const page = await browser.open('done');
    for (const cancel of ['Escape', 'button']) {
      await page.getByRole('button', { name: 'Edit' }).click();
      const box = page.getByRole('textbox', { name: 'Edit message' });
      await box.fill('Never mind');
      // The pointer is still over the message, where they'd cover what is typed.
      assert.equal(await page.locator('.message.user .actions').isVisible(), false);
      if (cancel === 'Escape') await box.press('Escape');
      else await page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await page.locator('.message.user .bubble').innerText(), 'Why does this loop skip items?');
      const focused = await page.getByRole('button', { name: 'Edit' }).evaluate((it) => it === document.activeElement);
      assert.equal(focused, true);
    }
    assert.deepEqual(await intentions(page), []);
  });

  it("can't be edited or retried while a reply runs", async () => {
    const page = await browser.open('streaming');
    assert.equal(await page.getByRole('button', { name: 'Edit' }).first().isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Retry' }).first().isDisabled(), true);
  });

  it('is restored after it was deleted', async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Delete' }).first().focus();
    await offerUndo(page, 'Message deleted.');
    await send(page, { type: 'messagesRemoved', ids: ['u1'], canRestore: true });
    await page.getByRole('status').getByText('Message deleted.').waitFor({ state: 'attached' });
    const undo = page.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.evaluate((button) => button === document.activeElement), true);
    await undo.press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'endNote', id: 'n0', button: 'Undo' }]);
    await offerUndo(page);
    assert.equal(await undo.count(), 0);
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    assert.equal(await box.evaluate((it) => it === document.activeElement), true);
  });

  it('can be restored for each deletion, even in a page that was hidden, and Escape in the message box ends none', async () => {
    const page = await browser.open('done');
    const notes = await offerUndo(page, 'Message deleted.', 'Deleted "Why *so*?".');
    const bars = page.locator('.undo-bar');
    assert.deepEqual(await bars.allInnerTexts(), ['Message deleted.\nUndo', 'Deleted "Why *so*?".\nUndo']);
    await page.getByRole('textbox', { name: 'Message', exact: true }).press('Escape');
    await page.reload();
    await page.getByRole('log').waitFor();
    await send(page, { type: 'snapshot', snapshot: { ...chat([user('u9', 'Hello')]), notes } });
    await forgetPosted(page);
    await bars.filter({ hasText: 'Deleted "Why *so*?".' }).getByRole('button', { name: 'Undo' }).press('Enter');
    await bars.first().getByRole('button', { name: 'Dismiss' }).click();
    assert.deepEqual(await intentions(page), [
      { type: 'endNote', id: 'n1', button: 'Undo' },
      { type: 'endNote', id: 'n0' },
    ]);
  });

  it('can be restored in a narrow side bar, whatever its name is', async () => {
    const page = await browser.open('done');
    await page.setViewportSize({ width: 300, height: 640 });
    await offerUndo(page, `Deleted "[Open](command:${'toggleSidebarVisibility'.repeat(3)}) it".`);
    const bar = page.locator('.undo-bar');
    const right = async (name: string): Promise<number> => {
      const box = await bar.getByRole('button', { name }).boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    const end = await bar.evaluate((element) => element.getBoundingClientRect().right);
    assert.ok((await right('Undo')) < (await right('Dismiss')), 'side by side');
    assert.ok((await right('Dismiss')) <= end, 'inside');
  });

  it('is one version away after an edit, and the focus is where the next message is typed', async () => {
    const page = await browser.open('stopped');
    await page.getByRole('button', { name: 'Edit' }).last().click();
    await page.keyboard.press('Enter');
    const versions = [{ id: 'u5' }, { id: 'u8' }];
    await send(page, { type: 'messagesRemoved', ids: ['u5', 'r5'], canRestore: false });
    await send(page, { type: 'messageAdded', message: { ...user('u8', 'Go on'), versions } });
    await send(page, { type: 'messageAdded', message: reply('r8', 'On') });
    const focused = page.getByRole('textbox', { name: 'Message', exact: true });
    assert.equal(await focused.evaluate((it) => it === document.activeElement), true);
    const group = page.getByRole('group', { name: 'Version 2 of 2', exact: true });
    await group.getByRole('button', { name: 'Previous Version' }).press('Enter');
    assert.deepEqual((await intentions(page)).at(-1), { type: 'showVersion', messageId: 'u5' });
    const earlier = { ...user('u5', 'And then?'), versions };
    await send(page, { type: 'snapshot', snapshot: chat([earlier, reply('r5', 'The window')]) });
    await page.getByRole('status').getByText('Version 1 of 2').waitFor();
    const back = page.getByRole('group', { name: 'Version 1 of 2', exact: true });
    const previous = back.getByRole('button', { name: 'Previous Version' });
    assert.equal(await previous.evaluate((it) => it === document.activeElement), true);
  });

  it("can be continued while it's the last and was cut off", async () => {
    const page = await browser.open('stopped');
    const proceed = page.getByRole('button', { name: 'Continue' });
    assert.equal(await proceed.count(), 1);
    await proceed.click();
    assert.deepEqual(await intentions(page), [{ type: 'runAction', action: 'continue', replyId: 'r5' }]);
    for (const [id, change] of [
      ['r6', { state: 'incomplete', metrics: {} }],
      ['r7', { state: 'stopped', metrics: {} }],
      ['r8', { state: 'done', metrics: {}, finishReason: 'length' }],
    ] as const) {
      await send(page, { type: 'messageAdded', message: { ...reply(id, 'Half a'), state: 'running', metrics: {} } });
      assert.equal(await proceed.count(), 0);
      await send(page, { type: 'replyChanged', replyId: id, change });
      const last = page.getByRole('article').last();
      assert.equal(await last.getByRole('button', { name: 'Continue' }).count(), 1);
      assert.equal(await last.getByRole('button', { name: 'Retry' }).count(), 1);
      assert.equal(await proceed.count(), 1);
    }
    const change = { state: 'done', metrics: {}, finishReason: 'stop' } as const;
    await send(page, { type: 'replyChanged', replyId: 'r8', change });
    assert.equal(await proceed.count(), 0);
    await send(page, { type: 'messageAdded', message: { ...reply('r9', ''), state: 'stopped', metrics: {} } });
    assert.equal(await proceed.count(), 0);
    const actions = [{ kind: 'continue', label: 'Continue' }] as const;
    const problem = { severity: 'error', title: 'Lost', detail: '', actions, technical: '' } as const;
    await send(page, { type: 'messageAdded', message: { ...reply('r10', 'Half'), state: 'failed', problem } });
    assert.equal(await proceed.count(), 1);
    await send(page, { type: 'messageAdded', message: user('u11', 'Something else') });
    assert.equal(await proceed.count(), 0);
  });

  it("can't be changed while another window writes it", async () => {
    const page = await browser.open('elsewhere');
    const article = page.getByRole('article', { name: 'meta/llama-4-scout' });
    assert.match(await article.innerText(), /being written in another window/);
    const names = await article
      .getByRole('button')
      .evaluateAll((all) => all.map((it) => it.getAttribute('aria-label')));
    assert.deepEqual(names, ['Copy']);
  });

  it("can't be sent while a reply runs, as the button shows, but can be once that has ended", async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Better');
    const button = page.locator('.editor').getByRole('button', { name: 'Send' });
    const running = { ...reply('r9', 'So far'), state: 'running', metrics: {} } as const;
    await send(page, { type: 'messageAdded', message: running });
    await page.locator('.editor').locator('button[aria-disabled="true"]', { hasText: 'Send' }).waitFor();
    await button.click({ force: true });
    await box.press('Enter');
    assert.equal(await box.inputValue(), 'Better');
    await send(page, { type: 'replyChanged', replyId: 'r9', change: { state: 'done', metrics: {} } });
    await page.locator('.editor').locator('button:not([aria-disabled])', { hasText: 'Send' }).waitFor();
    await button.click();
    assert.deepEqual(await intentions(page), [{ type: 'resend', messageId: 'u1', text: 'Better' }]);
  });

  it("is still being edited if it couldn't be sent, and the message box keeps what it has", async () => {
    const page = await browser.open('done');
    await page.locator('.message-box').fill('A draft');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Better');
    await box.press('Enter');
    assert.equal(await box.count(), 0);
    const problem = { severity: 'error', title: 'No images', detail: '', actions: [], technical: '' } as const;
    await send(page, { type: 'askRefused', text: 'Better', editedId: 'u1', problem });
    await page.getByRole('group', { name: 'No images' }).waitFor();
    assert.equal(await box.inputValue(), 'Better');
    assert.equal(await box.evaluate((it) => it === document.activeElement), true);
    assert.equal(await page.locator('.message-box').inputValue(), 'A draft');
    await forgetPosted(page);
    await box.press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'resend', messageId: 'u1', text: 'Better' }]);
    // A message that is gone can't be edited.
    await send(page, { type: 'askRefused', text: 'Better', editedId: 'gone', problem });
    assert.equal(await page.locator('.message-box').inputValue(), 'Better\n\nA draft');
  });

  it('is still being edited, with what was typed, when the page returns', async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Half an edit');
    await page.reload();
    await page.getByRole('log').waitFor();
    assert.equal(await box.inputValue(), 'Half an edit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await page.getByRole('log').waitFor();
    assert.equal(await box.count(), 0);
    await page.getByRole('button', { name: 'Edit' }).click();
    assert.equal(await box.inputValue(), 'Why does this loop skip items?');
  });

  it('is still being edited after another conversation was shown in between', async () => {
    const page = await browser.open('done');
    const first = pageStates['done']?.snapshot();
    assert.ok(first !== undefined);
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Half an edit');
    await send(page, { type: 'snapshot', snapshot: chat([user('u7', 'Elsewhere')], { conversationId: 'c2' }) });
    await page.getByText('Elsewhere').waitFor();
    assert.equal(await box.count(), 0);
    await send(page, { type: 'snapshot', snapshot: first });
    await box.waitFor();
    assert.equal(await box.inputValue(), 'Half an edit');
  });

  it('can be edited further from what Escape left, and is unchanged after Cancel', async () => {
    const page = await browser.open('done');
    const edit = page.getByRole('button', { name: 'Edit' });
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await edit.click();
    await box.fill('Half an edit');
    await box.press('Escape');
    await edit.click();
    assert.equal(await box.inputValue(), 'Half an edit');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await edit.click();
    assert.equal(await box.inputValue(), 'Why does this loop skip items?');
  });

  it('is still being edited after a reload if the edit was sent to a dead host', async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('Better');
    await box.press('Enter');
    await page.reload();
    await page.getByRole('log').waitFor();
    assert.equal(await box.inputValue(), 'Better');
    await box.press('Enter');
    await send(page, { type: 'messagesRemoved', ids: ['u1', 'r1'], canRestore: true });
    await page.reload();
    await page.getByRole('log').waitFor();
    assert.equal(await box.count(), 0);
  });

  it('shows that something was copied once the host has put it on the clipboard, and not before', async () => {
    const page = await browser.open('done', { ownClock: true });
    await send(page, { type: 'messageAdded', message: reply('r2', '```\nlet a;\n```\n') });
    const code = page.getByRole('button', { name: 'Copy code' }).last();
    const whole = page.locator('.message').last().getByRole('button', { name: 'Copy', exact: true }).last();
    await code.click();
    await whole.click();
    await drawn(page);
    assert.equal(await page.getByText('Copied').count(), 0);
    // They say so only for a moment.
    await stopClock(page);
    // The user might have decided against the first.
    await send(page, { type: 'copied' });
    await whole.locator('.codicon-check').waitFor();
    assert.equal(await code.textContent(), 'Copy');
    await code.click();
    await send(page, { type: 'copied' });
    await code.getByText('Copied').waitFor();
  });

  it('gives a new file a language of any length, cut off, and reports code that is too long to copy', async () => {
    const page = await browser.open('done');
    const code = `\`\`\`${'x'.repeat(70)}\nlet a;\n\`\`\`\n`;
    await send(page, { type: 'messageAdded', message: reply('r2', code) });
    await page.getByText('let a;').waitFor();
    await page.getByRole('button', { name: 'Open as New File' }).last().click();
    assert.deepEqual(await intentions(page), [{ type: 'openCode', text: 'let a;\n', language: 'x'.repeat(64) }]);
    await forgetPosted(page);
    await page.evaluate(() => {
      const line = `${'y'.repeat(1023)}\n`;
      const text = `\`\`\`\n${line.repeat(4097)}\`\`\`\n`;
      const message = { role: 'assistant', id: 'r3', at: 1, model: 'm', text, reasoning: '' } as const;
      window.fakeHost.send({ type: 'messageAdded', message: { ...message, state: 'done', metrics: {} } });
    });
    const article = page.getByRole('article', { name: 'm', exact: true });
    await article.getByRole('button', { name: 'Copy code' }).click();
    await page.getByText('It has 4,195,328 characters').waitFor();
    assert.equal(await article.getByText('Copied').count(), 0);
    assert.deepEqual(await intentions(page), []);
  });
});
