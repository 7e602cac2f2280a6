import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { copiedMarkdown } from './copiedMarkdown.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import { writtenText } from './writtenText.ts';

/** Takes minutes at the slow speed: long enough to be watched and stopped on any machine. */
const long = 'Write 4000 tokens about streams';
const usualSpeed = 200;
const slowSpeed = 20;

describe('The chat', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond: usualSpeed } });

  before('open it', async function () {
    await ChatDriver.open(workbench());
  });

  it('sends with Enter, streams the reply, and shows its figures', async () => {
    const chat = await ChatDriver.inView(workbench());
    const { service } = workbench();
    service.setSpeed(slowSpeed);
    await chat.send('Write 300 tokens about queues');
    const reply = chat.frame.getByRole('article', { name: 'local/writer' });
    await chat.button('Stop').first().waitFor();
    await growing(chat);
    assert.equal(await chat.box.inputValue(), '');
    service.setSpeed(usualSpeed);
    await chat.ended(0);
    await chat.frame.getByRole('button', { name: 'Send', exact: true }).waitFor();

    const [entry, ...others] = service.log();
    assert.ok(entry);
    assert.deepEqual(others, []);
    // Unset parameters aren't sent.
    assert.deepEqual(entry.requestBody, {
      model: 'local/writer',
      messages: [{ role: 'user', content: 'Write 300 tokens about queues' }],
      stream: true,
    });
    const metrics = await reply.getByRole('group', { name: 'Metrics' }).innerText();
    for (const part of [/(?:[\d.]+ s|<10 ms)\s+first token/, /\d+\s+tok\/s/, /total/, /\D300 tokens$/])
      assert.match(metrics, part);
    assert.equal(await chat.frame.getByRole('log').getByRole('article').count(), 2);
    assert.equal(await copiedMarkdown(workbench(), chat, 0), writtenText(entry));
  });

  it('starts a new line with Shift+Enter', async () => {
    const chat = await ChatDriver.inView(workbench());
    const asked = workbench().service.asked().length;
    await chat.box.fill('First');
    await chat.box.press('Shift+Enter');
    await chat.box.pressSequentially('second');
    assert.equal(await chat.box.inputValue(), 'First\nsecond');
    await chat.box.press('Enter');
    const reply = await chat.ended(1);
    assert.equal(workbench().service.asked().length, asked + 1);
    assert.equal(
      await chat.questions
        .last()
        .innerText()
        .then((text) => text.includes('First\nsecond')),
      true,
    );
    assert.equal(await reply.getAttribute('data-state'), 'done');
  });

  for (const [how, stop] of [
    ['the button', (chat: ChatDriver) => chat.frame.locator('button.send').click()],
    ['Escape', (chat: ChatDriver) => chat.box.press('Escape')],
  ] as const) {
    it(`stops at the service with ${how} and keeps what had arrived`, async () => {
      const chat = await ChatDriver.inView(workbench());
      await chat.startAnew();
      workbench().service.setSpeed(slowSpeed);
      await chat.send(long);
      await growing(chat);
      await stop(chat);
      const reply = await chat.ended(0);
      assert.equal(await reply.getAttribute('data-state'), 'stopped');
      const entry = await waitUntil('the cancel at the service', () => {
        const last = workbench().service.asked().at(-1);
        return last?.outcome === 'canceled' ? last : undefined;
      });
      const text = await copiedMarkdown(workbench(), chat, 0);
      assert.ok(text.length > 0);
      assert.ok(writtenText(entry).startsWith(text), text);
      await reply.getByRole('group', { name: 'Metrics' }).getByText('stopped').waitFor();
    });
  }

  it('follows the reply only while the reader is at the end', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.send(long);
    const { service } = workbench();
    // Enough to scroll. At its usual speed, it could end before the reader has scrolled.
    await service.waitForEntry(({ outcome, completionTokens = 0 }) => outcome === 'running' && completionTokens > 600);
    service.setSpeed(slowSpeed * 2);
    const log = chat.frame.getByRole('log');
    const scroller = await waitUntil('more than fits', async () => {
      const element = await scrollerOf(log);
      return element.below === 0 && element.above > 300 ? element : undefined;
    });
    assert.ok(scroller.above > 0);
    const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
    assert.equal(await jump.isVisible(), false);

    const placeOfText = await scrollUp(log, workbench().page);
    await jump.waitFor();
    const place = await placeOfText();
    const length = (await chat.lastReply.innerText()).length;
    await waitUntil('more text below', async () => (await chat.lastReply.innerText()).length > length + 300);
    assert.equal(await placeOfText(), place, 'the view moved under the reader');

    await jump.click();
    await waitUntil('the end in view', async () => (await scrollerOf(log)).below <= 1);
    await jump.waitFor({ state: 'hidden' });
    await chat.box.press('Escape');
    await chat.ended(0);
  });

  it('explains an error in plain words, with its next step and the request ID', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/error-402');
    await chat.send('Hello');
    await chat.ended(0);
    const entry = workbench().service.asked().at(-1);
    assert.equal(entry?.status, 402);
    const text = await chat.card.innerText();
    assert.match(text, /credits/i);
    assert.match(text, /402 insufficient_quota/);
    assert.ok(text.includes(entry.id), text);
    assert.ok((await chat.card.getByRole('button').count()) > 0);
    assert.equal(await chat.questions.getByText('Hello').count(), 1);
  });

  it('keeps the text that arrived before the stream broke, and says so', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/fault-error-later');
    await chat.send('Hello');
    const reply = await chat.ended(0);
    assert.equal(await reply.getAttribute('data-state'), 'failed');
    await reply.locator('.answer', { hasText: /\S/ }).waitFor();
    await chat.card.waitFor();
  });

  it('shows the same conversation after a reload', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('Write 80 tokens about trees');
    const before = await chat.frame.getByRole('log').innerText();
    await workbench().reload();
    const again = await ChatDriver.inView(workbench());
    await again.ended(0);
    assert.equal(await again.frame.getByRole('log').innerText(), before);
  });

  describe('that gets too long for its model', () => {
    const words = 'word '.repeat(45).trim();

    /** Two questions to a model with 256 tokens, and a third that is only typed. */
    async function nearlyFull(): Promise<ChatDriver> {
      const chat = await ChatDriver.inView(workbench());
      await chat.startAnew();
      await chat.chooseModel('local/small');
      await chat.ask(`one ${words}`);
      await chat.ask(`two ${words}`);
      await chat.box.fill(words);
      await chat.frame.getByRole('group', { name: 'Long conversation' }).waitFor();
      return chat;
    }

    /** The messages of the latest request, as they were sent. */
    function lastSent(): { readonly model?: string; readonly messages: readonly (readonly [string, unknown])[] } {
      const body = workbench().service.asked().at(-1)?.requestBody as
        | { readonly model: string; readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
        | undefined;
      return {
        ...(body !== undefined && { model: body.model }),
        messages: body?.messages.map(({ role, content }) => [role, content] as const) ?? [],
      };
    }

    /** The transcript below the line, or all of it if there's none. */
    async function shown(chat: ChatDriver): Promise<readonly string[]> {
      return chat.frame.locator('.messages').evaluate((list) => {
        const line = list.querySelector('.sent-line');
        return [...list.querySelectorAll('article')]
          .filter((each) => line === null || line.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING)
          .map((each) => (each.querySelector('.bubble, .answer')?.textContent ?? '').trim());
      });
    }

    it('has its ways out at the error as well, after the offer was dismissed', async () => {
      const chat = await nearlyFull();
      const offer = chat.frame.getByRole('group', { name: 'Long conversation' });
      await offer.getByRole('button', { name: 'Dismiss' }).click();
      const third = 'word '.repeat(120).trim();
      await chat.ask(third);
      await chat.card.getByText('Too long for this model').waitFor();
      assert.equal(await offer.isVisible(), false);
      await chat.card.getByRole('button', { name: 'Summarize in New Chat' }).click();
      const summary = chat.frame.getByRole('group', { name: 'Summary for a new chat' });
      await chat.button('Start New Chat').waitFor({ timeout: 60_000 });
      await summary.getByRole('button', { name: 'Cancel' }).click();
      await summary.waitFor({ state: 'hidden' });
      assert.match(await chat.card.getByRole('button').first().innerText(), /^Use .+ \(.+ tokens\)$/);
      await chat.card.getByRole('button', { name: 'Exclude Earliest Messages' }).click();
      await chat.frame.locator('.sent-line').waitFor();
      await chat.card.getByRole('button', { name: 'Retry', exact: true }).click();
      await chat.lastReply.locator('.answer', { hasText: third }).waitFor();
      await chat.ended(2);
      assert.deepEqual(lastSent().messages, [['user', third]]);
    });

    it('says at a reply that the service dropped the beginning, which can be left out instead', async () => {
      const chat = await ChatDriver.inView(workbench());
      await chat.startAnew();
      await chat.chooseModel('local/forgetful');
      await chat.ask(`60 tokens, please. ${'word '.repeat(500)}`);
      assert.equal(await chat.card.count(), 0);
      const second = `60 tokens, please. ${'word '.repeat(500)}again`;
      await chat.ask(second);
      await chat.card.getByText('The beginning was probably dropped').waitFor();
      assert.match(await chat.card.innerText(), /at least \d+ tokens, but the service counted \d+ tokens/);
      const exclude = chat.card.getByRole('button', { name: 'Exclude Earliest Messages' });
      await exclude.click();
      await chat.frame.locator('.sent-line').waitFor();
      // Nothing else can be excluded, unless the line is taken away.
      await exclude.waitFor({ state: 'detached' });
      await chat.button('Send All Messages').click();
      await exclude.click();
      await exclude.waitFor({ state: 'detached' });
      await chat.card.getByRole('button', { name: 'Retry', exact: true }).click();
      await chat.card.waitFor({ state: 'detached' });
      await chat.ended(1);
      assert.equal(await chat.card.count(), 0);
      assert.deepEqual(lastSent().messages, [['user', second]]);
    });

    it('leaves out the earliest messages above a line, until all are sent again', async () => {
      const chat = await nearlyFull();
      await chat.button('Exclude Earliest Messages').click();
      await chat.frame.locator('.sent-line').waitFor();
      await chat.ask('three');
      const below = await shown(chat);
      assert.equal(below[0], `two ${words}`);
      assert.deepEqual(
        lastSent().messages.map(([, content]) => content),
        below.slice(0, -1),
      );
      assert.equal(await chat.questions.count(), 3, 'what is left out stays in view');

      await chat.button('Exclude One More Question').click();
      await waitUntil('the line above the last question', async () => (await shown(chat))[0] === 'three');
      await chat.button('Send One More Question').click();
      await waitUntil('the line where it was', async () => (await shown(chat))[0] === `two ${words}`);

      const second = chat.questions.nth(1);
      await second.hover();
      await second.getByRole('button', { name: 'Edit', exact: true }).click();
      await chat.frame.getByRole('textbox', { name: 'Edit message' }).fill('two, but better');
      await chat.frame.getByRole('textbox', { name: 'Edit message' }).press('Enter');
      await chat.lastReply.locator('.answer', { hasText: 'two, but better' }).waitFor();
      await chat.ended(1);
      assert.deepEqual(lastSent().messages, [['user', 'two, but better']]);
      assert.equal((await shown(chat))[0], 'two, but better');

      await workbench().reload();
      // VS Code might not have saved yet that the tab of an earlier test was closed.
      await workbench().driver.run('workbench.action.closeAllEditors');
      const again = await ChatDriver.open(workbench());
      await again.frame.locator('.sent-line').waitFor();
      await again.button('Send All Messages').click();
      await again.frame.locator('.sent-line').waitFor({ state: 'detached' });
      await again.ask('four');
      assert.deepEqual(
        lastSent().messages.map(([, content]) => content),
        (await shown(again)).slice(0, -1),
      );
      assert.equal(lastSent().messages.length, 5);
    });

    it('continues with a model that has a larger context window', async () => {
      const chat = await nearlyFull();
      const offer = chat.frame.getByRole('group', { name: 'Long conversation' });
      const use = offer.getByRole('button', { name: /^Use / }).first();
      const model = /^Use (\S+) /.exec(await use.innerText())?.[1] ?? '';
      await use.click();
      await chat.button(`Model: ${model}`).waitFor();
      await offer.waitFor({ state: 'hidden' });
      await chat.send(words);
      await chat.replies.nth(2).waitFor();
      await workbench().service.waitForEntry(
        ({ requestBody }) => JSON.stringify(requestBody ?? '').includes(model),
        60_000,
      );
      assert.equal(lastSent().model, model);
      assert.deepEqual(
        lastSent().messages.map(([, content]) => content),
        (await shown(chat)).slice(0, 5),
      );
      await chat.box.press('Escape');
      await chat.ended(2);
    });

    it("'s summary is stopped on the page of its request", async () => {
      const chat = await nearlyFull();
      // Slow enough to be still running when its page is open.
      workbench().service.setSpeed(0.1);
      await chat.button('Summarize in New Chat').click();
      const card = chat.frame.getByRole('group', { name: 'Summary for a new chat' });
      await card.waitFor();
      const requests = await RequestsDriver.open(workbench());
      const shownRequest = await requests.openPage(requests.row(/, running/).first(), 'Summarize this conversation');
      await shownRequest.getByRole('button', { name: 'Stop' }).click();
      await card.waitFor({ state: 'hidden' });
      await requests
        .row(/, stopped/)
        .first()
        .waitFor();
      await workbench().runCommand('View: Close All Editors');
    });

    it("continues in a new chat with a summary that is edited before it's used, linked to the old chat", async () => {
      const chat = await nearlyFull();
      const before = await shown(chat);
      await chat.button('Summarize in New Chat').click();
      await chat.button('Start New Chat').waitFor({ timeout: 60_000 });
      const asked = lastSent().messages.map(([, content]) => String(content));
      assert.deepEqual(asked.slice(0, -1), before);
      assert.match(asked.at(-1) ?? '', /^Summarize this conversation/);
      await chat.frame.getByRole('textbox', { name: 'Summary' }).fill('Two owls, no more.');
      await chat.button('Start New Chat').click();
      await chat.replies.first().waitFor({ state: 'detached' });
      await chat.ask('And now?');
      const [only, ...others] = lastSent().messages;
      assert.deepEqual(others, []);
      assert.match(String(only?.[1]), /^Summary: one word[^\n]*\n```markdown\nTwo owls, no more\.\n```\n\nAnd now\?$/);
      await chat.button(/^Continues from /).click();
      await chat.questions.getByText(`one ${words}`).waitFor();
    });
  });

  it("finds text with Ctrl+F in the side bar and in a tab, and VS Code's own find box stays closed beside an open file", async () => {
    await workbench().openFile('src/tasks.ts');
    for (const place of ['side bar', 'tab']) {
      if (place === 'tab') {
        await workbench().runCommand('Parlance: Open Chat in Editor');
        await workbench().driver.run('workbench.action.closeAuxiliaryBar');
      }
      const chat = await ChatDriver.inView(workbench());
      await chat.startAnew();
      await chat.ask('Write 80 tokens about meadows');
      await chat.box.press('Control+f');
      const box = chat.frame.getByRole('textbox', { name: 'Find in Conversation' });
      await box.pressSequentially('about meadows');
      await chat.frame.getByText(/^\? of \d+$/).waitFor();
      await box.press('Enter');
      await chat.frame.getByText(/^\d+ of \d+$/).waitFor();
      await workbench().settle();
      assert.equal(await workbench().page.locator('.simple-find-part.visible, .find-widget.visible').count(), 0, place);
      await box.press('Escape');
      assert.equal(await chat.frame.getByRole('search').count(), 0);
    }
    await workbench().driver.run('workbench.action.closeAllEditors');
    await workbench().openChat();
  });

  it("finds text in messages that aren't loaded, and loads them to show it", async () => {
    const side = await ChatDriver.inView(workbench());
    await side.startAnew();
    await side.chooseModel('local/echo');
    // A page loads the newest 30 messages.
    for (let asked = 0; asked < 17; asked += 1)
      await side.ask(asked === 0 ? 'An owl in the attic' : `Question ${asked}`);
    // The page in the side bar is gone once that is closed, so both of these load the conversation.
    for (const place of ['tab', 'side bar']) {
      if (place === 'tab') {
        await workbench().runCommand('Parlance: Open Chat in Editor');
        await workbench().driver.run('workbench.action.closeAuxiliaryBar');
      } else {
        await workbench().driver.run('workbench.action.closeAllEditors');
        await workbench().openChat();
      }
      const chat = await ChatDriver.inView(workbench());
      const owls = chat.questions.getByText('An owl in the attic');
      await chat.questions.getByText('Question 16').waitFor();
      assert.equal(await owls.count(), 0, place);
      await chat.box.press('Control+f');
      const box = chat.frame.getByRole('textbox', { name: 'Find in Conversation' });
      await box.pressSequentially('owl in');
      await chat.frame.getByText('? of 2').waitFor();
      await box.press('Enter');
      await chat.frame.getByText('2 of 2').waitFor();
      await box.press('Shift+Enter');
      await chat.frame.getByText('1 of 2').waitFor();
      await owls.waitFor();
      const at = await owls.boundingBox();
      assert.ok(at !== null && at.y > 0, JSON.stringify(at));
    }
  });

  it('sends nothing to a host outside this machine', () => {
    // VS Code's own gallery and similar hosts aren't Parlance's.
    const ofParlance = workbench().foreignRequests.filter(
      (address) => !/vscode|open-vsx|microsoft|github/.test(address),
    );
    assert.deepEqual(ofParlance, []);
  });
});

