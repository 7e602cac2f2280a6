import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFromMenu } from './contextMenu.ts';
import { MediaDriver } from './mediaDriver.ts';
import { answerDialog } from './modalDialog.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import type { LogEntry } from '../service/inferenceLog.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const tokensPerSecond = 200;

// One user's measurements: each step builds on the previous one.
describe('Measure Models', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond } });
  const clipboard = () => workbench().page.evaluate(() => navigator.clipboard.readText());

  before('make room for rows and columns', () => workbench().resizeTo(1280, 1400));

  it('measures a model, from the palette to its figures, with no more requests at once than set', async () => {
    const { service } = workbench();
    const before = service.asked().length;
    await workbench().runCommand('Parlance: Measure Models…');
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    // The default model is in the form that was never used.
    await measure.button('Remove local/writer').click();
    await measure.button('Add Model…').click();
    const models = new QuickInput(workbench().page);
    await models.opened('Select Model');
    await workbench().page.keyboard.type('local/writer');
    await models.choose('local/writer');
    await measure.button('Use Quick Preset').click();
    await waitUntil(
      'the preset',
      async () => (await measure.field('Requests per model and load').inputValue()) === '8',
    );
    // It ends when all were sent, not after the preset's minute.
    await measure.field('Minutes').fill('');
    const atOnce = measure.frame.getByRole('textbox', { name: 'Requests at once' });
    await atOnce.fill('1, 3');
    await measure.frame.getByText(/^Sends 17 requests/).waitFor({ timeout: 60_000 });
    // The host gets typed text after a moment. Run would send it at once.
    await waitUntil('the form at the host', () =>
      workbench().boundaries.has('message of measure to the host formChanged'),
    );
    let most = 0;
    const counting = setInterval(() => {
      const running = service
        .asked()
        .slice(before)
        .filter(({ outcome }) => outcome === 'running').length;
      most = Math.max(most, running);
    }, 1);
    await measure.button('Run').click();
    await measure.frame
      .getByRole('row', { name: /local\/writer/ })
      .first()
      .waitFor({ timeout: 60_000 });
    await measure.button('Export…').waitFor();
    await waitUntil('the end of the run', async () => measure.frame.locator('.run-bar').isHidden(), 60_000);
    clearInterval(counting);
    const asked = service
      .asked()
      .slice(before)
      .filter(({ model }) => model === 'local/writer');
    assert.equal(asked.length, 17);
    assert.equal(most, 3);
    const starts = asked.map(({ requestBody }) => JSON.stringify(requestBody).match(/\[[0-9a-f-]{36}\]/)?.[0]);
    assert.equal(new Set(starts).size, 17, 'each begins with text that no other has');
  });

  const mightBeCharged = /^(?:1 request was cut off\. It|\d+ requests were cut off\. They) might have been charged/;

  /**
   * Starts the 17 requests of the form, and resolves when some are answered and others aren't: from then on, each takes
   * a minute, longer than it takes to stop them.
   */
  async function measuring(): Promise<{ readonly measure: MediaDriver; readonly asked: () => readonly LogEntry[] }> {
    const { service } = workbench();
    const before = service.asked().length;
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    await measure.button('Run').click();
    const asked = () => service.asked().slice(before);
    await waitUntil('some requests', () => Promise.resolve(asked().length >= 3), 60_000);
    service.setSpeed(1);
    await waitUntil('a request that is being answered', () =>
      asked().some(({ outcome, completionTokens = 0 }) => outcome === 'running' && completionTokens > 0),
    );
    await measure.frame.locator('.run-bar').waitFor();
    return { measure, asked };
  }

  async function resumed(measure: MediaDriver, asked: () => readonly LogEntry[]): Promise<void> {
    const sent = () => asked().length;
    await waitUntil('the end of all requests', () => asked().every(({ outcome }) => outcome !== 'running'));
    workbench().service.setSpeed(tokensPerSecond);
    // The measurement might have been stopped between two requests.
    if (asked().some(({ outcome }) => outcome !== 'done')) await measure.frame.getByText(mightBeCharged).waitFor();
    const resume = measure.frame.getByRole('button', { name: /^Resume \(\d+ Requests?\)$/ });
    await resume.waitFor({ timeout: 60_000 });
    const stoppedAt = sent();
    assert.ok(stoppedAt < 17, `${stoppedAt} were sent before`);
    assert.equal(await resume.innerText(), `Resume (${17 - stoppedAt} Requests)`);
    await resume.click();
    await waitUntil('all requests', () => Promise.resolve(sent() >= 17), 60_000);
    await waitUntil('the end of the run', async () => measure.frame.locator('.run-bar').isHidden(), 60_000);
    assert.equal(sent(), 17, 'none is sent twice');
  }

  it('stops and resumes, without sending a request twice', async () => {
    const { measure, asked } = await measuring();
    await measure.button('Stop').click();
    await measure.frame.getByText(/^Stopped at \d+ of 16 requests\.$/).waitFor({ timeout: 60_000 });
    await resumed(measure, asked);
  });

  it('survives a reload in the middle of a measurement: nothing is sent on its own, and nothing twice', async () => {
    const { asked } = await measuring();
    await workbench().reload();
    await workbench().runCommand('Parlance: Measure Models…');
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    await measure.frame.getByText(/(?:Stopped|The window closed) at \d+ of 16 requests\./).waitFor({ timeout: 60_000 });
    await resumed(measure, asked);
  });

  it('shows, compares, exports, and deletes measurements, and saves a chart', async () => {
    const { page, workspace } = workbench();
    const list = new QuickInput(page);
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    const item = (name: string | RegExp) => measure.frame.getByRole('menuitem', { name }).first();
    const saved = async (offered: RegExp, name: string): Promise<string> => {
      const file = join(workspace, name);
      await list.saveAs(offered, file);
      // It's empty for a moment.
      return waitUntil(`${name} on disk`, async () => (await readFile(file, 'utf8').catch(() => '')) || undefined);
    };
    const former = measure.field('Compared with');
    // By their IDs: two runs can say that they began in the same minute and took as long.
    const others = () =>
      former.locator('option').evaluateAll((all) => all.flatMap((option) => option.getAttribute('value') || []));
    assert.equal(await former.locator('option').count(), 3, 'none, and the two other runs');
    await former.selectOption({ index: 1 });
    await measure.frame
      .getByText(/^Hollow: .* Filled: this run\./)
      .first()
      .waitFor({ timeout: 60_000 });
    await measure.button('Export…').click();
    await item('CSV…').click();
    const table = await saved(/\/parlance-measurement-[\d-]+\.csv$/, 'measured.csv');
    assert.deepEqual(
      table
        .trim()
        .split('\n')
        .map((line) => line.includes('local/writer')),
      [false, true, true],
    );
    await measure.button('Save Chart…').first().click();
    await item('SVG…').click();
    assert.match(await saved(/\/parlance-[\w-]+\.svg$/, 'measured.svg'), /^<svg[^]*<\/svg>\s*$/);
    await measure.button('Save Chart…').first().click();
    await item('PNG…').click();
    assert.match(await saved(/\/parlance-[\w-]+\.png$/, 'measured.png'), /^.PNG\r\n/);
    const [runBefore, firstRun] = await others();
    await measure.button('More Actions…').click();
    assert.equal(await measure.frame.getByRole('menuitem', { name: /^Show / }).count(), 2);
    await item(/^Show /).click();
    await waitUntil('the run before', async () => !(await others()).includes(runBefore ?? ''));
    await measure.button('More Actions…').click();
    await item('Delete This Measurement…').click();
    await answerDialog(page, 'Delete this measurement?', 'Delete');
    await waitUntil('the latest run again', async () => (await others()).length === 1);
    assert.deepEqual(await others(), [firstRun]);
  });

  it('opens a failed request', async () => {
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    if (!(await measure.button('Add Model…').isVisible()))
      await measure.frame.locator('.form-line button').first().click();
    await measure.button('Add Model…').click();
    const models = new QuickInput(workbench().page);
    await models.opened('Select Model');
    await models.box.fill('local/error-400');
    await models.choose('local/error-400');
    await measure.frame.getByText(/^Sends 34 requests/).waitFor({ timeout: 60_000 });
    // Long enough to be seen.
    workbench().service.setSpeed(5);
    await measure.button('Run').click();
    await measure.frame.locator('.run-bar').waitFor();
    workbench().service.setSpeed(tokensPerSecond);
    await waitUntil('the end of the run', async () => measure.frame.locator('.run-bar').isHidden(), 60_000);
    await measure.frame.getByText('All Figures', { exact: true }).click();
    await measure.frame
      .getByRole('button', { name: /^Open: / })
      .first()
      .click();
    const requests = await RequestsDriver.open(workbench());
    await requests.requestPage(/failed \(400\)/);
  });

  it('survives a crash in the middle of a measurement: a request that was cut off might be charged, and is never sent again', async () => {
    await workbench().runCommand('Parlance: Measure Models…');
    const before = await MediaDriver.inView(workbench(), 'main.measure');
    if (!(await before.button('Add Model…').isVisible()))
      await before.frame.locator('.form-line button').first().click();
    const failing = before.button('Remove local/error-400');
    if (await failing.isVisible()) await failing.click();
    await before.frame.getByText(/^Sends 17 requests/).waitFor({ timeout: 60_000 });
    const { asked } = await measuring();
    await workbench().killExtensionHost();
    await waitUntil('the end of all requests', () => asked().every(({ outcome }) => outcome !== 'running'));
    workbench().service.setSpeed(tokensPerSecond);
    await workbench().runCommand('View: Close All Editors');
    await workbench().runCommand('Parlance: Measure Models…');
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    await measure.frame.getByText(/^The window closed at \d+ of 16 requests\./).waitFor({ timeout: 60_000 });
    await measure.frame.getByText(mightBeCharged).waitFor();
    const resume = measure.frame.getByRole('button', { name: /^Resume \(\d+ Requests?\)$/ });
    const open = Number(/\d+/.exec(await resume.innerText())?.[0]);
    const sent = asked().length;
    // One that was recorded and hadn't left yet counts as sent.
    assert.ok(open > 0 && sent + open <= 17, `${sent} were sent, ${open} are open`);
    await resume.click();
    await waitUntil('the others', () => asked().length >= sent + open, 60_000);
    await waitUntil('the end of the run', async () => measure.frame.locator('.run-bar').isHidden(), 60_000);
    assert.equal(asked().length, sent + open, 'none is sent twice');
    await measure.frame.getByText(mightBeCharged).waitFor();
  });

  it('measures selected models, the question of a request, and a prompt file', async () => {
    const { page, service, workspace } = workbench();
    const measure = () => MediaDriver.inView(workbench(), 'main.measure');
    const names = async () => (await measure()).frame.locator('.model-chips .chip-name').allTextContents();
    const question = async () => (await measure()).field('Each request asks').inputValue();
    const models = await ModelsDriver.open(workbench());
    await models.filter('local/');
    await page.keyboard.press('Enter');
    await models.select('local/echo', 'local/fast');
    await chooseFromMenu(page, models.row(/^local\/fast,/).first(), 'Measure Models…');
    await waitUntil('both models', async () => (await names()).toSorted().join() === 'local/echo,local/fast');
    const requests = await RequestsDriver.open(workbench());
    await requests.choose(requests.row(/^Explain in one paragraph/).first(), 'Measure Models…');
    await waitUntil('its question', async () => (await question()) === 'request');
    assert.deepEqual(await names(), ['local/writer']);
    // After a run, the form is one line.
    if (!(await (await measure()).button('Select Request…').isVisible()))
      await (await measure()).frame.locator('.form-line button').first().click();
    const taken = (await measure()).frame.locator('.field.taken .chip-name');
    assert.match(await taken.innerText(), /^local\/writer, /);
    await (await measure()).button('Select Request…').click();
    const list = new QuickInput(page);
    await list.opened('Select Request');
    await list.choose(/local\//, 1);
    await list.closed();
    assert.match(await taken.innerText(), /^local\/writer, /);
    await writeFile(join(workspace, 'steady.prompt.md'), 'Name a bird in 10 tokens.\n');
    await workbench().runCommand('File: Focus on Files Explorer');
    const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'steady.prompt.md' });
    await chooseFromMenu(page, file, 'Measure Models…');
    await waitUntil('the prompt', async () => (await question()) === 'promptFile');
    const form = await measure();
    const name = form.frame.locator('.field.taken .chip-name');
    assert.equal(await name.innerText(), 'steady');
    const prompts = join(workspace, '.github', 'prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(join(prompts, 'listed.prompt.md'), 'Name a bird in 10 tokens.\n');
    await form.button('Select Prompt File…').click();
    await list.opened('Select Prompt File');
    await list.choose('listed');
    await waitUntil('the other prompt', async () => (await name.innerText()) === 'listed');
    for (const [field, value] of [
      ['Requests at once', '1'],
      ['Requests per model and load', '2'],
      ['Warm-up requests, not measured', '0'],
    ] as const) {
      await form.frame.getByRole('textbox', { name: field, exact: true }).fill(value);
    }
    await form.frame.getByText(/^Sends 2 requests/).waitFor({ timeout: 60_000 });
    const sent = service.asked().length;
    await form.button('Run').click();
    await waitUntil('both requests', () => service.asked().length === sent + 2);
    await waitUntil('the end of the run', async () => form.frame.locator('.run-bar').isHidden(), 60_000);
    for (const { model, requestBody } of service.asked().slice(sent)) {
      assert.equal(model, 'local/writer');
      assert.match(JSON.stringify(requestBody), /Name a bird in 10 tokens\./);
    }
  });

  it("sends nothing if that can't be recorded, and says why", async () => {
    const { page, service, server } = workbench();
    const measure = await MediaDriver.inView(workbench(), 'main.measure');
    const folder = join(server.dataFolder, 'data', 'User', 'globalStorage', 'parlance.parlance', 'experiments');
    const sent = service.asked().length;
    const card = measure.frame.getByRole('group', { name: "Couldn't read or save a file" });
    await rename(folder, `${folder}-away`);
    await writeFile(folder, 'not a folder');
    try {
      if (!(await measure.button('Run').isVisible())) await measure.frame.locator('.form-line button').first().click();
      await measure.button('Run').click();
      await card.waitFor({ timeout: 60_000 });
    } finally {
      await rm(folder);
      await rename(`${folder}-away`, folder);
    }
    await card.getByRole('button', { name: 'Copy error details' }).click();
    await waitUntil('the code on the clipboard', async () => /^E(?:NOTDIR|EXIST)$/.test(await clipboard()));
    await card.getByRole('button', { name: 'Show Log' }).click();
    const line = page.locator('.part.panel .view-line', { hasText: /ENOTDIR|EEXIST/ }).first();
    await line.waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close Panel');
    assert.equal(service.asked().length, sent);
    await measure.button('Run').click();
    await waitUntil('both requests', () => service.asked().length === sent + 2);
    await card.waitFor({ state: 'detached' });
    await waitUntil('the end of the run', async () => measure.frame.locator('.run-bar').isHidden(), 60_000);
  });
});
