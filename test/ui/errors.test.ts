import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { firstHalf } from '../service/faults/spoken.ts';
import type { LogEntry } from '../service/inferenceLog.ts';
import { ChatDriver } from './chatDriver.ts';
import { copiedMarkdown } from './copiedMarkdown.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const question = 'What becomes of this question?';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** Name of the button for the next step. */
  readonly next: string;
}

const refusals: readonly Refusal[] = [
  { status: 400, code: 'invalid_request', title: 'The service rejected the request', next: 'Retry' },
  { status: 401, code: 'missing_api_key', title: "The API key wasn't accepted", next: 'Set API Key…' },
  { status: 402, code: 'insufficient_quota', title: 'Out of credits', next: 'Open Credits Page' },
  { status: 403, code: 'insufficient_quota', title: 'No access to this model', next: 'Select Another Model…' },
  { status: 404, code: 'model_not_found', title: 'Model not found', next: 'Select Another Model…' },
  {
    status: 413,
    code: 'context_length_exceeded',
    title: 'Too long for this model',
    next: 'Use local/costly (1,000,000 tokens)',
  },
  { status: 429, code: 'rate_limit_exceeded', title: 'Too many requests', next: 'Retry' },
  { status: 500, code: 'internal_error', title: 'The service had an internal error', next: 'Retry' },
  { status: 502, code: 'backend_unavailable', title: "The model's provider isn't available", next: 'Retry' },
  { status: 504, code: 'backend_error', title: "The model's provider took too long", next: 'Retry' },
];

