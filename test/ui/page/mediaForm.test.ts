import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessFaults } from '../accessFaults.ts';
import { MediaBrowser, tell, told } from './mediaBrowser.ts';
import { longModelText, madeFilm, madeImage } from './mediaStates.ts';

describe('The form of a video or an image', () => {
  const browser = new MediaBrowser();
  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

  it('is filled in and sent with only the keyboard, and sends what was set and nothing else', async () => {
    const page = await browser.open('videoForm');
    await tell(page, { type: 'formFocused' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await page.keyboard.type('A paper boat');
    await page.keyboard.press('Enter');
    await page.keyboard.type('at dawn');
    await page.keyboard.press('Tab');
    // Enter in a field sends nothing.
    await page.keyboard.press('Enter');
    assert.deepEqual(await told(page, 'run'), []);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('5');
    await page.keyboard.press('Control+Enter');
    const parameters = {
      kind: 'video',
      model: 'maker/film-large',
      prompt: 'A paper boat\nat dawn',
      duration: 5,
    } as const;
    assert.deepEqual(await told(page, 'run'), [{ type: 'run', parameters }]);
    // A second press has no effect until the host has answered.
    await page.keyboard.press('Control+Enter');
    assert.equal((await told(page, 'run')).length, 1);
    await tell(page, { type: 'runAccepted', id: 'a' });
    await page.keyboard.press('Control+Enter');
    assert.equal((await told(page, 'run')).length, 2);
  });

  it('takes the focus when the user opens it, and not whenever its page loads', async () => {
    const page = await browser.open('videoForm');
    await field(page, 'Prompt').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    assert.equal(await focused(), 'BODY');
    await tell(page, { type: 'formFocused' });
    assert.equal(await focused(), 'TEXTAREA');
  });

  it('is busy from the press until the run is shown, then brings its card into view and announces it', async () => {
    const page = await browser.open('imageForm');
    await page.setViewportSize({ width: 420, height: 560 });
    await field(page, 'Prompt').fill('A lighthouse');
    await page.getByRole('button', { name: 'Generate Image' }).click();
    const busy = page.getByRole('button', { name: 'Starting…', disabled: true });
    await busy.and(page.locator('[aria-busy=true]')).waitFor();
    await page.keyboard.press('Enter');
    assert.equal((await told(page, 'run')).length, 1);

    const item = madeImage('new', {
      state: 'running',
      prompt: 'A lighthouse',
      outputs: [],
      startedAt: Date.now(),
    });
    await tell(page, { type: 'itemChanged', item });
    const card = page.locator('[data-id=new]');
    const isInView = () =>
      card.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    assert.equal(await isInView(), false);
    await tell(page, { type: 'runAccepted', id: 'new' });
    assert.equal(await isInView(), true);
    await page.getByRole('status').getByText('Generating: A lighthouse').waitFor({ state: 'attached' });
    const run = page.getByRole('button', { name: 'Generate Image', disabled: false });
    await run.and(page.locator('[aria-busy=false]:focus')).waitFor();
    // Another one, deliberately.
    await page.keyboard.press('Enter');
    assert.equal((await told(page, 'run')).length, 2);
  });

  it('treats a double click or a held key as one request, however fast the host is', async () => {
    const page = await browser.open('imageForm');
    await page.evaluate(() =>
      new MutationObserver(() => {
        if (document.querySelector('[aria-busy=true]') !== null) {
          window.mediaHost.send({ type: 'runAccepted', id: 'a' });
        }
      }).observe(document.body, { subtree: true, attributeFilter: ['aria-busy'] }),
    );
    await field(page, 'Prompt').fill('A lighthouse');
    const run = page.getByRole('button', { name: 'Generate Image' });
    await run.dblclick();
    assert.equal((await told(page, 'run')).length, 1);
    for (const keys of [['Enter'], ['Control', 'Enter']]) {
      const before = (await told(page, 'run')).length;
      for (const key of keys) await page.keyboard.down(key);
      await page.keyboard.down('Enter');
      await page.keyboard.down('Enter');
      for (const key of keys) await page.keyboard.up(key);
      assert.equal((await told(page, 'run')).length, before + 1, keys.join('+'));
    }
  });

  it('shows what overrides what beside the field, and what its model costs', async () => {
    const page = await browser.open('filledForm');
    const noteOf = async (name: string) => {
      const ids = (await field(page, name).getAttribute('aria-describedby')) ?? '';
      return page.locator(`#${ids.split(' ')[0]}`).textContent();
    };
    assert.equal(await noteOf('Duration in seconds'), 'Set by the audio file');
    assert.equal(await noteOf('Aspect ratio'), 'Set by the image');
    assert.equal(await noteOf('Model'), 'List price: 0.05 per request, 0.01 per second');
    await page.getByText(/^\d(?:\.\d)? MB in the request$/).waitFor();
    await field(page, 'Image to start from').fill('');
    await page.getByRole('button', { name: /^Remove a-rather/ }).click();
    assert.equal(await noteOf('Duration in seconds'), '');
    assert.equal(await noteOf('Aspect ratio'), '');
    assert.equal(await noteOf('Keep audio'), 'Requires audio');
    await field(page, 'Model').fill('maker/other');
    assert.equal(await noteOf('Model'), '');
    await tell(page, { type: 'modelKnown', defaults: {}, text: 'maker/other', prices: '0.5 per second' });
    assert.equal(await noteOf('Model'), 'List price: 0.5 per second');
  });

  describe('while its button is pressed', () => {
    let page: Page;
    const note = () => page.locator('#parlance-media-model-note').textContent();

    beforeEach(async () => {
      page = await browser.open('imageForm');
      await field(page, 'Prompt').fill('A house');
      await field(page, 'Model').fill('maker/other');
      assert.equal(await note(), '');
      await page.getByRole('button', { name: 'Generate Image' }).hover();
    });
    const tellPrices = () =>
      tell(page, { type: 'modelKnown', defaults: {}, text: 'maker/other', prices: '0.5 per image' });

    it('runs even if the price arrives, which moves the button away from the pointer', async () => {
      // On a busy machine, the press would take longer than a click does, which the next test is about.
      await page.evaluate((longestMs) => {
        const inTime = window.setTimeout.bind(window);
        const patient = (work: () => void, ms?: number) => (ms === longestMs ? 0 : inTime(work, ms));
        Object.assign(window, { setTimeout: patient });
      }, 1000);
      await page.mouse.down();
      await tellPrices();
      await page.mouse.up();
      await page.getByRole('button', { name: 'Starting…' }).waitFor();
      assert.equal((await told(page, 'run')).length, 1);
      await page.getByText('List price: 0.5 per image').waitFor();
    });

    it('shows all that arrived, in order, once a press is over or takes longer than a click', async () => {
      await page.mouse.down();
      await tell(page, { type: 'modelChosen', text: 'maker/third' });
      await tell(page, { type: 'modelKnown', defaults: {}, text: 'maker/third', prices: '0.7 per image' });
      await page.getByText('List price: 0.7 per image').waitFor();
      await tell(page, { type: 'modelChosen', text: 'maker/fourth' });
      await page.mouse.up();
      assert.equal(await field(page, 'Model').inputValue(), 'maker/fourth');
      assert.deepEqual(await told(page, 'ready'), [{ type: 'ready' }]);
    });

    it('shows at once what arrives while text is selected', async () => {
      await page.getByRole('heading', { name: 'Generate Image' }).hover();
      await page.mouse.down();
      await tellPrices();
      assert.equal(await note(), 'List price: 0.5 per image');
      await page.mouse.up();
    });
  });

  it('says what is wrong with a field in a color that can be read on a light background', async () => {
    const page = await browser.open('imageForm', undefined, 'light');
    await field(page, 'Prompt').fill('A house');
    await field(page, 'Size').fill('large');
    await page.getByRole('button', { name: 'Generate Image' }).click();
    await page.locator('.complaint:not(:empty)').waitFor();
    assert.deepEqual(await accessFaults(page, 'colors'), []);
  });

  it('has a thicker border of another color at an invalid field in high contrast', async () => {
    const page = await browser.open('imageForm', undefined, 'hc');
    await field(page, 'Prompt').fill('A house');
    await field(page, 'Size').fill('large');
    await page.getByRole('button', { name: 'Generate Image' }).click();
    const borderOf = (name: string) => field(page, name).evaluate((box) => getComputedStyle(box).borderBottom);
    assert.equal(await borderOf('Size'), '2px solid rgb(244, 135, 113)');
    assert.equal(await borderOf('Guidance (cfg)'), '1px solid rgb(111, 195, 223)');
  });

  it('focuses the first invalid field, and announces that', async () => {
    const page = await browser.open('imageForm');
    await field(page, 'Size').fill('large');
    await field(page, 'Guidance (cfg)').fill('much');
    await page.getByRole('button', { name: 'Generate Image' }).click();
    assert.deepEqual(await told(page, 'run'), []);
    const wrong = page.locator('[aria-invalid=true]');
    assert.deepEqual(await wrong.evaluateAll((all) => all.map(({ id }) => id)), [
      'parlance-media-prompt',
      'parlance-media-size',
      'parlance-media-cfg',
    ]);
    await page.waitForFunction(() => document.activeElement?.id === 'parlance-media-prompt');
    const described = (await wrong.first().getAttribute('aria-describedby'))?.split(' ').at(-1) ?? '';
    assert.equal(await page.locator(`#${described}`).textContent(), 'Describe what to generate');
    await field(page, 'Prompt').fill('A house');
    assert.equal(await wrong.count(), 2);
  });

  it('keeps everything typed when nothing could be sent, and says why', async () => {
    const page = await browser.open('videoForm');
    await field(page, 'Prompt').fill('A kite');
    await page.getByRole('button', { name: 'Generate Video' }).click();
    const problem = {
      severity: 'error',
      title: 'Nothing was sent',
      detail: 'Free up disk space, then try again.',
      actions: [{ kind: 'showLog', label: 'Show Log' }],
      technical: 'ENOSPC',
    } as const;
    await tell(page, { type: 'runRefused', problem });
    await page.getByRole('alert').getByText('Nothing was sent').waitFor();
    assert.equal(await field(page, 'Prompt').inputValue(), 'A kite');
    await page.getByRole('button', { name: 'Show Log' }).click();
    assert.deepEqual(await told(page, 'runAction'), [{ type: 'runAction', action: 'showLog' }]);
    await page.getByRole('button', { name: 'Generate Video' }).click();
    assert.equal((await told(page, 'run')).length, 2);
    assert.equal(await page.getByRole('alert').textContent(), '');
  });

  it('uses and deletes presets, and shows where the image will be inserted until that is canceled', async () => {
    const page = await browser.open('filledForm');
    await field(page, 'Presets').selectOption('Wide');
    assert.deepEqual(await told(page, 'usePreset'), [{ type: 'usePreset', name: 'Wide' }]);
    await page.getByRole('button', { name: 'Delete this preset' }).click();
    assert.deepEqual(await told(page, 'deletePreset'), [{ type: 'deletePreset', name: 'Wide' }]);
    // Another window saved one while a prompt is being typed here.
    await field(page, 'Prompt').fill('Half a sent');
    await tell(page, { type: 'presetsChanged', names: ['Theirs', 'Wide'] });
    await page.locator('.presets option', { hasText: 'Theirs' }).waitFor({ state: 'attached' });
    assert.equal(await field(page, 'Prompt').inputValue(), 'Half a sent');
    const image = await browser.open('imageForm');
    await image.getByText('The image will be inserted into docs/page.md.').waitFor();
    await image.getByRole('button', { name: "Don't insert" }).click();
    assert.equal((await told(image, 'endInsert')).length, 1);
    await field(image, 'Prompt').pressSequentially('Half a sent');
    await image.getByRole('button', { name: "Don't insert" }).focus();
    await tell(image, { type: 'placeChanged' });
    await image.getByText('The image will be inserted into docs/page.md.').waitFor({ state: 'hidden' });
    assert.equal(await field(image, 'Prompt').inputValue(), 'Half a sent');
    assert.equal(await image.evaluate(() => document.activeElement?.id), 'parlance-media-prompt');
    await tell(image, { type: 'placeChanged', insertInto: 'docs/other.md' });
    await image.getByText('The image will be inserted into docs/other.md.').waitFor();
  });

  it('gives back what was typed when other values replace it', async () => {
    const page = await browser.open('imageForm');
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    const show = (prompt: string, size?: string) =>
      tell(page, {
        type: 'formSet',
        form: {
          kind: 'image',
          values: { texts: { model: 'maker/image', prompt, ...(size !== undefined && { size }) }, inputs: {} },
          presets: [],
          replaced: { texts: { prompt: 'Half' }, inputs: {} },
          insertInto: 'docs/page.md',
        },
      });
    await field(page, 'Prompt').fill('Half a sentence that was typed');
    await field(page, 'Size').fill('64x48');
    await show('An earlier prompt');
    assert.equal(await field(page, 'Prompt').inputValue(), 'An earlier prompt');
    await undo.press('Enter');
    assert.equal(await field(page, 'Prompt').inputValue(), 'Half a sentence that was typed');
    assert.equal(await field(page, 'Size').inputValue(), '64x48');
    const { values } = (await told(page, 'formChanged')).at(-1) ?? assert.fail();
    assert.deepEqual(values.texts.prompt, 'Half a sentence that was typed');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'parlance-media-prompt');
    assert.equal(await undo.count(), 0);

    // Nothing is lost: all of it is in the new values.
    await show('Half a sentence that was typed', '64x48');
    assert.equal(await undo.count(), 0);

    await show('An earlier prompt');
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).press('Enter');
    assert.equal(await undo.count(), 0);
    assert.equal(await field(page, 'Prompt').inputValue(), 'An earlier prompt');
    await page.getByText('The image will be inserted into docs/page.md.').waitFor();

    await show('One more prompt');
    await field(page, 'Prompt').fill('Typed since');
    await undo.press('Enter');
    assert.equal(await field(page, 'Prompt').inputValue(), 'An earlier prompt');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'parlance-media-prompt');
    await undo.press('Enter');
    assert.equal(await field(page, 'Prompt').inputValue(), 'Typed since');
  });

  it('moves the focus from the Browse button to the chosen file that replaces it', async () => {
    const page = await browser.open('videoForm');
    await page.getByRole('button', { name: 'Image to start from: browse…' }).focus();
    const input = { kind: 'file', id: 'f', name: 'start.png', mediaType: 'image/png', sizeBytes: 9 } as const;
    await tell(page, { type: 'inputChosen', field: 'image', input });
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Remove start.png');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'parlance-input-image');
  });

  it('gives back what was in a form that is opened with other values', async () => {
    const page = await browser.open('replacedForm');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    assert.equal(await field(page, 'Prompt').inputValue(), 'What was there before');
  });

  it("shows the end of a model's name with its service, if there's no room for both", async () => {
    const page = await browser.open('services');
    const model = field(page, 'Model');
    const hidden = () => model.evaluate((each) => each.scrollWidth - each.clientWidth - each.scrollLeft);
    assert.ok(
      (await model.evaluate((each) => each.scrollWidth - each.clientWidth)) > 10,
      'there is room for all of it',
    );
    assert.ok((await hidden()) <= 1, 'the end is out of view at first');
    await model.evaluate((each) => {
      each.focus();
      each.scrollLeft = 0;
    });
    assert.ok((await hidden()) > 1);
    await model.press('Tab');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.ok((await hidden()) <= 1, 'the end is out of view after the focus has left');
  });

  it("says below the model that its service doesn't support this, in place of a price", async () => {
    const page = await browser.open('services');
    const model = longModelText;
    assert.equal(await field(page, 'Model').inputValue(), model);
    const lack = "Home server doesn't support this: Video generation";
    await tell(page, { type: 'modelKnown', text: model, lack, prices: '0.5 per second', defaults: {} });
    await page.getByText(lack).waitFor();
    assert.equal(await page.getByText('List price').count(), 0);
    await tell(page, { type: 'modelKnown', text: model, prices: '0.5 per second', defaults: {} });
    await page.getByText('List price: 0.5 per second').waitFor();
    assert.equal(await page.getByText(lack).count(), 0);
    await field(page, 'Prompt').fill('A boat');
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(await told(page, 'run'), [
      { type: 'run', parameters: { kind: 'video', model, prompt: 'A boat' } },
    ]);
  });

  it("marks, shows, and focuses the field that the service rejected, until it's changed", async () => {
    const page = await browser.open('videoForm');
    await page.setViewportSize({ width: 300, height: 500 });
    const rejected = { field: 'duration', value: '99', words: 'duration must be at most 60.' } as const;
    const values = { texts: { model: 'maker/film-large', prompt: 'A boat', duration: '99' }, inputs: {} };
    await tell(page, { type: 'formSet', form: { kind: 'video', values, presets: [], rejected } });
    const duration = field(page, 'Duration in seconds');
    await page.getByText('duration must be at most 60.').waitFor();
    assert.equal(await duration.getAttribute('aria-invalid'), 'true');
    assert.equal(await duration.evaluate((box) => box === document.activeElement), true);
    const box = await duration.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 500, JSON.stringify(box));
    await page.keyboard.type('9');
    assert.equal(await duration.inputValue(), '9');
    await page.getByText('duration must be at most 60.').waitFor({ state: 'hidden' });
  });

  it("is marked if a run fails because of a field that wasn't changed since, and doesn't move the focus while someone types", async () => {
    const page = await browser.open('videoForm');
    const values = { texts: { model: 'maker/film-large', prompt: 'A boat', duration: '99' }, inputs: {} };
    await tell(page, { type: 'formSet', form: { kind: 'video', values, presets: [] } });
    const running = madeFilm('r', { state: 'running', outputs: [] });
    const rejected = { field: 'duration', value: '99', words: 'duration must be at most 60.' } as const;
    const failed = madeFilm('r', { state: 'failed', outputs: [], rejected });
    const duration = field(page, 'Duration in seconds');
    await field(page, 'Prompt').focus();
    await tell(page, { type: 'itemChanged', item: running });
    await tell(page, { type: 'itemChanged', item: failed });
    assert.equal(await duration.getAttribute('aria-invalid'), 'true');
    assert.equal(await field(page, 'Prompt').evaluate((box) => box === document.activeElement), true);
    await page.getByRole('button', { name: 'Generate Video' }).focus();
    await tell(page, { type: 'itemChanged', item: running });
    await tell(page, { type: 'itemChanged', item: failed });
    assert.equal(await duration.evaluate((box) => box === document.activeElement), true);
    await page.getByRole('button', { name: 'Generate Video' }).focus();
    await page.evaluate(() => (document.hasFocus = () => false));
    await tell(page, { type: 'itemChanged', item: running });
    await tell(page, { type: 'itemChanged', item: failed });
    assert.equal(await duration.evaluate((box) => box === document.activeElement), false, 'the user is in an editor');
    await duration.fill('8');
    await tell(page, { type: 'itemChanged', item: running });
    await tell(page, { type: 'itemChanged', item: failed });
    assert.equal(await duration.getAttribute('aria-invalid'), null);
  });

  it('gets its only model later, unless one was typed, and the focus stays where it is', async () => {
    const page = await browser.open('videoForm');
    const model = field(page, 'Model');
    const kept = await model.inputValue();
    assert.notEqual(kept, '');
    await tell(page, { type: 'modelChosen', text: 'maker/only', isOnlyOne: true });
    assert.equal(await model.inputValue(), kept);
    await model.fill('');
    await field(page, 'Prompt').focus();
    await tell(page, { type: 'modelChosen', text: 'maker/only', isOnlyOne: true });
    assert.equal(await model.inputValue(), 'maker/only');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  });

  it('shows in empty fields what the model does by default, as far as that is known', async () => {
    const page = await browser.open('videoForm');
    const placeholder = (name: string) => field(page, name).getAttribute('placeholder');
    assert.equal(await placeholder('Duration in seconds'), 'Service default');
    const model = await field(page, 'Model').inputValue();
    await tell(page, { type: 'modelKnown', text: model, defaults: { duration: '5 s', resolution: '720p' } });
    assert.equal(await placeholder('Duration in seconds'), '5 s by default');
    assert.equal(await placeholder('Resolution'), '720p by default');
    assert.equal(await placeholder('Aspect ratio'), 'Service default');
    await tell(page, { type: 'modelKnown', text: 'another/model', defaults: { duration: '9 s' } });
    assert.equal(await placeholder('Duration in seconds'), '5 s by default');
  });
});
