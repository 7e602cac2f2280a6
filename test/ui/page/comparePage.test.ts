import assert from 'node:assert/strict';
import { CompareBrowser, tell, told } from './compareBrowser.ts';
import { columnsOf, compared, compareReply, runningReply, turn } from './compareStates.ts';
import { column, listen, message, row } from './comparedReplies.ts';
import { silenceWords } from './silenceWords.ts';

describe('The comparison page', () => {
  const browser = new CompareBrowser();

  it('marks the fastest with a word and an icon, and shows how many times slower the others are', async () => {
    const page = await browser.open('finished');
    const [first, second, third] = compared.map((model) => row(page, model));
    assert.equal(await first?.locator('.race-verdict').textContent(), 'Fastest');
    assert.equal(await first?.locator('.race-verdict .codicon-zap').count(), 1);
    assert.equal(await second?.locator('.race-verdict').textContent(), '1.4× slower');
    assert.equal(await third?.locator('.race-verdict').textContent(), '2.3× slower');
    assert.deepEqual(await page.locator('.race-row .race-figure:last-of-type, .race-total').allTextContents(), [
      '2.6 s',
      '5.9 s',
      '8.4 s',
    ]);
    assert.equal(
      await third?.getByRole('img').getAttribute('aria-label'),
      '0.61 s waiting, 7.8 s writing, 8.4 s total. 2.3× slower',
    );
  });

  it('races on the figures measured here if a service sends none of its own, and ranks no estimate beside counts', async () => {
    const page = await browser.open('finished');
    const here = (total: number, rate: number, from: 'here' | 'estimate') => ({
      timeToFirstTokenSeconds: { value: 0.5, from: 'here' } as const,
      tokensPerSecond: { value: rate, from },
      totalSeconds: { value: total, from: 'here' } as const,
      completionTokens: { value: 200, from: from === 'here' ? 'service' : from } as const,
    });
    const [first, second, third] = compared.map((model) => row(page, model));
    for (const [index, metricsHere] of [here(3, 100, 'here'), here(6, 80, 'here')].entries())
      await tell(page, { type: 'replyShown', reply: compareReply(index, { metricsHere }) });
    await first?.getByText('2.6 s', { exact: true }).waitFor();
    await tell(page, { type: 'replyShown', reply: compareReply(2, { metrics: here(2, 125, 'here') }) });
    await third?.getByText('Fastest').waitFor();
    assert.deepEqual(await page.locator('.race-total').allTextContents(), ['3.0 s°', '6.0 s°', '2.0 s°']);
    assert.equal(await second?.locator('.race-verdict').textContent(), '1.6× slower');
    // Below the reply, they're still the service's.
    assert.match(await column(page, compared[0]).locator('.footer').last().innerText(), /118 tok\/s(?!°)/);
    await tell(page, { type: 'replyShown', reply: compareReply(2, { metrics: here(2, 125, 'estimate') }) });
    await third?.getByText('≈ 125 tok/s').waitFor();
    assert.deepEqual(await page.locator('.race-verdict').allTextContents(), ['', '', '']);
  });

  it('draws all bars on one scale, with a notch every 100 tokens', async () => {
    const page = await browser.open('finished');
    const widths = await page.locator('.race-track').evaluateAll((tracks) =>
      tracks.map((track) => {
        const whole = track.getBoundingClientRect();
        const cap = track.querySelector('.race-cap')?.getBoundingClientRect();
        return ((cap?.right ?? 0) - whole.left) / whole.width;
      }),
    );
    for (const [index, seconds] of [2.6, 5.9, 8.4].entries()) {
      assert.ok(Math.abs((widths[index] ?? 0) - seconds / 10) < 0.01, `${widths[index]} for ${seconds} s`);
    }
    const notches = await page
      .locator('.race-track')
      .evaluateAll((tracks) => tracks.map((track) => track.querySelectorAll('.race-notch').length));
    assert.deepEqual(notches, [2, 4, 3]);
  });

  it('says which order the models were asked in, and what that means for their speeds', async () => {
    const page = await browser.open('finished');
    const said = page.locator('.race-order');
    assert.equal(await said.innerText(), 'Asked all at once, so models on the same machine slow each other down.');
    await tell(page, { type: 'turnChanged', turn: { ...turn, id: 't2', order: 'oneAfterAnother' } });
    await tell(page, { type: 'replyShown', reply: runningReply(1, { id: 's1', turnId: 't2' }) });
    assert.equal(
      await said.innerText(),
      "Asked one after another, so models on the same machine don't slow each other down.",
    );
    // One alone isn't slowed down by others.
    await tell(page, { type: 'turnChanged', turn: { ...turn, id: 't3', columns: ['c1'] } });
    await tell(page, { type: 'replyShown', reply: runningReply(1, { id: 'u1', turnId: 't3' }) });
    assert.ok(await said.isHidden());
  });

  it("grows the bars, the texts, and the figures of replies while they're written", async () => {
    const page = await browser.open('running');
    await tell(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset: 0, text: 'Every **word**' });
    await column(page, compared[1]).getByText('word').waitFor();
    const track = row(page, compared[1]).locator('.race-track');
    await page.waitForFunction(() => document.querySelector('.race-track[data-state=writing]') !== null);
    // Its width is a transition from 0, and a bar without a width isn't visible.
    await track.locator('.race-waiting').waitFor();
    const rate = row(page, compared[1]).getByText('tok/s');
    // A rate appears once enough time has passed to measure one, and a notch once there's room for it.
    const notches = track.locator('.race-notch');
    for (let offset = 14; !(await rate.isVisible()) || (await notches.count()) === 0; offset += 1000) {
      const text = ' word'.repeat(200);
      await tell(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset, text, pieces: 200 });
    }
    await track.locator('.race-writing').waitFor();
    assert.equal(await row(page, compared[2]).locator('.race-track').getAttribute('data-state'), 'waiting');
    assert.match(await row(page, compared[1]).locator('.race-total').innerText(), /^[\d.]+ s°$/);
    const { cost, ...done } = compareReply(1, { text: 'Every **word**' });
    assert.equal(cost, '0.00016');
    await tell(page, { type: 'replyShown', reply: done });
    await column(page, compared[1]).getByText('5.9 s').waitFor();
  });

  it('keeps what was written when another reply starts or a model is added', async () => {
    const page = await browser.open('running');
    await tell(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset: 0, text: 'So far' });
    await tell(page, { type: 'turnChanged', turn: { ...turn, columns: [...turn.columns, 'c3'] } });
    await column(page, compared[1]).getByText('So far').waitFor();
  });

  it("keeps a selection in a reply when a model's price or speed changes", async () => {
    const page = await browser.open('finished');
    const reply = column(page, compared[1]).locator('.reply').last();
    await reply.evaluate((answer) => document.getSelection()?.selectAllChildren(answer));
    const selected = () => page.evaluate(() => document.getSelection()?.toString() ?? '');
    const before = await selected();
    assert.ok(before.length > 5, before);
    const columns = columnsOf((view) => ({ ...view, place: 'another.example · 7 in / 8 out per 1M tokens' }));
    await tell(page, { type: 'columnsChanged', columns });
    await column(page, compared[1]).getByText('another.example').waitFor();
    assert.equal(await selected(), before);
  });

  it('asks for a model once the last column is closed', async () => {
    const page = await browser.open('empty');
    await tell(page, { type: 'columnsChanged', columns: [] });
    assert.equal(await message(page).getAttribute('placeholder'), 'Add a model to compare.');
  });

  it("sends a message to all, and restores it if it can't be sent", async () => {
    const page = await browser.open('empty');
    assert.equal(await message(page).getAttribute('placeholder'), 'Message both models');
    await message(page).fill('Hello');
    await page.keyboard.press('Enter');
    assert.deepEqual(await told(page, 'compare'), [{ type: 'compare', text: 'Hello', attachments: [] }]);
    assert.equal(await message(page).inputValue(), '');
    const problem = { severity: 'warning', title: 'No API key', detail: '', actions: [], technical: '' } as const;
    await tell(page, { type: 'askRefused', text: 'Hello', problem });
    assert.equal(await message(page).inputValue(), 'Hello');
    await page.getByRole('group', { name: 'No API key' }).waitFor();
    const actions = [{ kind: 'selectModel', label: 'Select Another Model…' }] as const;
    await tell(page, { type: 'askRefused', text: 'Hello', problem: { ...problem, title: 'No chat', actions } });
    await page.getByRole('group', { name: 'No API key' }).waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'No chat' }).getByRole('button', { name: 'Select Another Model…' }).click();
    assert.deepEqual(await told(page, 'runAction'), [{ type: 'runAction', action: 'selectModel' }]);
    await page.getByRole('group', { name: 'No chat' }).waitFor({ state: 'detached' });
    assert.equal(await message(page).inputValue(), 'Hello');
  });

  it('tells the host and the user if what draws replies could not be loaded', async () => {
    const page = await browser.open('finished');
    await page.route(/\/markdownView-/, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText(silenceWords).waitFor();
    await browser.pages.takeError(/failed at the message snapshot/);
    await browser.pages.takeError(/Failed to fetch/);
    await browser.pages.takeError(/ERR_FAILED .*markdownView-/);
  });

  it('shows beforehand how many tokens a message needs', async () => {
    const page = await browser.open('estimated');
    await page.getByText('≈ 760 tokens to each · cost at most 0.0044').waitFor();
    await message(page).fill('And in Rust?');
    assert.equal((await told(page, 'draftChanged')).at(-1)?.text, 'And in Rust?');
  });

  it('has Send beside what a message needs, however long that is and however narrow the page', async () => {
    const page = await browser.open('estimated');
    const [estimate, send] = [page.locator('.compare-estimate'), page.locator('.send')];
    await tell(page, { type: 'estimated', estimate: { promptTokens: 128_760, cost: 'at least ≈ 0.0000441' } });
    await estimate.filter({ hasText: 'at least' }).waitFor();
    for (const width of [300, 320, 360, 420, 500, 700]) {
      await page.setViewportSize({ width, height: 600 });
      const [words, button] = [await estimate.boundingBox(), await send.boundingBox()];
      assert.ok(words !== null && button !== null);
      const isBeside = button.y < words.y + words.height && words.y < button.y + button.height;
      assert.ok(isBeside && button.x >= words.x + words.width, `${width}: ${JSON.stringify([words, button])}`);
    }
  });

  it('stops one or all, retries one, and changes, adds, and closes models', async () => {
    const page = await browser.open('running');
    await column(page, compared[1]).getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop All' }).click();
    await column(page, compared[0]).getByRole('button', { name: 'Retry' }).click();
    await column(page, compared[0])
      .getByRole('button', { name: `Model: ${compared[0]}` })
      .click();
    await page.getByRole('button', { name: 'Add Model…' }).click();
    await column(page, compared[2]).getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'One after another' }).click();
    const types = ['stopColumn', 'stop', 'retry', 'chooseModel', 'closeColumn', 'setOrder'] as const;
    const all = (await Promise.all(types.map(async (type) => told(page, type)))).flat();
    assert.deepEqual(all, [
      { type: 'stopColumn', columnId: 'c1' },
      { type: 'stop' },
      { type: 'retry', replyId: 'r0' },
      { type: 'chooseModel', columnId: 'c0' },
      { type: 'chooseModel' },
      { type: 'closeColumn', columnId: 'c2' },
      { type: 'setOrder', order: 'oneAfterAnother' },
    ]);
    assert.equal(await page.getByRole('button', { name: 'Close' }).count(), 3);
  });

  it('says that a stopped reply might have been charged, because its cost is missing', async () => {
    const page = await browser.open('stopped');
    const charged = page.getByText('You might have been charged.');
    assert.equal(await charged.count(), 1);
    await column(page, compared[2]).getByText('You might have been charged.').waitFor();
  });

  it('offers nothing that would ask again while another window is waiting for a reply', async () => {
    const page = await browser.open('elsewhere');
    const waiting = column(page, compared[2]);
    await waiting.getByText('being written in another window').waitFor();
    assert.equal(await row(page, compared[2]).locator('.race-verdict').textContent(), 'In another window');
    assert.equal(await waiting.getByRole('button', { name: 'Retry' }).count(), 0);
    assert.equal(await waiting.getByRole('button', { name: 'Stop' }).count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Retry' }).count(), 2);
  });

  it('asks one model alone if selected, and says so', async () => {
    const page = await browser.open('finished');
    await page.getByRole('button', { name: 'To all 3 models' }).click();
    await page.getByRole('menuitem', { name: compared[1] }).click();
    assert.deepEqual(await told(page, 'setTo'), [{ type: 'setTo', columnId: 'c1' }]);
    const setup = { options: {}, order: 'allAtOnce', isBlind: false } as const;
    await tell(page, { type: 'setupChanged', setup: { ...setup, to: 'c1' }, defaults: {} });
    assert.equal(await message(page).getAttribute('placeholder'), `Message ${compared[1]}`);
    await tell(page, { type: 'estimated', estimate: { promptTokens: 760 } });
    await page.getByText('≈ 760 tokens', { exact: true }).waitFor();
    await message(page).fill('Why?');
    await page.keyboard.press('Enter');
    assert.deepEqual(await told(page, 'compare'), [{ type: 'compare', text: 'Why?', attachments: [], to: 'c1' }]);
    await page.getByRole('button', { name: `To ${compared[1]}` }).click();
    await page.getByRole('menuitem', { name: 'All 3 models' }).click();
    assert.deepEqual((await told(page, 'setTo')).at(-1), { type: 'setTo' });
  });

  it('shows a follow-up only in the column it was sent to', async () => {
    const page = await browser.open('toOne');
    const question = (name: string) => column(page, name).getByText('Only for you');
    assert.equal(await question(compared[1]).isVisible(), true);
    assert.equal(await question(compared[0]).count(), 0);
    assert.equal(await column(page, compared[0]).getByText('And in Python?').isVisible(), true);
  });

  it('gives a column its own parameters, and shows them there and in the race', async () => {
    const page = await browser.open('finished');
    const own = column(page, compared[1]);
    await own.getByRole('button', { name: `Parameters of ${compared[1]}` }).click();
    assert.equal(await own.getByLabel('Temperature').getAttribute('placeholder'), '0.2');
    await own.getByLabel('Temperature').fill('0.9');
    await own.getByLabel('System prompt').fill('Answer in rhymes.');
    await page.keyboard.press('Escape');
    const options = { temperature: 0.9, systemPrompt: 'Answer in rhymes.' };
    assert.deepEqual((await told(page, 'columnOptionsChanged')).at(-1), {
      type: 'columnOptionsChanged',
      columnId: 'c1',
      options,
    });
    assert.equal(await own.getByLabel('Temperature').isVisible(), false);
    const columns = columnsOf((view, index) =>
      index === 1 ? { ...view, options, own: 'Temperature 0.9 · System prompt' } : view,
    );
    await tell(page, { type: 'columnsChanged', columns });
    await own.getByText('Temperature 0.9 · System prompt').waitFor();
    await own.getByRole('button', { name: `Parameters of ${compared[1]} (2 set)` }).waitFor();
    await row(page, `${compared[1]} (Temperature 0.9 · System prompt)`).waitFor();
  });

  it("applies a reply with code as a diff, and doesn't offer that for others", async () => {
    const page = await browser.open('followUp');
    const buttons = column(page, compared[0]).getByRole('button', { name: 'Apply as Diff' });
    // Its second reply is only text.
    assert.equal(await buttons.count(), 1);
    await buttons.click();
    assert.deepEqual(await told(page, 'actOnReply'), [{ type: 'actOnReply', replyId: 'r0', act: 'apply' }]);

    const text = '```ts\nhalf of it';
    for (const state of ['stopped', 'incomplete', 'failed', 'interrupted', 'elsewhere'] as const) {
      await tell(page, { type: 'replyShown', reply: compareReply(0, { id: 'r0', text, state }) });
      await column(page, compared[0]).locator(`.reply[data-state=${state}]`).waitFor();
      assert.ok(await buttons.isHidden(), state);
    }
    await tell(page, { type: 'replyShown', reply: compareReply(0, { id: 'r0', text, state: 'done' }) });
    await buttons.waitFor();
  });

  it('lists prompts when / is typed, and runs one', async () => {
    const page = await browser.open('empty');
    await message(page).pressSequentially('/ex');
    await page.waitForFunction(() =>
      window.compareHost.posted.some((each) => each.type === 'completePrompt' && each.typed === 'ex'),
    );
    const { request = 0 } = (await told(page, 'completePrompt')).at(-1) ?? {};
    const rows = [{ id: 'p1', group: '', label: '/explain', detail: 'Explain' }];
    await tell(page, { type: 'promptRows', request, rows });
    await page.getByRole('option', { name: '/explain' }).waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await told(page, 'runPrompt'), [{ type: 'runPrompt', row: 'p1' }]);
    assert.equal(await message(page).inputValue(), '');
  });

  it('asks a model that was added with the last question', async () => {
    const page = await browser.open('followUp');
    await column(page, compared[2]).getByRole('button', { name: 'Ask This Model' }).click();
    assert.deepEqual(await told(page, 'askColumn'), [{ type: 'askColumn', columnId: 'c2' }]);
  });

  it('follows the reply of a model that is asked with the last question alone, if its end is in view', async () => {
    const page = await browser.open('followUp');
    const isAtEnd = (least: number) => {
      const scroller = [...document.querySelectorAll('.column-scroller')][2] ?? document.body;
      const { scrollHeight, scrollTop, clientHeight } = scroller;
      return scrollHeight > least && scrollHeight - scrollTop - clientHeight < 2;
    };
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    // Nobody scrolls: the column has room for the whole conversation.
    await page.setViewportSize({ width: 1200, height: 3000 });
    await page.reload();
    await column(page, compared[2]).getByRole('button', { name: 'Ask This Model' }).waitFor();
    await page.waitForFunction(isAtEnd, 0);
    await column(page, compared[2]).getByRole('button', { name: 'Ask This Model' }).click();
    await tell(page, { type: 'replyShown', reply: runningReply(2, { id: 'n2', turnId: 't2' }) });
    assert.equal(await jump.count(), 0);
    const text = 'A line\n\n'.repeat(200);
    await tell(page, { type: 'replyGrew', replyId: 'n2', part: 'text', offset: 0, text });
    await page.waitForFunction(isAtEnd, 4000);
    assert.equal(await jump.count(), 0);
  });

  it("announces once for all columns that models reply, then each one's end once, and no figures in between", async () => {
    const page = await browser.open('empty');
    const said = await listen(page);
    await tell(page, { type: 'turnChanged', turn: { ...turn, columns: ['c0', 'c1'] } });
    // Together, as from the host: those that start later than the others are announced on their own.
    await page.evaluate(
      (replies) => {
        for (const reply of replies) window.compareHost.send({ type: 'replyShown', reply });
      },
      [runningReply(0), runningReply(1)],
    );
    await page.getByText('2 models are replying.').waitFor({ state: 'attached' });
    for (const text of ['One', ' two']) {
      await tell(page, { type: 'replyGrew', replyId: 'r0', part: 'text', offset: 0, text });
    }
    const problem = { severity: 'error', title: 'Out of credits', detail: '', actions: [], technical: '' } as const;
    await tell(page, { type: 'replyShown', reply: compareReply(0) });
    await tell(page, { type: 'replyShown', reply: compareReply(1, { state: 'failed', text: '', problem }) });
    await page.getByText(`${compared[1]} failed: Out of credits.`).waitFor({ state: 'attached' });
    // Those that end at nearly the same time are announced together.
    const [first, ...ends] = await said();
    assert.equal(first, '2 models are replying.');
    assert.equal(ends.join(' '), `${compared[0]} finished: 2.6 s, 118 tok/s. ${compared[1]} failed: Out of credits.`);
  });

  it('says until when a reply waits that the service refused, and can still be stopped', async () => {
    const page = await browser.open('paused');
    await page.getByText(/Waiting until .*5.*: the service is busy/).waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await told(page, 'stop')).length, 1);
  });

  for (const width of [300, 800]) {
    it(`has the whole name of each model in the race at ${width} px, as two might differ in their services only`, async () => {
      const page = await browser.open('twoServices', width);
      const names = page.locator('.race-name');
      assert.equal(await names.nth(1).innerText(), 'kestrel/sparrow (Home server)');
      const cut = await names.evaluateAll((all) =>
        all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
      );
      assert.deepEqual(cut, []);
    });
  }

  it("shows the host's messages above the message box, and their buttons, Dismiss, and Escape end them", async () => {
    const page = await browser.open('told');
    const note = (words: string) => page.locator('.note', { hasText: words });
    const box = await message(page).boundingBox();
    const shown = await note('budget is spent').boundingBox();
    assert.ok(box && shown && shown.y + shown.height <= box.y, 'it covers the message box');
    await note('Testing').getByRole('button', { name: 'Cancel' }).click();
    await note('budget is spent').getByRole('button', { name: 'Change Budget…' }).click();
    await note('budget is spent').getByRole('button', { name: 'Dismiss' }).click();
    await message(page).focus();
    await page.keyboard.press('Escape');
    assert.deepEqual(await told(page, 'endNote'), [
      { type: 'endNote', id: 'n1', button: 'Cancel' },
      { type: 'endNote', id: 'n2', button: 'Change Budget…' },
      { type: 'endNote', id: 'n2' },
      { type: 'endNote', id: 'n2' },
    ]);
    await note('budget is spent').getByRole('button', { name: 'Show Usage' }).focus();
    const added = { id: 'n3', severity: 'info', text: 'The key is stored.', buttons: [] } as const;
    await tell(page, { type: 'notesChanged', notes: [added] });
    await page.getByRole('status').getByText('The key is stored.').waitFor();
    assert.equal(await note('budget is spent').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Message');
  });

  it('is navigated with F6, and stops with Escape', async () => {
    const page = await browser.open('running');
    await message(page).focus();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    const seen: unknown[] = [];
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('F6');
      seen.push(await focused());
    }
    assert.deepEqual(seen, [...compared.map((model) => `Model: ${model}`), 'Message']);
    await page.keyboard.press('Shift+F6');
    assert.equal(await focused(), `Model: ${compared[2]}`);
    await page.keyboard.press('Escape');
    assert.equal((await told(page, 'stop')).length, 1);
  });

  it('has columns of at least 300 pixels, and tabs if only one fits', async () => {
    const page = await browser.open('finished', 600);
    const widths = await page.locator('.column').evaluateAll((all) => all.map((each) => each.clientWidth));
    assert.ok(
      widths.every((width) => width >= 299),
      widths.join(),
    );
    await page.setViewportSize({ width: 420, height: 700 });
    await page.getByRole('tab', { name: 'gale-32b-instruct' }).click();
    assert.equal(await page.locator('.column:visible').count(), 1);
    await column(page, compared[1]).waitFor();
    await page.keyboard.press('ArrowRight');
    await column(page, compared[2]).waitFor();
    assert.equal(await page.getByRole('tab', { selected: true }).textContent(), 'quill-70b');
  });

  it('has room for replies in a narrow window, in one of half the height, or at 200%, and still leads to the composer', async () => {
    const page = await browser.open('finished', 300);
    for (const height of [700, 450]) {
      await page.setViewportSize({ width: 300, height });
      const columns = await page.locator('.compare-columns').boundingBox();
      assert.ok((columns?.height ?? 0) >= 200, `${columns?.height}`);
    }
    await message(page).click();
    assert.ok(await page.getByRole('button', { name: 'Send' }).isVisible());
  });

  it('follows the end of a column until its reader scrolls up', async () => {
    const page = await browser.open('running');
    const scroller = column(page, compared[1]).locator('.column-scroller');
    const grow = (offset: number) =>
      tell(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset, text: 'A line\n\n'.repeat(60) });
    const gap = () => scroller.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight);
    await grow(0);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.column-scroller')].some((each) => each.scrollTop > 200),
    );
    await scroller.hover();
    await page.mouse.wheel(0, -400);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.column-scroller')].some(
        (each) => each.scrollHeight - each.scrollTop - each.clientHeight > 200,
      ),
    );
    const before = await gap();
    await grow(480);
    // It grows below what is read; if the column followed, this would stay small.
    await page.waitForFunction(
      (least) =>
        [...document.querySelectorAll('.column-scroller')].some(
          (each) => each.scrollHeight - each.scrollTop - each.clientHeight > least,
        ),
      before,
    );
    const jump = column(page, compared[1]).getByRole('button', { name: 'Jump to latest' });
    await jump.and(page.getByTitle("There's new text below")).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Jump to latest' }).count(), 1);
    await jump.press('Enter');
    await jump.waitFor({ state: 'hidden' });
    // The scroller has the focus now.
    const isAtEnd = (height: number) => {
      const { scrollHeight, scrollTop, clientHeight } = document.activeElement ?? document.body;
      return scrollHeight > height && scrollHeight - scrollTop - clientHeight < 2;
    };
    await page.waitForFunction(isAtEnd, 1000);
    const height = await scroller.evaluate((each) => each.scrollHeight);
    await grow(960);
    await page.waitForFunction(isAtEnd, height + 1000);
  });

  it('has no button to the end of what has ended, unless its reader left it before', async () => {
    const page = await browser.open('finished', 600);
    const jumps = page.getByRole('button', { name: 'Jump to latest' });
    const wheel = async (index: number, by: number) => {
      await column(page, compared[index] ?? '')
        .locator('.column-scroller')
        .hover();
      await page.mouse.wheel(0, by);
    };
    await wheel(0, 4000);
    await wheel(0, -100);
    assert.equal(await jumps.count(), 0);
    await tell(page, { type: 'replyShown', reply: runningReply(0) });
    const text = 'A line\n\n'.repeat(60);
    await tell(page, { type: 'replyGrew', replyId: 'r0', part: 'text', offset: 0, text });
    await page.waitForFunction(() => (document.querySelector('.column-scroller')?.scrollTop ?? 0) > 200);
    await wheel(0, -400);
    await jumps.waitFor();
    await tell(page, { type: 'replyShown', reply: compareReply(0, { text }) });
    await column(page, compared[0]).getByText('2.6 s').waitFor();
    await jumps.click();
    await jumps.waitFor({ state: 'hidden' });
  });
});
