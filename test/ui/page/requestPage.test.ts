import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { RequestToHost, RequestToPage } from '../../../src/shared/protocol/requestProtocol.ts';
import { PageBrowser } from './pageBrowser.ts';
import { requestStates } from './requestStates.ts';
import { silenceWords } from './silenceWords.ts';

const postedBy = (page: Page): Promise<readonly RequestToHost[]> =>
  page.evaluate(() => (globalThis as unknown as { readonly posted: readonly RequestToHost[] }).posted);

const send = (page: Page, message: RequestToPage): Promise<void> =>
  page.evaluate((data) => void window.dispatchEvent(new MessageEvent('message', { data })), message);

const requestIn = (state: string) => {
  const message = requestStates[state]?.();
  return message?.type === 'request' ? message.request : assert.fail(state);
};

describe('The page about a request', () => {
  const browser = new PageBrowser('request');

  it('shows how it ended, then what can be done, how fast it was, the question, and the reply', async () => {
    const page = await browser.open('done', { width: 900 });
    await page.locator('.md strong', { hasText: 'One pass.' }).waitFor();
    const text = await page.getByRole('main').innerText();
    const order = [
      'succeeded (200)',
      'Run Again',
      '84 tok/s',
      'As fast as usual',
      'Why does removeDone',
      'One pass.',
      'Parameters',
    ];
    const places = order.map((words) => text.indexOf(words));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      JSON.stringify(places),
    );
    assert.ok(!places.includes(-1), JSON.stringify(places));
    await page.getByRole('img', { name: '0.32 s waiting, 5.6 s writing, 5.9 s total.' }).waitFor();
    assert.equal(await page.locator('.button:not(.secondary)').count(), 1);
    assert.equal(await page.getByText('inference.example/v1').isVisible(), false);
  });

  it('tells the host and the user if what draws the reply could not be loaded', async () => {
    const page = await browser.open('done');
    await page.route(/\/markdownView-/, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText(silenceWords).waitFor();
    assert.deepEqual(await postedBy(page), [{ type: 'ready' }, { type: 'failedMessage', name: 'request' }]);
    await browser.pages.takeError(/Failed to fetch/);
    await browser.pages.takeError(/ERR_FAILED .*markdownView-/);
  });

  it('sends the host the actions of its buttons, by keyboard too', async () => {
    const page = await browser.open('done');
    for (const [name, act] of [
      ['Run Again', 'runAgain'],
      ['Run with Another Model…', 'runWithModel'],
      ['Compare Replies…', 'compare'],
      ['Copy as Code…', 'copyAsCode'],
      ['Open Conversation', 'openConversation'],
      ['Show JSON', 'showJson'],
    ] as const) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), name);
      await page.keyboard.press('Enter');
      assert.deepEqual((await postedBy(page)).at(-1), { type: 'act', id: 'a', act });
    }
    const count = (await postedBy(page)).length;
    await page.getByRole('button', { name: 'Run Again' }).dblclick();
    assert.deepEqual((await postedBy(page)).slice(count), [{ type: 'act', id: 'a', act: 'runAgain' }]);
    for (let presses = 0; presses < 5; presses++) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    assert.equal((await postedBy(page)).length, count + 2);
    await page.getByText('Parameters').click();
    await page.getByRole('button', { name: 'Show Request JSON' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'act', id: 'a', act: 'showRequestJson' });
    await page.locator('.md').getByRole('button', { name: 'Insert' }).click();
    assert.equal((await postedBy(page)).at(-1)?.type, 'insertCode');
    await page.getByText('Service').click();
    await page.getByRole('button', { name: 'Copy request ID' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'copyText', text: 'req_8f2c1a04' });
  });

  it('grows while it runs, keeps expanded sections open, and announces once how it ended', async () => {
    const page = await browser.open('running', { width: 700 });
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.getByText('Parameters').click();
    await page.getByRole('button', { name: 'Stop' }).focus();
    const { reply, metrics, ...running } = requestIn('running');
    const grown = { ...reply, text: `${reply.text} and more.` };
    const later = { ...metrics, tokensPerSecond: { value: 99, from: 'estimate' } } as const;
    await send(page, { type: 'request', request: { ...running, metrics: later, reply: grown } });
    await page.getByText('and more.').waitFor();
    await page.getByText('≈ 99 tok/s').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Stop');
    await send(page, { type: 'request', request: { ...requestIn('done'), name: 'kestrel/sparrow' } });
    await page.getByRole('status').getByText('kestrel/sparrow: succeeded (200)').waitFor({ state: 'attached' });
    await page.getByText('max tokens', { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Run Again');
  });

  it("offers the setting if content isn't saved, and acts on its own request if it failed", async () => {
    const unsaved = await browser.open('notSaved');
    await unsaved.getByText("The content isn't saved.").waitFor();
    await unsaved.getByRole('button', { name: 'Open Setting' }).click();
    assert.deepEqual((await postedBy(unsaved)).at(-1), { type: 'act', id: 'a', act: 'openContentSetting' });
    const failed = await browser.open('failed');
    await failed.getByText('Three changes that').waitFor();
    await failed.getByRole('button', { name: 'Select Another Model…' }).click();
    assert.deepEqual((await postedBy(failed)).at(-1), { type: 'runAction', id: 'a', action: 'selectModel' });
    assert.equal(await failed.locator('.button:not(.secondary)').count(), 1);
  });

  it('compares two replies on one scale, in words, and leads to the text differences', async () => {
    const page = await browser.open('compared', { width: 1200 });
    await page.getByText('kestrel/sparrow finished 2.3× sooner and cost 65% less.').waitFor();
    const [slow = 0, fast = 0] = await page
      .locator('.race .speed-bar')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    assert.ok(Math.abs(fast / slow - 2.6 / 5.9) < 0.01, `${fast} of ${slow}`);
    assert.equal(await page.getByRole('group', { name: 'You' }).count(), 1);
    await page.getByRole('button', { name: 'Show Differences' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'showDifferences' });
    await page.getByRole('button', { name: 'Swap' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'swap' });
    const tops = await page
      .locator('.column')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    assert.equal(tops[0], tops[1]);
    const narrow = await browser.open('compared', { width: 300 });
    const lefts = await narrow
      .locator('.column')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    assert.equal(lefts[0], lefts[1]);
  });

  it('compares the times and costs only of replies that the service finished', async () => {
    const page = await browser.open('compared', { width: 1200 });
    const message = requestStates['compared']?.();
    assert.ok(message?.type === 'comparison');
    const { left, right } = message;
    const verdict = page.locator('.verdict');
    const cut = { ...right, state: 'incomplete', ending: 'stopped at the token limit' } as const;
    for (const [index, unfinished] of [
      { ...right, state: 'stopped', ending: 'stopped' } as const,
      { ...right, state: 'running', ending: 'running' } as const,
      { ...right, state: 'unknown', ending: 'outcome unknown' } as const,
      cut,
      { ...cut, finishReason: 'content_filter' },
    ].entries()) {
      await send(page, { type: 'comparison', left, right: { ...unfinished, name: `model ${index}` } });
      await page.getByRole('heading', { name: `model ${index}` }).waitFor();
      assert.equal(await verdict.textContent(), '', JSON.stringify(unfinished.ending));
    }
    await send(page, { type: 'comparison', left, right: { ...cut, finishReason: 'length' } });
    await verdict.getByText('kestrel/sparrow finished 2.3× sooner').waitFor();
  });

  it('says nothing about the text of two replies without any, and offers no differences', async () => {
    const page = await browser.open('compared', { width: 1200 });
    const none = { text: '', reasoning: '', calls: [] };
    const failed = { ...requestIn('failed'), reply: none };
    await send(page, { type: 'comparison', left: failed, right: { ...failed, id: 'b' } });
    await page.getByRole('group', { name: 'Too many requests' }).first().waitFor();
    assert.equal(await page.locator('.verdict').innerText(), '');
    assert.equal(await page.getByRole('button', { name: 'Show Differences' }).count(), 0);
    const call = { name: 'get_time', value: '{"zone":"UTC"}' };
    await send(page, { type: 'comparison', left: failed, right: { ...failed, reply: { ...none, calls: [call] } } });
    await page.getByRole('button', { name: 'Show Differences' }).waitFor();
  });

  it('keeps what is selected in a comparison when the same model replies to something else', async () => {
    const page = await browser.open('compared', { width: 1200 });
    const message = requestStates['compared']?.();
    assert.ok(message?.type === 'comparison');
    await send(page, message);
    const heading = await page.getByRole('heading', { name: 'kestrel/sparrow' }).elementHandle();
    const left = { ...message.left, usual: "As fast as usual: this model's median is 84 tok/s over 213 requests." };
    await send(page, { ...message, left });
    assert.equal(await heading?.evaluate(({ isConnected }) => isConnected), true);
    await send(page, { ...message, left: { ...left, cost: '0.1' } });
    await page.getByText('cost 0.1', { exact: true }).waitFor();
    assert.equal(await heading?.evaluate(({ isConnected }) => isConnected), false);
  });

  it('says that two replies are identical, and then offers no differences', async () => {
    const page = await browser.open('identical', { width: 1200 });
    await page.getByText('The replies are identical.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show Differences' }).count(), 0);
  });
});