describe('Errors', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 400 },
    serviceFields: {
      keysPage: 'https://account.example/keys',
      creditsPage: 'https://account.example/credits',
      inferenceLogPage: 'https://account.example/log',
    },
  });
  let chat: ChatDriver;
  let revived: InferenceService | undefined;

  before('open the chat', async function () {
    chat = await ChatDriver.open(workbench());
  });
  beforeEach('an empty chat', async () => {
    await chat.startAnew();
  });
  after('close the service that replaced the first one', () => revived?.close());

  for (const { status, code, title, next } of refusals) {
    it(`with status ${status} name what to do next: ${next}`, async () => {
      const { page, service } = workbench();
      await chat.chooseModel(`local/error-${status}`);
      const reply = await chat.ask(question);
      assert.equal(await reply.getAttribute('data-state'), 'failed');
      assert.equal(await chat.frame.locator('.problem').count(), 1, 'there is more than one card');
      assert.equal(await chat.card.locator('.problem-title').innerText(), title);
      const buttons = chat.card.locator('.problem-actions').getByRole('button');
      await buttons
        .first()
        .and(chat.frame.getByText(next, { exact: true }))
        .waitFor();

      const id = service.asked().at(-1)?.id;
      assert.ok(id);
      assert.equal(await chat.card.locator('.problem-technical').innerText(), `${status} ${code} · ${id}`);
      await chat.card.getByRole('button', { name: 'Copy error details' }).click();
      await waitUntil('the request id on the clipboard', async () =>
        (await page.evaluate(() => navigator.clipboard.readText())).endsWith(id),
      );
      assert.equal(await chat.questions.locator('.bubble').innerText(), question);
      assert.match(await chat.card.innerText(), /Your message was kept\./);
    });
  }

  for (const [status, button, address] of [
    [402, 'Open Credits Page', 'https://account.example/credits'],
    [401, 'Open Keys Page', 'https://account.example/keys'],
    [500, 'Open Inference Log', 'https://account.example/log'],
  ] as const) {
    it(`open the page they name only after VS Code asks for confirmation: ${button}`, async () => {
      await chat.chooseModel(`local/error-${status}`);
      await chat.ask(question);
      await chat.card.getByRole('button', { name: button }).click();
      const asked = await answerDialog(workbench().page, 'open the external website', 'Cancel');
      assert.ok(asked.includes(address), asked);
    });
  }

  it('lead to the log', async () => {
    const { page } = workbench();
    await chat.chooseModel('local/error-500');
    await chat.ask(question);
    await chat.card.getByRole('button', { name: 'Show Log' }).click();
    await page.locator('.part.panel .view-line', { hasText: '500' }).first().waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close Panel');
  });

  it('disappear once another model is selected, which is asked the same question', async () => {
    const { service } = workbench();
    await chat.chooseModel('local/error-404');
    await chat.ask(question);
    await chat.card.getByRole('button', { name: 'Select Another Model…' }).click();
    await chat.pickModel('local/echo');
    await chat.button('Model: local/echo').waitFor();
    await chat.lastReply.locator('.answer', { hasText: question }).waitFor();
    await chat.ended(0);
    assert.equal(await chat.frame.locator('.problem').count(), 0);
    assert.equal(await chat.replies.count(), 1);
    assert.deepEqual(Object(service.asked().at(-1)?.requestBody).messages, [{ role: 'user', content: question }]);
  });

  it('about a key offer Retry only once a key was saved', async () => {
    const { page, service } = workbench();
    await chat.chooseModel('local/error-401');
    await chat.ask(question);
    await chat.card.getByRole('button', { name: 'Set API Key…' }).click();
    const input = new QuickInput(page);
    await input.opened('API Key for');
    await input.enter(service.apiKey);
    const first = chat.card.locator('.problem-actions').getByRole('button').first();
    await first.and(chat.frame.getByText('Retry', { exact: true })).waitFor();
    const requests = service.asked().length;
    await first.click();
    await waitUntil('another request', () => service.asked().length > requests);
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('that are temporary are retried visibly, and leave no trace if that works', async () => {
    await chat.chooseModel('local/flaky');
    const requests = workbench().service.asked().length;
    // Recorded in the page: the wait is too short to be found by looking now and then.
    const footers = await chat.frame.locator('body').evaluateHandle((body) => {
      const seen: string[] = [];
      new MutationObserver(() => {
        const footer = body.querySelector<HTMLElement>('article.reply[data-state=retrying] .footer');
        if (footer !== null) seen.push(footer.innerText);
      }).observe(body, { attributes: true, childList: true, characterData: true, subtree: true });
      return seen;
    });
    await chat.send(question);
    const reply = await chat.ended(0);
    assert.equal(await reply.getAttribute('data-state'), 'done');
    assert.match((await footers.jsonValue()).join('\n'), /isn't available\s*,?\s*attempt 2 in \d s/);
    assert.equal(await chat.frame.locator('.problem').count(), 0);
    assert.equal(workbench().service.asked().length, requests + 2);
  });

  it("with a long wait show how long it is, and aren't retried until it's over", async () => {
    await chat.chooseModel('local/fault-wait-long');
    const requests = workbench().service.asked().length;
    await chat.ask(question);
    const retry = chat.card.getByRole('button', { name: /^Retry in (59|60) min$/ });
    assert.equal(await retry.getAttribute('aria-disabled'), 'true');
    await retry.click({ force: true });
    assert.match(await chat.card.innerText(), /The service accepts the next request in 60 min/);
    assert.equal(workbench().service.asked().length, requests + 1);
  });

  it('in the middle of a reply keep its text and offer to continue', async () => {
    await chat.chooseModel('local/fault-error-later');
    const reply = await chat.ask(question);
    assert.equal(await chat.card.locator('.problem-title').innerText(), 'The reply was cut off');
    await reply.locator('.answer', { hasText: firstHalf }).waitFor();
    assert.match(await chat.card.innerText(), /local\/fault-error-later broke off.+The text so far was kept\./s);
    await chat.card.getByRole('button', { name: 'Continue' }).click();
    await chat.ended(1);
    assert.deepEqual(
      (Object(workbench().service.asked().at(-1)?.requestBody).messages as { role: string }[]).map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('of the connection in the middle of a reply keep its text', async () => {
    await chat.chooseModel('local/fault-reset');
    const reply = await chat.ask(question);
    assert.equal(await chat.card.locator('.problem-title').innerText(), 'The connection was lost');
    await reply.locator('.answer', { hasText: firstHalf }).waitFor();
    assert.equal(await copiedMarkdown(workbench(), chat, 0), firstHalf);
    await chat.card.getByRole('button', { name: 'Continue' }).waitFor();
  });

  it("hide a proxy's page and show only its message", async () => {
    await chat.chooseModel('local/fault-html-200');
    await chat.ask(question);
    await chat.card.waitFor();
    assert.equal(await chat.frame.locator('form, input[type=password], iframe').count(), 0);
    assert.equal(await chat.card.locator('.problem-title').innerText(), 'Unexpected response');
  });

  it("aren't shown for a reply that ends without a finish reason: it's kept and marked", async () => {
    await chat.chooseModel('local/fault-unfinished');
    const reply = await chat.ask(question);
    assert.equal(await reply.getAttribute('data-state'), 'incomplete');
    assert.match(await reply.locator('.footer').innerText(), /might be incomplete/);
    assert.equal(await chat.frame.locator('.problem').count(), 0);
  });

  it("aren't shown while a service is merely slow: the page shows that it waits, and Stop ends it there", async () => {
    await chat.chooseModel('local/fault-hang');
    await chat.send(question);
    await chat.lastReply.getByText('Waiting for the first token').waitFor();
    const isThere = ({ model }: LogEntry) => model === 'local/fault-hang';
    // The page waits from the start, also while the request hasn't been sent.
    await workbench().service.waitForEntry(isThere);
    await chat.button('Stop').first().click();
    const reply = await chat.ended(0);
    assert.equal(await reply.getAttribute('data-state'), 'stopped');
    await workbench().service.waitForEntry((entry) => isThere(entry) && entry.outcome === 'canceled');
  });

  it("aren't shown while a stream is silent: the page shows for how long, and Stop keeps the text", async () => {
    await chat.chooseModel('local/fault-silence');
    await chat.send(question);
    await chat.lastReply.getByText(/no data for (?:[1-9]\d s|\d+ min)/).waitFor({ timeout: 60_000 });
    await chat.box.press('Escape');
    const reply = await chat.ended(0);
    assert.equal(await reply.getAttribute('data-state'), 'stopped');
    await reply.locator('.answer', { hasText: firstHalf }).waitFor();
  });

  it('without a network name the cause, keep the question, and end with Retry once the service is back', async () => {
    const { service } = workbench();
    await service.close();
    await chat.ask(question);
    const { host, port } = new URL(service.baseUrl);
    assert.equal(await chat.card.locator('.problem-title').innerText(), `${host} refused the connection`);
    assert.match(await chat.card.innerText(), /Your message was kept\. Nothing was sent\./);
    await chat.card.getByRole('button', { name: 'Set Base URL…' }).waitFor();

    revived = await startInferenceService({ port: Number(port) });
    await chat.card.getByRole('button', { name: 'Retry' }).click();
    await revived.waitForEntry(({ outcome }) => outcome === 'done', 60_000);
    // Not `ended`: the reply that has failed is still there for a moment.
    await chat.replies.and(chat.frame.locator('[data-state=done]')).waitFor({ timeout: 60_000 });
    assert.equal(await chat.replies.count(), 1);
    assert.equal(await chat.frame.locator('.problem').count(), 0);
  });
});
