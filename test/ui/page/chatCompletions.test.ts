import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { CompletionView } from '../../../src/shared/attachment.ts';
import { ChatBrowser, forgetPosted, intentions, nextOf, postedOf, send } from './chatBrowser.ts';
import { box, chips, fileOf, idOfLast, show } from './attachmentsOnPage.ts';

describe('What is sent with a message', function () {
  const browser = new ChatBrowser();

  describe('after a #', () => {
    const suggestions: readonly CompletionView[] = [
      { id: '1.0', kind: 'problems', label: 'All Problems', detail: '3' },
      { id: '1.1', kind: 'file', label: 'tasks.ts', detail: 'src/tasks.ts' },
    ];

    async function completing(typed: string, items = suggestions): Promise<Page> {
      const page = await browser.open('empty');
      await box(page).pressSequentially(typed);
      await nextOf(page, 'complete');
      const asked = (await postedOf(page, 'complete')).at(-1);
      await send(page, {
        type: 'completions',
        request: asked?.type === 'complete' ? asked.request : 0,
        items,
      });
      await page.getByRole('option').first().waitFor();
      await forgetPosted(page);
      return page;
    }

    it('names one suggestion in the singular', async () => {
      const page = await completing('#', suggestions.slice(1));
      await page.getByRole('status').getByText('1 suggestion. Press Tab to add it.').waitFor();
    });

    it('while it is still loading, takes the text as it is by then', async () => {
      const page = await browser.open('empty');
      const { asked, release } = browser.holdScripts();
      await box(page).pressSequentially('#te');
      await asked;
      await box(page).pressSequentially(' or #s');
      release();
      await nextOf(page, 'complete');
      await box(page).pressSequentially('e');
      await page.waitForFunction(() => window.fakeHost.posted.filter(({ type }) => type === 'complete').length > 1);
      const typed = (await postedOf(page, 'complete')).map((message) => ('typed' in message ? message.typed : ''));
      assert.deepEqual(typed, ['s', 'se']);
    });

    it('is a list in which the arrows move while the focus stays in the text', async () => {
      const page = await completing('See #');
      // Nothing is selected before an arrow is pressed.
      assert.equal(await page.getByRole('option', { selected: true }).count(), 0);
      await box(page).press('ArrowDown');
      await box(page).press('ArrowDown');
      assert.equal(await page.getByRole('option', { selected: true }).innerText(), 'tasks.ts\nsrc/tasks.ts');
      assert.equal(await box(page).getAttribute('aria-activedescendant'), 'parlance-completions-1');
      await box(page).press('Enter');
      assert.deepEqual(
        (await intentions(page)).filter(({ type }) => type !== 'complete'),
        [{ type: 'addCompletion', conversationId: 'c1', id: await idOfLast(page, 'addCompletion'), row: '1.1' }],
      );
      assert.equal(await box(page).inputValue(), 'See tasks.ts ');
      assert.equal(await page.getByRole('listbox').count(), 0);
    });

    it('leaves the name of a file at the top of the folder in the sentence', async () => {
      const page = await completing('See #read', [{ id: '1.0', kind: 'file', label: 'README.md', detail: '' }]);
      await box(page).press('Tab');
      await nextOf(page, 'addCompletion');
      assert.equal(await box(page).inputValue(), 'See README.md ');
    });

    it('is awaited by a message that is sent immediately', async () => {
      const page = await completing('See #');
      await box(page).press('ArrowDown');
      await box(page).press('ArrowDown');
      await box(page).press('Enter');
      await box(page).press('Enter');
      const id = await idOfLast(page, 'addCompletion');
      assert.deepEqual(await postedOf(page, 'ask'), []);
      await show(page, fileOf(id));
      assert.deepEqual(await nextOf(page, 'ask'), {
        type: 'ask',
        conversationId: 'c1',
        text: 'See tasks.ts ',
        attachments: [id],
      });
    });

    it("holds the message back if it couldn't be added or was declined", async () => {
      const page = await completing('See #');
      await box(page).press('Tab');
      await box(page).press('Enter');
      await send(page, { type: 'notAdded', id: await idOfLast(page, 'addCompletion') });
      assert.equal(await chips(page).count(), 0);
      assert.deepEqual(await postedOf(page, 'ask'), []);
      await box(page).press('Enter');
      assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', conversationId: 'c1', text: 'See ' });
    });

    it('is sent as typed by Enter, unless a suggestion was selected', async () => {
      const page = await completing('Fix #42 and #t');
      await box(page).press('Enter');
      assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', conversationId: 'c1', text: 'Fix #42 and #t' });
      assert.deepEqual(await postedOf(page, 'addCompletion'), []);
      assert.equal(await page.getByRole('listbox').count(), 0);
    });

    it('accepts its first suggestion with Tab', async () => {
      const page = await completing('See #');
      await box(page).press('Tab');
      const added = await nextOf(page, 'addCompletion');
      assert.ok(added?.type === 'addCompletion');
      assert.equal(added.row, '1.0');
    });

    it('accepts with Tab the first suggestion for what is typed, once it has arrived', async () => {
      const page = await completing('See #t');
      await box(page).pressSequentially('a');
      const asked = await nextOf(page, 'complete');
      await box(page).press('Tab');
      assert.deepEqual(await postedOf(page, 'addCompletion'), []);
      await send(page, {
        type: 'completions',
        request: asked?.type === 'complete' ? asked.request : 0,
        items: suggestions.slice(1),
      });
      const added = await nextOf(page, 'addCompletion');
      assert.ok(added?.type === 'addCompletion');
      assert.equal(added.row, '1.1');
      assert.equal(await box(page).inputValue(), 'See tasks.ts ');
    });

    it('keeps what an arrow key selected when more suggestions follow', async () => {
      const page = await completing('See #t');
      await box(page).pressSequentially('a');
      const asked = await nextOf(page, 'complete');
      const request = asked?.type === 'complete' ? asked.request : 0;
      const first = suggestions.slice(1);
      await send(page, { type: 'completions', request, items: first });
      await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
      await box(page).press('ArrowDown');
      const late: CompletionView = { id: '1.2', kind: 'file', label: 'late.ts', detail: 'src/late.ts' };
      await send(page, { type: 'completions', request, items: [...first, late] });
      await page.getByRole('option').nth(1).waitFor();
      assert.equal(await page.getByRole('option', { selected: true }).innerText(), 'tasks.ts\nsrc/tasks.ts');
      await box(page).press('Enter');
      const added = await nextOf(page, 'addCompletion');
      assert.ok(added?.type === 'addCompletion');
      assert.equal(added.row, '1.1');
    });

    it('accepts with Tab what an arrow key selected, whatever is still on its way', async () => {
      const page = await completing('See #t');
      await box(page).pressSequentially('a');
      await box(page).press('ArrowDown');
      await box(page).press('Tab');
      const added = await nextOf(page, 'addCompletion');
      assert.ok(added?.type === 'addCompletion');
      assert.equal(added.row, '1.0');
    });

    it('leaves Enter to the input method', async () => {
      const page = await completing('See #');
      await box(page).evaluate((target) =>
        target.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }),
        ),
      );
      assert.deepEqual(await intentions(page), []);
      assert.equal(await page.getByRole('listbox').count(), 1);
    });

    it('closes with Escape, and the next Enter sends', async () => {
      const page = await completing('Issue #');
      await box(page).press('Escape');
      assert.equal(await page.getByRole('listbox').count(), 0);
      await box(page).press('Enter');
      assert.deepEqual(await intentions(page), [{ type: 'ask', conversationId: 'c1', text: 'Issue #' }]);
    });

    it('shows what it searched for if nothing matches, and Enter sends the text as typed', async () => {
      const page = await completing('Fix #4');
      await box(page).pressSequentially('2');
      const asked = await nextOf(page, 'complete');
      await send(page, {
        type: 'completions',
        request: asked?.type === 'complete' ? asked.request : 0,
        items: [],
      });
      const none = 'No context matches "42".';
      await page.getByRole('listbox').getByText(none).waitFor();
      await page.getByRole('status').getByText(none).waitFor({ state: 'attached' });
      await box(page).press('Enter');
      assert.deepEqual(await nextOf(page, 'ask'), { type: 'ask', conversationId: 'c1', text: 'Fix #42' });
      assert.equal(await page.getByRole('listbox').count(), 0);
    });

    it('is offered only where a word begins', async () => {
      const page = await browser.open('empty');
      await box(page).pressSequentially('C# and a#b');
      assert.deepEqual(await postedOf(page, 'complete'), []);
    });
  });
});
