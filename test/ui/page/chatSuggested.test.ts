import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { chat, diff, noAttachments } from './pageStates.ts';
import { ChatBrowser, nextOf, postedOf, send } from './chatBrowser.ts';

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const offer = (page: Page) => page.getByRole('button', { name: /^Add tasks\.ts, ≈ 96 tokens/ });

describe('What the user is looking at', function () {
  const browser = new ChatBrowser();

  it("isn't sent unless it's added", async () => {
    const page = await browser.open('suggested');
    await offer(page).waitFor();
    await box(page).fill('Hello');
    await box(page).press('Enter');
    const asked = await nextOf(page, 'ask');
    assert.deepEqual(asked?.type === 'ask' && asked.attachments, [diff.id]);
    assert.deepEqual(await postedOf(page, 'addSuggested'), []);
  });

  for (const [how, add] of [
    ['with a click', (page: Page) => offer(page).click()],
    ['with Enter on it', (page: Page) => offer(page).press('Enter')],
    ['with Alt+Enter in the text', (page: Page) => box(page).press('Alt+Enter')],
  ] as const) {
    it(`is added once ${how}, and the focus is in the text`, async () => {
      const page = await browser.open('suggested');
      await box(page).fill('Why?');
      await add(page);
      const added = await nextOf(page, 'addSuggested');
      assert.ok(added?.type === 'addSuggested');
      assert.equal(added.detail, 'src/tasks.ts');
      assert.equal(await box(page).evaluate((it) => it === document.activeElement), true);
      assert.equal(await offer(page).count(), 0);
      await box(page).press('Alt+Enter');
      const item = { ...diff, kind: 'file', id: added.id, name: 'tasks.ts', detail: 'src/tasks.ts' } as const;
      await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, items: [diff, item] } });
      await page.getByRole('button', { name: 'Remove tasks.ts' }).waitFor();
      assert.equal((await postedOf(page, 'addSuggested')).length, 1);
      assert.deepEqual(await postedOf(page, 'ask'), []);
    });
  }

  it('follows the user to another file', async () => {
    const page = await browser.open('suggested');
    const suggested = { kind: 'selection', name: 'main.py:3-9', detail: 'src/main.py:3-9', tokens: 40 } as const;
    await send(page, { type: 'attachmentsChanged', attachments: { ...noAttachments, suggested } });
    await page.getByRole('button', { name: /^Add main\.py:3-9/ }).waitFor();
    assert.equal(await offer(page).count(), 0);
    await send(page, { type: 'attachmentsChanged', attachments: noAttachments });
    assert.equal(await page.getByRole('list', { name: 'Attachments' }).count(), 0);
  });

  it('is offered beside attachments; Backspace in an empty box removes the last one, and no more when held', async () => {
    const page = await browser.open('empty');
    const other = { ...diff, id: '5f0c7a52-96e6-4b16-9a5a-0e8b6ffb0009', name: 'Other' };
    const attachments = { ...noAttachments, items: [diff, other] };
    await send(page, { type: 'snapshot', snapshot: chat([], { attachments }) });
    await box(page).fill('x');
    await box(page).press('Backspace');
    assert.deepEqual(await postedOf(page, 'removeAttachment'), []);
    await page.keyboard.down('Backspace');
    await page.keyboard.down('Backspace');
    await page.keyboard.up('Backspace');
    const removed = await postedOf(page, 'removeAttachment');
    assert.deepEqual(
      removed.map((message) => message.type === 'removeAttachment' && message.id),
      [other.id],
    );
    await page.getByRole('status').getByText('Removed Other').waitFor();
  });
});
