import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { copiedMarkdown } from './copiedMarkdown.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import { writtenText } from './writtenText.ts';

/** Long enough, at the pace of these tests, to be watched and stopped on the way. */
const long = 'Write 4000 tokens about streams';

describe('The chat', () => {
  const workbench = useWorkbench();

  before('open it', async function () {
    this.timeout(60_000);
    await ChatDriver.open(workbench());
  });

  it('sends with Enter, streams the reply and shows its figures', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.send('Write 300 tokens about queues');
    const reply = chat.frame.getByRole('article', { name: 'local/writer' });
    await chat.button('Stop').first().waitFor();
    await growing(chat);
    assert.equal(await chat.box.inputValue(), '');
    await chat.ended(0);
    await chat.frame.getByRole('button', { name: 'Send', exact: true }).waitFor();

    const [entry, ...others] = workbench().service.log();
    assert.ok(entry);
    assert.deepEqual(others, []);
    // What the person did not set is not sent.
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

  it('makes a new line with Shift+Enter', async () => {
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
    it(`stops at the service with ${how} and keeps what had come`, async () => {
      const chat = await ChatDriver.inView(workbench());
      await chat.startAnew();
      await chat.send(long);
      await growing(chat);
      await stop(chat);
      const reply = await chat.ended(0);
      assert.equal(await reply.getAttribute('data-state'), 'stopped');
      const entry = await workbench().service.waitForEntry(
        ({ outcome, requestBody }) => outcome === 'canceled' && JSON.stringify(requestBody).includes(long),
        5_000,
      );
      const text = await copiedMarkdown(workbench(), chat, 0);
      assert.ok(text.length > 0);
      assert.ok(writtenText(entry).startsWith(text), text);
      await reply.getByRole('group', { name: 'Metrics' }).getByText('stopped').waitFor();
    });
  }

  it('follows the reply only while the reader is at its end', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.send(long);
    const log = chat.frame.getByRole('log');
    const scroller = await waitUntil('more than fits', async () => {
      const element = await scrollerOf(log);
      return element.below === 0 && element.above > 300 ? element : undefined;
    });
    assert.ok(scroller.above > 0);
    const jump = chat.frame.getByRole('button', { name: 'Jump to latest' });
    assert.equal(await jump.isVisible(), false);

    await log.hover();
    await workbench().page.mouse.wheel(0, -250);
    await jump.waitFor();
    const { above } = await waitUntil('the wheel to have its way', async () => {
      const place = await scrollerOf(log);
      return place.below > 100 ? place : undefined;
    });
    const length = (await chat.lastReply.innerText()).length;
    await waitUntil('more text below', async () => (await chat.lastReply.innerText()).length > length + 300);
    assert.equal((await scrollerOf(log)).above, above, 'the view moved under the reader');

    await jump.click();
    await waitUntil('the end in view', async () => (await scrollerOf(log)).below <= 1);
    await jump.waitFor({ state: 'hidden' });
    await chat.box.press('Escape');
    await chat.ended(0);
  });

  it('explains an error in plain words, with its next step and the request id', async () => {
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

  it('keeps the text that came before the stream broke, and says so', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/fault-error-later');
    await chat.send('Hello');
    const reply = await chat.ended(0);
    assert.equal(await reply.getAttribute('data-state'), 'failed');
    assert.ok((await reply.locator('.answer').innerText()).length > 0);
    await chat.card.waitFor();
  });

  it('shows the same conversation after a reload', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.ask('Write 80 tokens about trees');
    const before = await chat.frame.getByRole('log').innerText();
    await workbench().reload();
    const again = await ChatDriver.inView(workbench());
    await again.replies.first().waitFor();
    assert.equal(await again.frame.getByRole('log').innerText(), before);
  });

  it('finds its text with Ctrl+F in the side bar and in a tab, where VS Code shows no find box of its own', async () => {
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

  it('asks nothing of a host outside this machine', () => {
    // VS Code's own gallery and the like are not Parlance's.
    const ofParlance = workbench().foreignRequests.filter(
      (address) => !/vscode|open-vsx|microsoft|github/.test(address),
    );
    assert.deepEqual(ofParlance, []);
  });
});

/** Waits until the latest reply has text, and then more. */
async function growing(chat: ChatDriver): Promise<void> {
  const answer = chat.lastReply.locator('.answer');
  await answer.waitFor();
  const first = await waitUntil('the first text', async () => (await answer.innerText()).length || undefined);
  await waitUntil('more text', async () => (await answer.innerText()).length > first);
}

/** How much of the transcript lies above and below what is shown, in pixels. */
function scrollerOf(log: ReturnType<ChatDriver['frame']['getByRole']>): Promise<{ above: number; below: number }> {
  return log.evaluate((element) => {
    let scroller: Element = element;
    while (scroller.scrollHeight <= scroller.clientHeight && scroller.parentElement) scroller = scroller.parentElement;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    return { above: Math.round(scrollTop), below: Math.round(scrollHeight - clientHeight - scrollTop) };
  });
}