/** Waits until the latest reply has text, and then more text. */
async function growing(chat: ChatDriver): Promise<void> {
  const answer = chat.lastReply.locator('.answer');
  await answer.waitFor();
  const first = await waitUntil('the first text', async () => (await answer.innerText()).length || undefined);
  await waitUntil('more text', async () => (await answer.innerText()).length > first);
}

/**
 * Turns the wheel up, and returns the position of the text that is then in the middle of the view. The browser spreads
 * a turn of the wheel over time, and pauses on a busy machine, so only `scrollend` shows when it's over. The height of
 * what is above the text might change later, because text far out of view has an estimated one: only the text that the
 * reader sees counts.
 */
async function scrollUp(log: ReturnType<ChatDriver['frame']['getByRole']>, page: Page): Promise<() => Promise<number>> {
  await log.hover();
  const found = await log.evaluateHandle((element) => {
    let scroller: Element = element;
    while (scroller.scrollHeight <= scroller.clientHeight && scroller.parentElement) scroller = scroller.parentElement;
    const inView = (): Element | null | undefined => {
      const { left, top, width, height } = scroller.getBoundingClientRect();
      // Not a gap between two blocks.
      return [0.4, 0.45, 0.5, 0.55, 0.6]
        .map((part) => document.elementFromPoint(left + width / 2, top + height * part))
        .map((hit) => hit?.closest('p, li, pre, h1, h2, h3'))
        .find((block) => block);
    };
    const text = new Promise<Element | null | undefined>((resolve) => {
      scroller.addEventListener('scrollend', () => {
        const { scrollTop, scrollHeight, clientHeight } = scroller;
        if (scrollHeight - clientHeight - scrollTop > 100) resolve(inView());
      });
    });
    return { text };
  });
  await page.mouse.wheel(0, -250);
  return () => found.evaluate(async ({ text }) => Math.round((await text)?.getBoundingClientRect().top ?? NaN));
}

/** How much of the transcript is above and below the visible part, in pixels. */
function scrollerOf(log: ReturnType<ChatDriver['frame']['getByRole']>): Promise<{ above: number; below: number }> {
  return log.evaluate((element) => {
    let scroller: Element = element;
    while (scroller.scrollHeight <= scroller.clientHeight && scroller.parentElement) scroller = scroller.parentElement;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { above: Math.round(scrollTop), below: Math.round(scrollHeight - clientHeight - scrollTop) };
  });
}
