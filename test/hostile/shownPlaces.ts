import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { ChatDriver } from '../ui/chatDriver.ts';
import { CompareDriver } from '../ui/compareDriver.ts';
import { MediaDriver } from '../ui/mediaDriver.ts';
import { ModelsDriver } from '../ui/modelsDriver.ts';
import { QuickInput } from '../ui/quickInput.ts';
import { RequestsDriver } from '../ui/requestsDriver.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import type { WorkbenchPage } from '../ui/workbenchPage.ts';
import { checksPaths, hostileNames } from './hostileFolder.ts';
import { answeringModel, hostileModels, paintingModel, refusingModel } from './hostileService.ts';
import { hostileWords } from './hostileWords.ts';

/** Shows hostile text in one place of the workbench, and waits until it is there. */
type Show = (workbench: WorkbenchPage) => Promise<void>;

async function shown(words: Locator): Promise<void> {
  await words.first().waitFor({ timeout: 60_000 });
}

/** The tooltip of an item, with hostile text in it. */
async function tipOf(workbench: WorkbenchPage, target: Locator): Promise<void> {
  const tip = workbench.page.locator('.monaco-hover, .workbench-hover').filter({ hasText: 'press' });
  await waitUntil(
    'the tip',
    async () => {
      await workbench.page.mouse.move(640, 400);
      await target.first().hover();
      return shown(tip).then(
        () => true,
        () => false,
      );
    },
    60_000,
  );
  await workbench.page.mouse.move(640, 400);
}

