import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { ChatBrowser, forgetPosted, intentions, nextOf, postedOf, send } from './chatBrowser.ts';
import { chat } from './pageStates.ts';

const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

const parameters = (page: Page): Locator => page.getByRole('button', { name: /^Parameters/ });

describe('the parameters', function () {
  const browser = new ChatBrowser();

  it("are posted whole when one is set, and left out when it's emptied", async () => {
    const page = await browser.open('empty');
    await parameters(page).click();
    await page.getByLabel('Temperature').fill('0,2');
    const model = 'meta/llama-4-scout';
    assert.deepEqual(await nextOf(page, 'optionsChanged'), {
      type: 'optionsChanged',
      conversationId: 'c1',
      options: { model, temperature: 0.2 },
    });
    await forgetPosted(page);
    await page.getByLabel('Temperature').fill('');
    assert.deepEqual(await nextOf(page, 'optionsChanged'), {
      type: 'optionsChanged',
      conversationId: 'c1',
      options: { model },
    });
  });

  it("show the settings' defaults if nothing is set", async () => {
    const page = await browser.open('empty');
    await parameters(page).click();
    assert.equal(await page.getByLabel('Temperature').getAttribute('placeholder'), '0.7');
    assert.equal(await page.getByLabel('Max tokens').getAttribute('placeholder'), 'Not sent');
    assert.equal(await page.getByLabel('Stream').inputValue(), 'default');
  });

  it("show errors beside the field, and post and send nothing until they're fixed", async () => {
    const page = await browser.open('empty');
    await box(page).fill('Hello');
    await parameters(page).click();
    await page.getByLabel('Max tokens').fill('many');
    await page.getByText('A whole number, 1 or more').waitFor();
    assert.equal(await page.getByLabel('Max tokens').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Temperature').fill('1');
    await page.getByLabel('Temperature').blur();
    await box(page).press('Enter');
    assert.deepEqual(await intentions(page), []);
    assert.equal(await page.getByLabel('Max tokens').evaluate((field) => field === document.activeElement), true);
  });

  it('are posted before the message that uses them', async () => {
    const page = await browser.open('empty');
    await box(page).fill('Hello');
    await parameters(page).click();
    await page.getByLabel('Top P').fill('0.5');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.deepEqual(
      (await intentions(page)).map(({ type }) => type),
      ['optionsChanged', 'ask'],
    );
  });

  it("close with Escape, give the focus back, and don't stop the reply", async () => {
    const page = await browser.open('streaming');
    await parameters(page).click();
    await page.getByLabel('System prompt').press('Escape');
    assert.equal(await page.getByLabel('System prompt').isVisible(), false);
    assert.equal(await parameters(page).evaluate((button) => button === document.activeElement), true);
    assert.deepEqual(await intentions(page), []);
  });

  it("don't lose half-typed text to an echo of the host", async () => {
    const page = await browser.open('empty');
    await parameters(page).click();
    await page.getByLabel('System prompt').pressSequentially('Be bri');
    await send(page, { type: 'optionsChanged', options: {}, defaults: {} });
    assert.equal(await page.getByLabel('System prompt').inputValue(), 'Be bri');
  });

  it('keep their values if the host has only caught up with an earlier one', async () => {
    const page = await browser.open('empty');
    const model = 'meta/llama-4-scout';
    const echo = (options: object) =>
      send(page, { type: 'optionsChanged', options: { model, ...options }, defaults: {} });
    await parameters(page).click();
    await page.getByLabel('Temperature').fill('1');
    await page.getByLabel('Temperature').blur();
    await page.getByLabel('Max tokens').fill('500');
    await page.getByLabel('Max tokens').blur();
    await echo({ temperature: 1 });
    assert.equal(await page.getByLabel('Max tokens').inputValue(), '500');
    await echo({ temperature: 1, maxTokens: 500 });
    // From now on, changes come from elsewhere.
    await echo({ temperature: 1 });
    assert.equal(await page.getByLabel('Max tokens').inputValue(), '');
  });

  it('belong to their own conversation when another one is shown, whose values fill every field', async () => {
    const page = await browser.open('empty', { ownClock: true });
    await parameters(page).click();
    await page.getByLabel('Max tokens').fill('many');
    await page.getByLabel('System prompt').fill('Be brief');
    const options = { model: 'other/model', systemPrompt: 'Be long', temperature: 0.1 };
    await send(page, { type: 'snapshot', snapshot: chat([], { conversationId: 'c2', options }) });
    await page.clock.runFor(1000);
    assert.deepEqual(await postedOf(page, 'optionsChanged'), [
      {
        type: 'optionsChanged',
        conversationId: 'c1',
        options: { model: 'meta/llama-4-scout', systemPrompt: 'Be brief' },
      },
    ]);
    const prompt = page.getByLabel('System prompt');
    assert.equal(await prompt.evaluate((field) => field === document.activeElement), true);
    assert.equal(await prompt.inputValue(), 'Be long');
    assert.equal(await page.getByLabel('Max tokens').inputValue(), '');
    assert.equal(await page.getByLabel('Temperature').inputValue(), '0.1');
    await page.getByLabel('Temperature').fill('0.2');
    await page.clock.runFor(1000);
    assert.deepEqual((await postedOf(page, 'optionsChanged')).at(-1), {
      type: 'optionsChanged',
      conversationId: 'c2',
      options: { ...options, temperature: 0.2 },
    });
  });

  it("are sent when the page might disappear, as far as they're valid", async () => {
    const page = await browser.open('empty', { ownClock: true });
    await parameters(page).click();
    await page.getByLabel('Max tokens').fill('many');
    await page.getByLabel('System prompt').fill('Be brief');
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
    assert.deepEqual(await postedOf(page, 'optionsChanged'), [
      {
        type: 'optionsChanged',
        conversationId: 'c1',
        options: { model: 'meta/llama-4-scout', systemPrompt: 'Be brief' },
      },
    ]);
    assert.equal(await page.getByLabel('Max tokens').inputValue(), 'many');
  });

  it('are counted in the name of their button and reset to the settings', async () => {
    const page = await browser.open('longModel');
    await page.getByRole('button', { name: 'Parameters (2 set)' }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    const posted = await nextOf(page, 'optionsChanged');
    assert.deepEqual(posted?.type === 'optionsChanged' && Object.keys(posted.options), ['model']);
    assert.equal(await page.getByLabel('Temperature').inputValue(), '');
  });

  it('open when the host asks for it', async () => {
    const page = await browser.open('empty');
    await send(page, { type: 'parametersOpened' });
    assert.equal(await page.getByLabel('System prompt').evaluate((field) => field === document.activeElement), true);
  });
});
