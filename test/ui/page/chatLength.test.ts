import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { AttachmentsView } from '../../../src/shared/attachment.ts';
import type { ConversationLength } from '../../../src/shared/conversationLength.ts';
import { accessFaults } from '../accessFaults.ts';
import { ChatBrowser, drawn, forgetPosted, nextOf, postedOf, send } from './chatBrowser.ts';
import { chat, noAttachments, reply, user } from './pageStates.ts';
import { primaryButtons } from './primaryButtons.ts';
import type { ThemeName } from './themes.ts';

const messages = [1, 2, 3].flatMap((number) => [
  user(`u${number}`, `Question ${number}`),
  reply(`r${number}`, `Reply ${number}`),
]);
const larger = [
  { id: 'harbor/quill-70b', contextWindow: 131_072 },
  { id: 'northwind/gale-32b', contextWindow: 65_536 },
];

function attachments(conversationTokens: number, length: Partial<ConversationLength> = {}): AttachmentsView {
  return { ...noAttachments, conversationTokens, contextWindow: 8192, length: { leftOut: 0, larger, ...length } };
}

describe('A long conversation on the page', function () {
  const browser = new ChatBrowser();

  async function opened(view: AttachmentsView, options: { theme?: ThemeName; width?: number } = {}): Promise<Page> {
    const { theme = 'dark', width = 420 } = options;
    const page = await browser.open('many', { theme, viewport: { width, height: 640 } });
    await send(page, { type: 'snapshot', snapshot: { ...chat(messages), attachments: view } });
    await page.getByText('Question 3').waitFor();
    await drawn(page);
    return page;
  }

  const offer = (page: Page) => page.getByRole('group', { name: 'Long conversation' });
  const note = (page: Page) => page.locator('.chips-note');

  it('shows how full the context window is from half of it on, and the cost of sending', async () => {
    const page = await opened(attachments(4000, { inputPerMillion: 2 }));
    assert.equal(await note(page).isVisible(), false);
    await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(800));
    await page.getByText('≈ 4.2k of 8k tokens · Cost to send: ≈ 0.0084').waitFor();
    const spent = { cost: 0.42, isEstimate: false, isPartial: true };
    await send(page, { type: 'attachmentsChanged', attachments: attachments(5000, { spent }) });
    await page.getByText('≈ 5.2k of 8k tokens · Cost so far: at least 0.42').waitFor();
    assert.equal(await offer(page).isVisible(), false);
  });

  it('counts the max tokens of the next request', async () => {
    const page = await opened({ ...attachments(3000), maxTokens: 5000 });
    await offer(page).waitFor();
    await offer(page)
      .getByText('This conversation and a reply of up to 5,000 tokens nearly fill the context window of')
      .waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(1600));
    const words =
      "≈ 3,400 tokens and a reply of up to 5,000 tokens, more than this model's context window of 8,192 tokens";
    await note(page).getByText(words).waitFor();
    await send(page, { type: 'attachmentsChanged', attachments: attachments(3000) });
    await offer(page).waitFor({ state: 'hidden' });
    await note(page).waitFor({ state: 'hidden' });
  });

  it('has no dot at the beginning or end of a line, however narrow the chat is', async () => {
    const spent = { cost: 0.42, isEstimate: false, isPartial: true };
    const page = await opened(attachments(6000, { leftOut: 2, inputPerMillion: 2, spent }));
    await note(page).waitFor();
    for (const width of [210, 260, 300, 340, 500]) {
      await page.setViewportSize({ width, height: 640 });
      await drawn(page);
      const lines = await note(page).evaluate((element) => {
        const shown = element.querySelector('.facts');
        const room = Number.parseFloat(getComputedStyle(shown ?? element).fontSize) * 1.1;
        const start = (shown?.getBoundingClientRect().left ?? 0) + room;
        return [...element.querySelectorAll('.fact')].map((fact) => {
          const dot = fact.querySelector('.fact-dot')?.getBoundingClientRect();
          const { left, top } = fact.getBoundingClientRect();
          return { isFirst: left < start - 1, isDotShown: (dot?.right ?? 0) > start + 1, top, dotTop: dot?.top ?? 0 };
        });
      });
      assert.equal(lines.length, 4);
      for (const { isFirst, isDotShown, top, dotTop } of lines) {
        assert.equal(isDotShown, !isFirst, `${width} px`);
        if (isDotShown) assert.ok(Math.abs(top - dotTop) < 12, 'the dot is in the first line of its fact');
      }
      assert.ok(lines.filter(({ isFirst }) => isFirst).length >= (width < 300 ? 2 : 1), `${width} px`);
    }
    await page.setViewportSize({ width: 300, height: 640 });
  });

  it('offers what helps before the window is full, each by keyboard', async () => {
    const page = await opened(attachments(7600));
    await offer(page).waitFor();
    assert.deepEqual(await offer(page).getByRole('button').allInnerTexts(), [
      'Use harbor/quill-70b (131,072 tokens)',
      'Use northwind/gale-32b (65,536 tokens)',
      'Summarize in New Chat',
      'Exclude Earliest Messages',
      '',
    ]);
    await forgetPosted(page);
    await offer(page).getByRole('button', { name: 'harbor' }).press('Enter');
    assert.deepEqual(await nextOf(page, 'runAction'), {
      type: 'runAction',
      action: 'useModel',
      model: 'harbor/quill-70b',
    });
    await offer(page).getByRole('button', { name: 'Summarize' }).press('Enter');
    await nextOf(page, 'summarize');
    await offer(page).getByRole('button', { name: 'Exclude' }).press('Enter');
    await nextOf(page, 'leaveOutEarliest');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
    await offer(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
    assert.equal(await offer(page).isVisible(), false);
    await send(page, { type: 'attachmentsChanged', attachments: attachments(7700) });
    assert.equal(await offer(page).isVisible(), false);
  });

  it("calls another service's model by its name, without the part that Parlance adds for the service", async () => {
    const others = [{ id: 'lab::harbor/quill-70b', contextWindow: 131_072 }];
    const page = await opened(attachments(7600, { larger: others }));
    await offer(page).getByRole('button', { name: 'Use harbor/quill-70b (131,072 tokens)', exact: true }).waitFor();
  });

  it("loads its buttons when they're first needed, and shows what is needed by then", async () => {
    const page = await opened(attachments(100));
    await page.getByRole('textbox', { name: 'Message' }).fill('And now?');
    const { asked, release } = browser.holdScripts();
    await send(page, { type: 'attachmentsChanged', attachments: attachments(7600) });
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    await drawn(page);
    await asked;
    release();
    await page.getByRole('textbox', { name: 'Summary' }).waitFor();
    assert.equal(await offer(page).isVisible(), false);
    await drawn(page);
    assert.deepEqual(await primaryButtons(page), ['Send']);
  });

  it('draws the line above which nothing is sent, which buttons and dragging move', async () => {
    const page = await opened(attachments(7600));
    await send(page, {
      type: 'attachmentsChanged',
      attachments: attachments(3000, { sentFrom: 'u2', leftOut: 2 }),
    });
    const line = page.getByRole('group', { name: "Messages above this line aren't sent" });
    await line.waitFor();
    await page.getByText('2 earlier messages excluded').first().waitFor();
    const isBetween = await line.evaluate(
      (element) =>
        element.previousElementSibling?.textContent.includes('Reply 1') === true &&
        element.nextElementSibling?.textContent.includes('Question 2') === true,
    );
    assert.equal(isBetween, true);
    await line.getByRole('button', { name: 'Exclude One More Question' }).press('Enter');
    assert.deepEqual(await nextOf(page, 'moveSentFrom'), { type: 'moveSentFrom', step: 1 });
    await send(page, {
      type: 'attachmentsChanged',
      attachments: attachments(2000, { sentFrom: 'u3', leftOut: 4 }),
    });
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Exclude One More Question',
    );
    const [handle, first] = [await line.locator('.sent-line-handle').boundingBox(), page.getByText('Question 2')];
    const place = await first.boundingBox();
    assert.ok(handle !== null && place !== null);
    await page.mouse.move(handle.x + 40, handle.y + 5);
    await page.mouse.down();
    await page.mouse.move(handle.x + 40, place.y, { steps: 4 });
    await page.mouse.up();
    assert.deepEqual(await nextOf(page, 'sendFrom'), { type: 'sendFrom', messageId: 'u2' });
    await line.getByRole('button', { name: 'Send All Messages' }).click();
    assert.deepEqual((await postedOf(page, 'sendFrom')).at(-1), { type: 'sendFrom', messageId: null });
    await send(page, { type: 'attachmentsChanged', attachments: attachments(7000) });
    assert.equal(await line.count(), 0);
  });

  it("shows the summary while it's written, lets it be edited, and sends the edited text", async () => {
    const page = await opened(attachments(7600));
    await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: 'The goal' } });
    const box = page.getByRole('textbox', { name: 'Summary' });
    assert.equal(await box.isEditable(), false);
    assert.equal(await offer(page).isVisible(), false);
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    assert.equal(await box.evaluate((element) => element === document.activeElement), true);
    await box.fill('The goal is two owls.');
    // Typed text is posted, so that a page that is shown later has it.
    assert.deepEqual(await nextOf(page, 'summaryEdited'), { type: 'summaryEdited', text: 'The goal is two owls.' });
    await page.getByRole('button', { name: 'Start New Chat' }).click();
    assert.deepEqual(await nextOf(page, 'useSummary'), { type: 'useSummary', text: 'The goal is two owls.' });
    await box.press('Escape');
    await nextOf(page, 'stopSummary');
    assert.deepEqual(await postedOf(page, 'stop'), []);
  });

  it("leaves the focus in a message that's being typed while the summary is written", async () => {
    const page = await opened(attachments(7600));
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.fill('Before');
    await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: 'The goal' } });
    await page.getByRole('textbox', { name: 'Summary' }).waitFor();
    await message.pressSequentially(' and after');
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    await page.getByRole('button', { name: 'Start New Chat' }).waitFor();
    await page.keyboard.type(', too');
    assert.equal(await message.inputValue(), 'Before and after, too');
    assert.equal(await page.getByRole('textbox', { name: 'Summary' }).inputValue(), 'The goal is owls.');
  });

  it('puts the focus into the finished summary, unless the user has gone to an editor', async () => {
    const page = await opened(attachments(7600));
    const summary = page.getByRole('textbox', { name: 'Summary' });
    const finish = async () => {
      await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: 'The goal' } });
      // Its card is loaded with the first one.
      await summary.waitFor();
      await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
      await page.getByRole('button', { name: 'Start New Chat' }).waitFor();
      return summary.evaluate((box) => box === document.activeElement);
    };
    assert.equal(await finish(), true);
    await summary.blur();
    await page.evaluate(() => (document.hasFocus = () => false));
    assert.equal(await finish(), false);
  });

  it('starts one chat with a summary, however often the button is pressed', async () => {
    const page = await opened(attachments(7600));
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    const start = page.getByRole('button', { name: 'Start New Chat' });
    await start.dblclick();
    assert.equal((await postedOf(page, 'useSummary')).length, 1);
    // It couldn't be stored, so the card is as before.
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    await start.click();
    assert.equal((await postedOf(page, 'useSummary')).length, 2);
  });

  it('says that a summary was cut off or is empty, and starts no chat without one', async () => {
    const page = await opened(attachments(7600));
    const card = page.getByRole('group', { name: 'Summary for a new chat' });
    const [start, again] = ['Start New Chat', 'Retry'].map((name) => card.getByRole('button', { name }));
    assert.ok(start !== undefined && again !== undefined);
    await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: 'The' } });
    await card.waitFor();
    const places = await card.evaluate((element) =>
      ['.summary-words', '.summary-box', '.edit-buttons'].map((each) => {
        const { left, right } = element.querySelector(each)?.getBoundingClientRect() ?? {};
        return [left, right];
      }),
    );
    assert.deepEqual([places[0], places[2]], [places[1], places[1]], 'its words and buttons are aligned with its text');
    const ending = 'The reply reached its token limit (finish reason "length").';
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal', ending } });
    await card.getByText(ending).waitFor();
    assert.equal(await card.locator('.button:not(.secondary):visible').innerText(), 'Start New Chat');
    assert.equal(await start.isEnabled(), true);
    await card.getByRole('textbox').fill(' ');
    assert.equal(await start.isEnabled(), false);
    await card.getByRole('textbox').fill('The');
    assert.equal(await start.isEnabled(), true);
    await forgetPosted(page);
    await again.click();
    await nextOf(page, 'summarize');
    await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: '' } });
    const problem = {
      severity: 'warning',
      title: 'The reply has no text',
      detail: '',
      actions: [],
      technical: '',
    } as const;
    await send(page, { type: 'summaryChanged', summary: { state: 'failed', text: '', problem } });
    await card.getByText('The reply has no text', { exact: true }).waitFor();
    assert.equal(await card.locator('.button:not(.secondary):visible').innerText(), 'Retry');
    assert.equal(await again.isVisible(), true);
    assert.equal(await start.isVisible(), false);
    await send(page, { type: 'summaryChanged', summary: { state: 'writing', text: 'The goal is' } });
    await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.' } });
    assert.deepEqual([await start.isVisible(), await start.isEnabled(), await again.isVisible()], [true, true, false]);
    const lacking = { state: 'ready', text: 'The goal is owls.', lacksLast: true } as const;
    assert.equal(await card.getByText(/Your last message was too long/).count(), 0);
    await send(page, { type: 'summaryChanged', summary: lacking });
    await card.getByText(/^Your last message was too long for the model, and isn't in the summary\. Edit /).waitFor();
  });

  it('links a chat that began with a summary to the previous one', async () => {
    const page = await opened(attachments(0));
    const continues = { id: '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11', title: 'Owls' };
    await send(page, { type: 'snapshot', snapshot: { ...chat(messages), conversationId: 'c2', continues } });
    const starts = await page.evaluate(() =>
      ['.continued .codicon', 'article.reply .answer'].map(
        (each) => document.querySelector(each)?.getBoundingClientRect().left,
      ),
    );
    assert.equal(starts[0], starts[1], 'the link begins where the messages do');
    await page.getByRole('button', { name: 'Continues from Owls' }).click();
    await nextOf(page, 'openContinued');
  });

  const tooLong = {
    severity: 'error',
    title: 'Too long for this model',
    detail: "The conversation doesn't fit into the context window of maker/model. Your message was kept.",
    actions: [
      { kind: 'useModel', label: 'Use harbor/quill-70b (131,072 tokens)', model: 'harbor/quill-70b' },
      { kind: 'useModel', label: 'Use lumen/wide (1,048,576 tokens)', model: 'lumen/wide' },
      { kind: 'selectModel', label: 'Select Another Model…' },
      { kind: 'summarize', label: 'Summarize in New Chat' },
      { kind: 'leaveOutEarliest', label: 'Exclude Earliest Messages' },
      { kind: 'retry', label: 'Retry' },
    ],
    technical: '413 context_length_exceeded',
  } as const;

  it('has the ways out at the error too, by keyboard, whether or not the offer was dismissed', async () => {
    const page = await opened(attachments(7600));
    await offer(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
    const failed = reply('r3', '', { state: 'failed', metrics: {}, problem: tooLong });
    await send(page, { type: 'replyChanged', replyId: 'r3', change: failed });
    const card = page.getByRole('group', { name: tooLong.title });
    for (const [name, action] of [
      ['Summarize in New Chat', 'summarize'],
      ['Exclude Earliest Messages', 'leaveOutEarliest'],
    ] as const) {
      await forgetPosted(page);
      await card.getByRole('button', { name }).press('Enter');
      assert.deepEqual(await nextOf(page, 'runAction'), { type: 'runAction', action, replyId: 'r3' });
    }
    // The line appears, the card is the same or says something else, and Retry is still next.
    await send(page, { type: 'replyChanged', replyId: 'r3', change: structuredClone(failed) });
    await send(page, { type: 'attachmentsChanged', attachments: attachments(3000, { sentFrom: 'u3', leftOut: 4 }) });
    await page.locator('.sent-line').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focused(), 'Exclude Earliest Messages');
    const changed = { ...failed, problem: { ...tooLong, detail: 'Still too long.' } };
    await send(page, { type: 'replyChanged', replyId: 'r3', change: changed });
    await card.getByText('Still too long.').waitFor();
    assert.equal(await focused(), 'Exclude Earliest Messages');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Retry');
    await card.getByRole('button', { name: 'Use lumen/wide' }).focus();
    const another = {
      kind: 'useModel',
      label: 'Use kestrel/swift (1,048,576 tokens)',
      model: 'kestrel/swift',
    } as const;
    const more = { ...failed, problem: { ...tooLong, actions: [another, ...tooLong.actions] } };
    await send(page, { type: 'replyChanged', replyId: 'r3', change: more });
    await card.getByRole('button', { name: another.label }).waitFor();
    assert.equal(await focused(), 'Use lumen/wide (1,048,576 tokens)');
  });

  const dropped = {
    severity: 'warning',
    title: 'The beginning was probably dropped',
    detail:
      'The request had at least 6,200 tokens, but the service counted 2,050 tokens. The model probably got only the last part, because the context window is too small. Increase the context window of the server (in Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx), then retry. Or exclude the earliest messages, so that you know what is sent.',
    actions: [
      { kind: 'leaveOutEarliest', label: 'Exclude Earliest Messages' },
      { kind: 'selectModel', label: 'Select Another Model…' },
      { kind: 'retry', label: 'Retry' },
    ],
    technical: '',
  } as const;

  it('says at a reply that the service dropped some of what was sent, and a screen reader says so', async () => {
    const page = await opened(attachments(100));
    const running = reply('r4', 'Owls', { state: 'running', metrics: {} });
    await send(page, { type: 'messageAdded', message: running });
    const {
      role: _role,
      id: _id,
      at: _at,
      model: _model,
      text: _text,
      reasoning: _reasoning,
      ...change
    } = reply('r4', '');
    await send(page, { type: 'replyChanged', replyId: 'r4', change: { ...change, problem: dropped } });
    const card = page.locator('article.reply').last().getByRole('group', { name: dropped.title });
    await card.getByText('The request had at least 6,200 tokens').waitFor();
    await page
      .locator('[aria-live]', { hasText: `has replied. ${dropped.title}` })
      .first()
      .waitFor({ state: 'attached' });
    await page.locator('article.reply').last().getByText('Owls').waitFor();
    await forgetPosted(page);
    await card.getByRole('button', { name: 'Exclude Earliest Messages' }).click();
    assert.deepEqual(await nextOf(page, 'runAction'), { type: 'runAction', action: 'leaveOutEarliest', replyId: 'r4' });
  });

  for (const theme of ['light', 'dark', 'hc'] as const)
    it(`has no accessibility error in the note about max tokens and at a reply, and fits 300 px in ${theme}`, async () => {
      const page = await opened({ ...attachments(3000), maxTokens: 5000 }, { theme, width: 300 });
      await offer(page).waitFor();
      await page.getByRole('textbox', { name: 'Message' }).fill('x'.repeat(1600));
      await note(page).getByText('and a reply of up to').waitFor();
      assert.deepEqual(await accessFaults(page), []);
      await page.screenshot({ path: `test-results/length-max-tokens-${theme}.png` });
      await offer(page).getByRole('button', { name: 'Dismiss' }).click();
      await send(page, {
        type: 'replyChanged',
        replyId: 'r3',
        change: { ...reply('r3', '', { problem: dropped }) },
      });
      const card = page.getByRole('group', { name: dropped.title });
      await card.scrollIntoViewIfNeeded();
      assert.deepEqual(await accessFaults(page), []);
      await page.screenshot({ path: `test-results/length-dropped-${theme}.png` });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 300);
    });

  for (const theme of ['light', 'dark', 'hc'] as const)
    it(`has no accessibility error and fits 300 px in ${theme}`, async () => {
      const page = await opened(attachments(7600, { sentFrom: 'u2', leftOut: 2 }), { theme, width: 300 });
      await offer(page).waitFor();
      assert.deepEqual(await accessFaults(page), []);
      await page.screenshot({ path: `test-results/length-offer-${theme}.png` });
      await send(page, { type: 'summaryChanged', summary: { state: 'ready', text: 'The goal is owls.\n\n- two' } });
      await page.getByRole('textbox', { name: 'Summary' }).waitFor();
      assert.deepEqual(await accessFaults(page), []);
      await page.screenshot({ path: `test-results/length-summary-${theme}.png` });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 300);
    });
});
