import assert from 'node:assert/strict';
import { ChatBrowser, forgetPosted, intentions, send } from './chatBrowser.ts';
import { reply, user } from './pageStates.ts';

describe('a problem in the chat', function () {
  this.timeout(60_000);
  const browser = new ChatBrowser();

  it('offers its actions, says who asked, and keeps the partial text', async () => {
    const page = await browser.open('errors');
    const article = page.getByRole('article', { name: 'meta/llama-4-scout' }).first();
    assert.match(await article.innerText(), /The three changes that users see are/);
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

  it('shows text as text, whatever is in it', async () => {
    const page = await browser.open('done');
    const hostile = '<img src=x onerror="fakeHost.errors.push(1)"><b>bold</b>';
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
    assert.equal(await page.getByRole('article', { name: 'You' }).last().innerText(), hostile);
  });
});

describe('a message', function () {
  this.timeout(60_000);
  const browser = new ChatBrowser();

  it('can be copied, retried and deleted', async () => {
    const page = await browser.open('done');
    const article = page.getByRole('article', { name: 'meta/llama-4-scout' });
    await article.getByRole('button', { name: 'Copy', exact: true }).last().click();
    await article.getByRole('button', { name: 'Retry' }).click();
    await article.getByRole('button', { name: 'Delete' }).click();
    assert.deepEqual(await intentions(page), [
      { type: 'copyMessage', messageId: 'r1' },
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

  it('is as it was when the editing is cancelled', async () => {
    const page = await browser.open('done');
    for (const cancel of ['Escape', 'button']) {
      await page.getByRole('button', { name: 'Edit' }).click();
      const box = page.getByRole('textbox', { name: 'Edit message' });
      await box.fill('Never mind');
      if (cancel === 'Escape') await box.press('Escape');
      else await page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await page.getByRole('article', { name: 'You' }).innerText(), 'Why does this loop skip items?');
      const focused = await page.getByRole('button', { name: 'Edit' }).evaluate((it) => it === document.activeElement);
      assert.equal(focused, true);
    }
    assert.deepEqual(await intentions(page), []);
  });

  it('cannot be edited or retried while a reply runs', async () => {
    const page = await browser.open('streaming');
    assert.equal(await page.getByRole('button', { name: 'Edit' }).first().isDisabled(), true);
    assert.equal(await page.getByRole('button', { name: 'Retry' }).first().isDisabled(), true);
  });

  it('comes back after it was deleted', async () => {
    const page = await browser.open('done');
    await page.getByRole('button', { name: 'Delete' }).first().focus();
    await send(page, { type: 'messagesRemoved', ids: ['u1'], canRestore: true });
    await page.getByText('Message deleted.').first().waitFor();
    const undo = page.getByRole('button', { name: 'Undo' });
    assert.equal(await undo.evaluate((button) => button === document.activeElement), true);
    await undo.press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'restoreMessages', ids: ['u1'] }]);
    assert.equal(await undo.isVisible(), false);
  });

  it('leaves its way back until the next message or until it is put away', async () => {
    const page = await browser.open('done');
    const undo = page.getByRole('button', { name: 'Undo' });
    await send(page, { type: 'messagesRemoved', ids: ['r1'], canRestore: true });
    await undo.waitFor();
    await send(page, { type: 'messageAdded', message: user('u7', 'Next') });
    assert.equal(await undo.isVisible(), false);
    await send(page, { type: 'messagesRemoved', ids: ['u7'], canRestore: true });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await undo.isVisible(), false);
    await forgetPosted(page);
    await send(page, { type: 'messagesRemoved', ids: ['u1'], canRestore: false });
    assert.equal(await undo.isVisible(), false);
  });
});