/** From the service: its models, replies, and errors. */
export const placesOfService: Readonly<Record<string, Show>> = {
  'the list to pick a model from, and the status bar': async (workbench) => {
    const list = new QuickInput(workbench.page);
    for (const model of [hostileModels[2], hostileModels[0]]) {
      await workbench.driver.run('parlance.selectModel');
      await list.opened(/Model/);
      await waitUntil('the models', async () => (await list.row(/press/).count()) > 5);
      await list.box.fill(model?.split('/')[0] ?? '');
      await list.choose(/press/);
      await list.closed();
    }
    await shown(workbench.page.locator('.statusbar-item', { hasText: 'press' }));
  },
  'the tip of the status bar': async (workbench) => {
    await tipOf(workbench, workbench.page.locator('.statusbar-item', { hasText: 'press' }).locator('a'));
    await workbench.changeSettings({ 'parlance.chat.model': answeringModel });
  },
  'the tree of models, and its tips': async (workbench) => {
    const models = await ModelsDriver.open(workbench);
    await workbench.driver.runToEnd('parlance.ungroupModels');
    await waitUntil('the rows', async () => (await models.row(/press/).count()) > 5);
    await tipOf(workbench, models.row(/^m1\b/));
    await workbench.resizeTo(1280);
  },
  'the page of a model': async (workbench) => {
    for (const model of [hostileModels[2], hostileModels[9]]) {
      await workbench.driver.run('parlance.showModel', model);
      await waitUntil('the page', async () => {
        const texts = workbench.page.frames().map((frame) =>
          frame
            .locator('body')
            .innerText()
            .catch(() => ''),
        );
        return (await Promise.all(texts)).some((text) => text.includes('press') && text.includes('4,096'));
      });
    }
    await workbench.runCommand('View: Close All Editors');
  },
  'a reply, with its end and the model that it names': async (workbench) => {
    await workbench.changeSettings({ 'parlance.chat.model': hostileModels[2] });
    const chat = await ChatDriver.open(workbench);
    await chat.startAnew();
    const reply = await chat.ask(hostileWords['link'] ?? '');
    assert.match(await reply.innerText(), /press/);
    assert.match(await reply.locator('.footer').innerText(), /press/);
    await workbench.changeSettings({ 'parlance.chat.model': answeringModel });
  },
  'the reason why a reply failed': async (workbench) => {
    const chat = await ChatDriver.open(workbench);
    await chat.startAnew();
    await chat.chooseModel(refusingModel);
    await chat.ask(`Why? ${hostileWords['icon']}`);
    await shown(chat.card.filter({ hasText: 'press' }));
  },
  'the list of conversations, the tab of one, and the bar that says it was deleted': async (workbench) => {
    const list = new QuickInput(workbench.page);
    await workbench.runCommand('Parlance: Show Conversations');
    const row = /^(\[?press|Why)/;
    await list.row(row).first().waitFor({ timeout: 60_000 });
    await list.pressRowButton(row, 'Open in Editor');
    await shown(workbench.page.locator('.tab', { hasText: 'press' }));
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Parlance: Show Conversations');
    await list.row(row).first().waitFor({ timeout: 60_000 });
    await list.pressRowButton(row, 'Delete');
    await list.box.press('Escape');
    const chat = await ChatDriver.open(workbench);
    await shown(chat.frame.locator('.undo-bar', { hasText: /Deleted.*press/ }));
  },
  'the notification of a test of the connection': async (workbench) => {
    await workbench.changeSettings({ 'parlance.chat.model': refusingModel });
    await workbench.driver.run('parlance.testConnection');
    await workbench.told(/press/).shown();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.changeSettings({ 'parlance.chat.model': answeringModel });
  },
  'the list of requests, its tips, and a request': async (workbench) => {
    const requests = await RequestsDriver.open(workbench);
    await tipOf(workbench, requests.row(/press/));
    await requests.choose(requests.row(/plain\/refusing/).first(), 'Open Request as JSON');
    await shown(workbench.page.locator('.view-line'));
    await workbench.runCommand('View: Close All Editors');
  },
  'a picture, the notification that it is made, and why one failed': async (workbench) => {
    const form = await MediaDriver.openForm(workbench, 'Parlance: Generate Image…');
    await form.generate({ Model: refusingModel, Prompt: hostileWords['link'] ?? '', Size: '64x48' }, 'Generate Image');
    await shown(form.cards.locator('.problem', { hasText: 'press' }));
    await form.generate({ Model: paintingModel, Prompt: hostileWords['link'] ?? '' }, 'Generate Image');
    const gallery = await MediaDriver.openGallery(workbench);
    await shown(gallery.cards.filter({ hasText: 'press' }));
    await gallery.card('done').waitFor({ timeout: 60_000 });
    await workbench.runCommand('View: Close All Editors');
  },
  'the page about a request, and the usage': async (workbench) => {
    const requests = await RequestsDriver.open(workbench);
    await requests.openPage(requests.row(/plain\/refusing.*failed/).first(), 'press');
    await workbench.page.keyboard.press('Enter');
    await workbench.runCommand('Parlance: Show Usage');
    await shown((await requests.usagePage()).getByText(/press/));
    await workbench.runCommand('View: Close All Editors');
  },
  'a comparison, its tab, its ranking, and the list of comparisons': async (workbench) => {
    await workbench.driver.run('parlance.compareModels', { models: [hostileModels[2], hostileModels[0]] });
    const compare = await CompareDriver.inView(workbench);
    await compare.send(hostileWords['link'] ?? '');
    await waitUntil('both replies', async () => (await compare.frame.locator('.answer').count()) === 2);
    await shown(compare.row('press'));
    await shown(workbench.page.locator('.tab', { hasText: 'press' }));
    await compare.button('Ranking').click();
    await compare.button('More Actions…').click();
    await compare.frame.getByRole('menuitem', { name: 'Open Comparison…' }).click();
    const list = new QuickInput(workbench.page);
    await list.opened('Open Comparison');
    await shown(list.row(/press/));
    await list.box.press('Escape');
    await list.closed();
    await workbench.runCommand('View: Close All Editors');
  },
  'a measurement, with the errors of its requests': async (workbench) => {
    await workbench.runCommand('Parlance: Measure Models…');
    const measure = await MediaDriver.inView(workbench, 'main.measure');
    const list = new QuickInput(workbench.page);
    for (const model of [hostileModels[2] ?? '', refusingModel]) {
      await measure.button('Add Model…').click();
      await list.opened('Select Model');
      await list.box.fill(model.split('/')[0] ?? '');
      await list.choose(model === refusingModel ? refusingModel : /press/);
      await list.closed();
    }
    await shown(measure.frame.locator('.model-chips').getByText(/press/));
    await measure.button('Use Quick Preset').click();
    await waitUntil(
      'the preset',
      async () => (await measure.field('Requests per model and load').inputValue()) === '8',
    );
    await measure.button('Run').click();
    await shown(measure.frame.getByRole('row', { name: /press/ }));
    await measure.button('Export…').waitFor({ timeout: 60_000 });
    await workbench.runCommand('View: Close All Editors');
  },
};

/** From the folder: its prompts and its file names. */
export const placesOfFolder: Readonly<Record<string, Show>> = {
  'the list of prompts': async (workbench) => {
    const list = new QuickInput(workbench.page);
    await workbench.driver.run('parlance.runPrompt');
    await list.opened('Run Prompt');
    await waitUntil('the prompts', async () => (await list.row(/^n\d+ .*press/).count()) > 5);
    // Items further down are drawn only when scrolled to.
    for (const name of hostileNames) {
      await list.box.fill(name.split(' ')[0] ?? '');
      await shown(list.row(/press/));
    }
    await list.box.press('Escape');
    await list.closed();
  },
  'the box that asks for what a prompt wants': async (workbench) => {
    const list = new QuickInput(workbench.page);
    for (const name of hostileNames) {
      await workbench.driver.run('parlance.runPrompt', { name });
      // Asks first if the prompt contains something invisible.
      const send = workbench.page.getByRole('button', { name: 'Send Anyway' });
      // A closed box keeps its text.
      const asked = list.widget.locator('#quickInput_message:visible', { hasText: 'press' });
      await send.or(asked).first().waitFor({ timeout: 60_000 });
      if (await send.isVisible()) await send.click();
      await list.says(/press/);
      await list.box.press('Escape');
      await list.closed();
    }
  },
  'the remarks on a prompt': async (workbench) => {
    await workbench.driver.open(`.github/prompts/${hostileNames[2]}.prompt.md`);
    await workbench.runCommand('Problems: Focus on Problems View');
    await shown(workbench.page.locator('.markers-panel').getByText('Unknown field'));
    await workbench.page.locator('.squiggly-warning').first().hover({ force: true });
    await shown(workbench.page.locator('.monaco-hover').getByText('Unknown field'));
    await workbench.runCommand('View: Close All Editors');
  },
  'the files that a # finds, and what goes with a message': async (workbench) => {
    const chat = await ChatDriver.open(workbench);
    await chat.startAnew();
    await chat.box.pressSequentially('#n2');
    const row = chat.frame.getByRole('option', { name: /press/ }).first();
    await row.waitFor({ timeout: 60_000 });
    await row.click();
    await shown(chat.frame.locator('.composer').getByRole('button', { name: /press/ }));
    await chat.frame
      .locator('.composer')
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await chat.box.fill('');
  },
  'the Testing view, and the lines above checks': async (workbench) => {
    await workbench.runCommand('View: Show Testing');
    const files = workbench.page.locator('.test-explorer').getByRole('treeitem', { name: /press/ });
    await waitUntil('the files of checks', async () => (await files.count()) > 5, 60_000);
    await files.first().click();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.driver.open(checksPaths[3] ?? '');
    await shown(workbench.page.getByRole('button', { name: 'Run All Checks' }));
    await workbench.runCommand('Problems: Focus on Problems View');
    await shown(workbench.page.locator('.markers-panel').getByText(/Unknown field/));
    await workbench.runCommand('View: Close All Editors');
  },
};
