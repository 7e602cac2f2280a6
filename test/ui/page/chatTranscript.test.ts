import assert from 'node:assert/strict';
import type { ReplyView } from '../../../src/shared/chat.ts';
import { ChatBrowser, distanceFromEnd, drawn, intentions, send, stopClock } from './chatBrowser.ts';
import { chat, reply, user } from './pageStates.ts';
import { waitUntil } from '../waitUntil.ts';
import { grow, paragraph, settled } from './longTranscript.ts';

describe('the transcript', function () {
  const browser = new ChatBrowser();

  it('is a log of articles, named by their model, with their figures in a group', async () => {
    const page = await browser.open('done');
    const article = page.getByRole('log').getByRole('article', { name: 'meta/llama-4-scout' });
    assert.match((await article.textContent()) ?? '', /Removing from an array/);
    const metrics = article.getByRole('group', { name: 'Metrics' });
    assert.equal(await metrics.textContent(), '84 tok/s, 0.31 s first token, 3.4 s total, 261 tokens');
    assert.match((await metrics.getAttribute('title')) ?? '', /Request ID: req_8f2c1a/);
    assert.equal(await page.locator('.message.user .bubble').innerText(), 'Why does this loop skip items?');
  });

  it('announces the start and the end of a reply, and no tokens', async () => {
    const page = await browser.open('done');
    assert.equal(await page.getByRole('log').getAttribute('aria-live'), 'off');
    const running = { ...reply('r2', ''), state: 'running', metrics: {} } as const;
    await send(page, { type: 'messageAdded', message: running });
    assert.equal(await page.getByRole('status').innerText(), 'meta/llama-4-scout is replying');
    await send(page, { type: 'replyGrew', replyId: 'r2', part: 'text', offset: 0, text: 'Words' });
    assert.equal(await page.getByRole('status').innerText(), 'meta/llama-4-scout is replying');
    await send(page, { type: 'replyChanged', replyId: 'r2', change: { state: 'done', metrics: {} } });
    assert.equal(await page.getByRole('status').innerText(), 'meta/llama-4-scout has replied');
    // The same end again, after a change of something else.
    await page.getByRole('status').evaluate((each) => each.replaceChildren());
    await send(page, { type: 'replyChanged', replyId: 'r2', change: { state: 'done', metrics: {} } });
    assert.equal(await page.getByRole('status').innerText(), '');
  });

  it('shows a running reply with its live numbers', async () => {
    const page = await browser.open('streaming');
    const live = page.getByRole('group', { name: 'Metrics' }).last();
    await page.waitForFunction(() => document.querySelectorAll('.reply')[1]?.textContent?.includes(' tokens'));
    assert.match((await live.textContent()) ?? '', /s° \(measured in VS Code\) total, ≈ 40 tokens$/);
    await grow(page, 'More words. '.repeat(20));
    await page.waitForFunction(() => document.querySelectorAll('.reply')[1]?.textContent?.includes('tok/s'));
  });

  it("shows that it's still waiting after fifteen seconds of silence", async () => {
    const page = await browser.open('done', { ownClock: true });
    await stopClock(page);
    await send(page, { type: 'messageAdded', message: { ...reply('r2', ''), state: 'running', metrics: {} } });
    await page.clock.runFor(16_000);
    assert.match(await page.getByRole('group', { name: 'Metrics' }).last().innerText(), /no data for 1\d s/);
  });

  it('shows why it tries again, and when', async () => {
    const page = await browser.open('retrying');
    const words = await page.getByRole('group', { name: 'Metrics' }).textContent();
    assert.match(words ?? '', /The service is overloaded, attempt 2 in \d s/);
    await page.getByRole('button', { name: 'Stop' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'stop' }]);
  });

  it("counts in its host's time, which another machine's clock can show", async () => {
    const page = await browser.open('done', { ownClock: true });
    await stopClock(page);
    const pageTime = await page.evaluate(() => Date.now());
    const metrics = page.getByRole('group', { name: 'Metrics' }).last();
    for (const aheadMs of [-3_600_000, 3_600_000]) {
      const sentAt = pageTime + aheadMs;
      const writing: ReplyView = { ...reply('r2', ''), state: 'running', metrics: {}, at: sentAt - 42_000 };
      await send(page, { type: 'snapshot', snapshot: chat([]), ...{ sentAt } });
      await send(page, { type: 'snapshot', snapshot: chat([writing]), ...{ sentAt } });
      assert.match(await metrics.innerText(), /42 s/);
      const retry = { attempt: 2, at: sentAt + 4000, reason: 'The service is overloaded' };
      await send(page, { type: 'snapshot', snapshot: chat([{ ...writing, retry }]), ...{ sentAt } });
      assert.match(await metrics.innerText(), /attempt 2 in 4 s/);
      // One that was on its way for half an hour says nothing about the clock.
      const late = sentAt - 1_800_000;
      await send(page, { type: 'snapshot', snapshot: chat([{ ...writing, retry }]), ...{ sentAt: late } });
      assert.match(await metrics.innerText(), /attempt 2 in 4 s/);
    }
  });

  it("has figures that stay in place while it's written, and a footer of the same height when it ends", async () => {
    for (const width of [300, 420, 900]) {
      const page = await browser.open('streaming', { viewport: { width, height: 600 } });
      const footer = page.locator('.reply').last().locator('.footer');
      const edges = () =>
        footer.evaluate((it) =>
          [...it.querySelectorAll('.metric')].map((metric) => metric.getBoundingClientRect().left),
        );
      await footer.getByText('first token').waitFor();
      const before = await edges();
      const { height } = (await footer.boundingBox()) ?? {};
      assert.equal(before.length, 4);
      assert.match(await footer.innerText(), /^– tok\/s/);
      // As far left as the text above it. Both at once, because the figures are drawn again with each new value.
      const [answer = NaN, figure = NaN] = await page
        .locator('.reply')
        .last()
        .evaluate((it) =>
          ['.speed-line', '.footer .figure'].map((part) => it.querySelector(part)?.getBoundingClientRect().x),
        );
      assert.ok(Math.abs(figure - answer) <= 1, `${figure} px, not ${answer} px`);
      // The speed is known after a while.
      while ((await footer.innerText()).includes('–')) await grow(page, 'word ');
      assert.deepEqual(await edges(), before);
      const { metrics } = reply('r2', '');
      await send(page, { type: 'replyChanged', replyId: 'r2', change: { state: 'done', metrics } });
      await footer.getByRole('button', { name: 'Retry' }).waitFor();
      assert.equal((await footer.boundingBox())?.height, height, `${width} px`);
    }
  });

  it('has figures that stay in place as its time gets other digits', async () => {
    const page = await browser.open('done', { ownClock: true });
    await stopClock(page);
    await send(page, { type: 'messageAdded', message: { ...reply('r2', ''), state: 'running', metrics: {} } });
    await send(page, { type: 'replyGrew', replyId: 'r2', part: 'text', offset: 0, text: 'Words' });
    const metrics = page.locator('.reply').last().locator('.metric');
    const edges = () => metrics.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
    let before: readonly number[] | undefined;
    for (const [ms, total] of [
      [500, /^0\.\d\d s/],
      [1000, /^1\.\d s/],
      [10_000, /^1\d s/],
    ] as const) {
      await page.clock.runFor(ms);
      assert.match(await metrics.nth(2).locator('.figure').innerText(), total);
      before ??= await edges();
      assert.deepEqual(await edges(), before);
    }
  });

  /**
   * A reply whose code is still plain.
   * @returns `color`: ends the reply, and resolves once its code is colored
   */
  async function openPlain() {
    const { asked, release } = browser.holdScripts(/^highlighter-/);
    const page = await browser.open('empty');
    await page.evaluate(() => window.fakeHost.loaded());
    await send(page, { type: 'messageAdded', message: { ...reply('r1', ''), state: 'running', metrics: {} } });
    const text = '```ts\nlet a;\n```\n';
    await send(page, { type: 'replyGrew', replyId: 'r1', part: 'text', offset: 0, text });
    await asked;
    const { metrics } = reply('r1', '');
    const color = async () => {
      assert.equal(await page.locator('.tok-keyword').count(), 0);
      await send(page, { type: 'replyChanged', replyId: 'r1', change: { state: 'done', metrics } });
      release();
      await page.locator('.tok-keyword').waitFor();
    };
    return { page, copy: page.getByRole('button', { name: 'Copy code' }), color };
  }

  it('takes a click on a button of its code that was begun before the code is colored', async () => {
    const { page, copy, color } = await openPlain();
    await copy.hover();
    await page.mouse.down();
    await color();
    await page.mouse.up();
    assert.deepEqual(await intentions(page), [{ type: 'copyText', text: 'let a;\n' }]);
  });

  it('leaves the focus on a button of its code while the code is colored', async () => {
    const { page, copy, color } = await openPlain();
    await copy.focus();
    await color();
    await page.keyboard.press('Enter');
    assert.deepEqual(await intentions(page), [{ type: 'copyText', text: 'let a;\n' }]);
  });

  it('describes each ending in words', async () => {
    const page = await browser.open('stopped');
    const words = await page.getByRole('group', { name: 'Metrics' }).allTextContents();
    assert.match(words[0] ?? '', / tok\/s, 0\.58 s° \(measured in VS Code\) first token, .*≈ 44 tokens, stopped$/s);
    assert.match(words[1] ?? '', /stopped at the token limit$/);
    assert.match(words[2] ?? '', /interrupted$/);
  });

  it('says that a reply has no text instead of showing an empty one', async () => {
    const page = await browser.open('done');
    await send(page, { type: 'messageAdded', message: reply('r9', '') });
    assert.equal(await page.locator('.reply').last().getByText('The reply has no text').count(), 1);
    assert.equal(await page.getByText('The reply has no text').count(), 1);
  });

  it('collapses the reasoning and keeps it open once expanded', async () => {
    const page = await browser.open('reasoning');
    const thought = page.getByText('The loop removes while it walks.');
    assert.equal(await thought.isVisible(), false);
    await page.getByText('Thought for 2 s').click();
    assert.equal(await thought.isVisible(), true);
    await send(page, { type: 'replyChanged', replyId: 'r1', change: { state: 'done', metrics: {} } });
    assert.equal(await thought.isVisible(), true);
    assert.equal(await page.getByText('Reasoning', { exact: true }).count(), 1);
  });

  it("continues if one reply can't be drawn", async () => {
    const page = await browser.open('done');
    await page.evaluate(() => {
      const create = document.createElement.bind(document);
      Object.assign(document, {
        createElement: (tag: string) => {
          if (tag === 'del') throw new Error('Not today');
          return create(tag);
        },
      });
    });
    await send(page, { type: 'messageAdded', message: reply('bad', '~~struck~~') });
    await drawn(page);
    await send(page, { type: 'messageAdded', message: { ...reply('good', paragraph.repeat(30)), state: 'running' } });
    await page.getByRole('article').last().getByText('Some text that goes on').last().waitFor();
    await settled(page);
    await browser.pages.takeError(/^error .*Not today/);
  });

  it('touches no other message while a reply grows', async () => {
    const page = await browser.open('streaming');
    await page.evaluate(() => {
      const watcher = new MutationObserver((records) => {
        document.body.dataset['touched'] = String(Number(document.body.dataset['touched'] ?? 0) + records.length);
      });
      for (const message of document.querySelectorAll('.message:not(:last-of-type)')) {
        watcher.observe(message, { subtree: true, attributeFilter: ['aria-disabled'] });
      }
    });
    await grow(page, 'More words. ', 20);
    assert.equal(await page.evaluate(() => document.body.dataset['touched']), undefined);
  });

  it('needs no layers for what is below its messages: the browser searches all of them for each scrolled frame', async () => {
    const page = await browser.open('done');
    const layers = await page.evaluate(() =>
      [...document.querySelectorAll('.messages .message, .messages .message :not(.answer *, .bubble *)')]
        .filter((each) => {
          const { clipPath, overflow, position } = getComputedStyle(each);
          return clipPath !== 'none' || overflow !== 'visible' || /absolute|fixed/.test(position);
        })
        .map(({ className }) => className),
    );
    // The figures are cut off where their line begins.
    assert.deepEqual([...new Set(layers)], ['metrics']);
    const spoken = await page.locator('.spoken').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    assert.ok(
      spoken.length > 0 && spoken.every(({ width, height }) => width > 0 && height > 0),
      'screen readers skip it',
    );
  });

  it('gives the visible bars one scale: the slowest fills it', async () => {
    const page = await browser.open('done');
    const slow = { ...reply('r2', 'Slow'), metrics: { totalSeconds: { value: 6.8, from: 'service' } } } as const;
    await send(page, { type: 'messageAdded', message: slow });
    await page.waitForFunction(() => {
      const widths = [...document.querySelectorAll('.speed-bar')].map((bar) => bar.clientWidth);
      return widths[0] !== undefined && widths[1] !== undefined && Math.abs(widths[0] * 2 - widths[1]) <= 2;
    });
  });

  it('leads to what is missing, and offers suggestions when nothing is', async () => {
    const steps = [
      ['needsBaseUrl', 'Set Base URL…', 'setBaseUrl'],
      ['needsBaseUrl', 'Find Local Services', 'findLocalServices'],
      ['needsKey', 'Set API Key…', 'setApiKey'],
      ['needsKey', 'Use No Key', 'useNoKey'],
      ['needsModel', 'Select Model…', 'selectModel'],
    ] as const;
    for (const [state, label, action] of steps) {
      const page = await browser.open(state);
      await page.getByRole('button', { name: label }).click();
      assert.deepEqual(await intentions(page), [{ type: 'runAction', action }]);
    }
    const page = await browser.open('empty');
    await page.getByRole('button', { name: 'Explain the selected code' }).click();
    assert.deepEqual(await intentions(page), [{ type: 'runSuggestion', id: 'explain' }]);
    await page.getByText('inference.example').waitFor();
  });

  it("says before anything is typed that the service doesn't support chat, and offers a model of another one", async () => {
    const lack = {
      severity: 'warning',
      title: "Painter doesn't support this: Chat",
      detail: "The service doesn't have this path.",
      actions: [
        { kind: 'useModel', label: 'Use Hosted', model: 'hosted::local/echo' },
        { kind: 'testConnection', label: 'Test Connection' },
      ],
      technical: '',
    } as const;
    const ready = { state: 'ready', host: 'inference.example' } as const;
    const use = { type: 'runAction', action: 'useModel', model: 'hosted::local/echo' };
    for (const [state, place] of [
      ['empty', '.empty'],
      ['done', '.foot .lack'],
    ] as const) {
      const page = await browser.open(state);
      await send(page, { type: 'connectionChanged', connection: { ...ready, lack } });
      const told = page.locator(place);
      await told.getByText("Painter doesn't support this: Chat").waitFor();
      const all = page.getByText("Painter doesn't support this: Chat").filter({ visible: true });
      assert.equal(await all.count(), 1);
      // It doesn't prevent typing.
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
      await told.getByRole('button', { name: 'Use Hosted' }).click();
      assert.deepEqual((await intentions(page)).at(-1), use);
      await send(page, { type: 'connectionChanged', connection: ready });
      await told.getByText("Painter doesn't support this: Chat").waitFor({ state: 'detached' });
    }
  });

  it('shows a connection problem instead of the welcome', async () => {
    const page = await browser.open('wrongHost');
    await page.getByRole('heading', { name: 'The API key is for another host' }).waitFor();
    await page.getByText('It was given for api.example').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Explain the selected code' }).count(), 0);
    await page.getByRole('button', { name: 'Use It for This Host' }).click();
    await page.getByRole('button', { name: 'Set Another Key…' }).click();
    assert.deepEqual(await intentions(page), [
      { type: 'runAction', action: 'useKeyForThisHost' },
      { type: 'runAction', action: 'setApiKey' },
    ]);
    await send(page, { type: 'connectionChanged', connection: { state: 'ready', host: 'inference.example' } });
    await page.getByRole('button', { name: 'Explain the selected code' }).waitFor();
    assert.equal(await page.getByText('another host').count(), 0);
  });

  it('draws a long chat newest first, so its end appears at once', async () => {
    const page = await browser.open('many');
    await settled(page);
    assert.equal(await distanceFromEnd(page), 0);
    await page.getByText('Answer 59.').waitFor();
  });

  it('goes to the beginning of the message that was searched for, wherever it is', async () => {
    const page = await browser.open('done');
    const all = Array.from({ length: 400 }, (_, index) =>
      reply(`a${index}`, `Reply ${index}\n\n${paragraph.repeat(9)}`),
    );
    await send(page, { type: 'snapshot', snapshot: chat(all, { conversationId: 'c2' }) });
    await page.getByText('Reply 399').waitFor();
    for (const number of [50, 390]) {
      await send(page, { type: 'messageRevealed', id: `a${number}` });
      const top = (): Promise<number> =>
        page.evaluate((words) => {
          const log = document.querySelector('[role=log]')?.getBoundingClientRect().top ?? 0;
          const articles = [...document.querySelectorAll('article')];
          const article = articles.find(({ textContent }) => textContent.includes(words));
          return (article?.getBoundingClientRect().top ?? Infinity) - log;
        }, `Reply ${number}Some text`);
      await waitUntil(`the beginning of reply ${number}`, async () => {
        const place = await top();
        return place > -2 && place < 40;
      });
    }
    assert.equal(await page.locator('.message-box').evaluate((it) => it === document.activeElement), true);
    assert.ok((await distanceFromEnd(page)) > 100);
  });

  it('loads no code for formulas before the first one', async () => {
    const page = await browser.open('many');
    await settled(page);
    const scripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => name.endsWith('.js')),
      );
    const ofFormulas = async (urls: readonly string[]) => {
      const texts = await Promise.all(urls.map(async (url) => (await page.request.get(url)).text()));
      return texts.filter((text) => text.includes('maxExpand') || text.includes('md-formula-displayed')).length;
    };
    await send(page, { type: 'snapshot', snapshot: chat([user('p1', 'How much?'), reply('p2', 'It is $5 or $10.')]) });
    await page.getByText('It is $5 or $10.').waitFor();
    await drawn(page);
    assert.ok((await scripts()).length > 0);
    assert.equal(await ofFormulas(await scripts()), 0);
    await send(page, { type: 'snapshot', snapshot: chat([user('f1', 'And?'), reply('f2', 'It is $x^2$.')]) });
    await page.getByRole('math').waitFor();
    assert.ok((await ofFormulas(await scripts())) > 0);
  });
});
