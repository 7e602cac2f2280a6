import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatDriver } from './chatDriver.ts';
import { CompareDriver } from './compareDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { modalDialog } from './modalDialog.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

// One user's comparisons: each step builds on the previous one.
describe('Compare Models', () => {
  // The longest reply takes 40 s: long enough to change columns and reload the window while it's being written.
  const workbench = useWorkbench({ service: { tokensPerSecond: 100 } });

  before('have a favorite: a new comparison has it besides the default model', async () => {
    const models = await ModelsDriver.open(workbench());
    await models.openGroup('local');
    await models.pressIcon(/^local\/fast,/, 'Add to Favorites');
    await models.row('Favorites, 1 model').waitFor();
  });

  it('asks models side by side, stops them at the service, and asks again', async () => {
    const { service } = workbench();
    await workbench().runFromPalette('Parlance: Compare Models…');
    const compare = await CompareDriver.inView(workbench());
    await waitUntil('two models', async () => (await compare.models()).length === 2);
    const names = ['local/writer', 'local/echo'];
    for (const [index, model] of names.entries()) {
      const name = (await compare.models())[index] ?? '';
      if (name === model) continue;
      await compare.button(`Model: ${name}`).nth(0).click();
      await compare.choose(model);
      await compare.column(model).waitFor({ timeout: 60_000 });
    }
    const before = service.asked().length;
    await compare.message.fill('Explain tides in 60 tokens.');
    await compare.frame.getByText(/≈ [\d,]+ tokens to each/).waitFor({ timeout: 60_000 });
    await compare.message.press('Enter');
    await compare.row('local/writer').getByText('tok/s').waitFor({ timeout: 60_000 });
    await compare.row('local/echo').getByText('tok/s').waitFor({ timeout: 60_000 });
    await compare.column('local/writer').getByText('total').waitFor({ timeout: 60_000 });
    // They leave at once, on connections of their own, so either can arrive first.
    const asked = service.asked().slice(before);
    assert.deepEqual([asked.length, new Set(asked.map(({ model }) => model))], [2, new Set(names)]);
    await compare.send('Explain tides in 20,000 tokens.');
    await service.waitForEntry(
      ({ model, outcome, completionTokens = 0 }) =>
        model === 'local/writer' && outcome === 'running' && completionTokens > 5,
      60_000,
    );
    await waitUntil('both requests again', () => service.asked().length === before + 4);
    const { id } = service.asked().findLast(({ model }) => model === 'local/writer') ?? {};
    await compare.button('Stop All').click();
    await service.waitForEntry((entry) => entry.id === id && entry.outcome === 'canceled', 60_000);
    await compare.row('local/writer').getByText('Stopped').waitFor({ timeout: 60_000 });
    // A follow-up contains the earlier messages.
    const { requestBody } = service.asked().findLast(({ model }) => model === 'local/echo') ?? {};
    assert.match(JSON.stringify(requestBody), /Explain tides in 60 tokens.*assistant.*Explain tides in 20,000 tokens/s);
    const count = service.asked().length;
    await compare.column('local/echo').getByRole('button', { name: 'Retry' }).last().click();
    await waitUntil('another request', () => service.asked().length === count + 1);
    await compare.button('Send').waitFor({ timeout: 60_000 });
  });

  it('has the same comparison after a reload, including the replies that were cut off, and sends nothing again', async () => {
    const { service } = workbench();
    const before = await CompareDriver.inView(workbench());
    await before.button('Add Model…').click();
    await before.choose('local/fast');
    await before.column('local/fast').waitFor({ timeout: 60_000 });
    const earlier = service.asked().length;
    await before.send('Explain the moon in 20,000 tokens.');
    await service.waitForEntry(
      ({ model, outcome, completionTokens = 0 }) =>
        model === 'local/writer' && outcome === 'running' && completionTokens > 5,
      60_000,
    );
    await waitUntil('all three requests', () => service.asked().length === earlier + 3);
    // Until the window is reloaded.
    service.setSpeed(10);
    const { id } = service.asked().findLast(({ model }) => model === 'local/writer') ?? {};
    const sent = service.asked().length;
    // One that was asked is closed, and one that wasn't asked is added.
    await before.button('Close local/fast').click();
    await waitUntil('two again', async () => (await before.models()).length === 2);
    await before.button('Add Model…').click();
    await before.choose('local/costly');
    await before.column('local/costly').waitFor({ timeout: 60_000 });
    // The short one has ended. On a busy machine, it might be cut off, too.
    await before.row('local/echo').getByText('tok/s').waitFor({ timeout: 60_000 });
    await workbench().reload();
    await service.waitForEntry((entry) => entry.id === id && entry.outcome === 'canceled', 60_000);
    const compare = await CompareDriver.inView(workbench());
    assert.deepEqual(await compare.models(), ['local/writer', 'local/echo', 'local/costly']);
    const writer = compare.column('local/writer');
    await compare.row('local/writer').getByText('Stopped').waitFor({ timeout: 60_000 });
    await writer.locator('.answer').last().getByText('one subject').waitFor();
    await compare.row('local/echo').getByText('tok/s').waitFor({ timeout: 60_000 });
    assert.equal(service.asked().length, sent);
    // Only when the user wants it, and then from the beginning.
    await writer.getByRole('button', { name: 'Retry' }).last().click();
    await service.waitForEntry((entry) => entry.model === 'local/writer' && entry.outcome === 'running', 60_000);
    await compare.button('Stop All').click();
    await compare.row('local/writer').getByText('Stopped').waitFor({ timeout: 60_000 });
    assert.equal(service.asked().length, sent + 1);
    await workbench().runCommand('View: Close All Editors');
  });

  /** Of Open Comparison…. */
  async function listOfComparisons(): Promise<QuickInput> {
    await workbench().runCommand('View: Close All Editors');
    const next = await CompareDriver.open(workbench());
    await next.button('More Actions…').click();
    await next.frame.getByRole('menuitem', { name: 'Open Comparison…' }).click();
    const list = new QuickInput(workbench().page);
    await list.opened('Open Comparison');
    return list;
  }

  it('shows what a crash of the extension host cut off in a comparison, and sends nothing again', async () => {
    const { service } = workbench();
    const before = await CompareDriver.open(workbench());
    await waitUntil('two models', async () => (await before.models()).length === 2);
    const [first = '', second = ''] = await before.models();
    if (first !== 'local/writer' && second !== 'local/writer') {
      await before.button(`Model: ${first}`).click();
      await before.choose('local/writer');
      await before.column('local/writer').waitFor({ timeout: 60_000 });
    }
    const names = await before.models();
    const earlier = service.asked().length;
    await before.send('Explain the sun in 20,000 tokens.');
    await waitUntil('both requests', () => service.asked().length === earlier + 2);
    await service.waitForEntry(
      ({ model, outcome, completionTokens = 0 }) =>
        model === 'local/writer' && outcome === 'running' && completionTokens > 5,
      60_000,
    );
    const { id } = service.asked().findLast(({ model }) => model === 'local/writer') ?? {};
    await workbench().killExtensionHost();
    await service.waitForEntry((entry) => entry.id === id && entry.outcome === 'canceled', 60_000);
    const list = await listOfComparisons();
    await list.box.fill('the sun');
    await list.choose(/Explain the sun/);
    const compare = await waitUntil('the comparison', async () => {
      const shown = await CompareDriver.inView(workbench());
      const isIt = (await shown.models().catch((): readonly string[] => [])).join() === names.join();
      return isIt && (await shown.column('local/writer').getByText('Interrupted').first().isVisible())
        ? shown
        : undefined;
    });
    await compare.column('local/writer').getByText('The window closed before the response arrived.').waitFor();
    await compare.row('local/writer').getByText('Interrupted').waitFor();
    assert.equal(service.asked().length, earlier + 2);
    await workbench().runCommand('View: Close All Editors');
  });

  it('takes at most six models, and says so if more are selected', async () => {
    const seven = ['writer', 'echo', 'fast', 'slow', 'costly', 'small', 'plain'].map((name) => `local/${name}`);
    await workbench().driver.run('parlance.compareModels', { models: seven });
    const compare = await CompareDriver.inView(workbench());
    await waitUntil('six columns', async () => (await compare.models()).join() === seven.slice(0, 6).join());
    await compare.frame.locator('.note').getByText('Only the first 6 of 7 models are compared').waitFor();
    await workbench().told('Only the first 6 of 7 models are compared').dismiss();
    await workbench().runCommand('View: Close All Editors');
  });

  it('shows messages above its message box, and their buttons work', async () => {
    const { page } = workbench();
    const compare = await CompareDriver.open(workbench());
    await compare.message.click();
    await workbench().runCommand('Parlance: Test Connection');
    const note = compare.frame.locator('.note').filter({ hasText: 'The connection works' });
    await note.waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('.notification-toast').count(), 0);
    const [above, box] = [await note.boundingBox(), await compare.message.boundingBox()];
    assert.ok(above && box && above.y + above.height <= box.y, 'it covers the message box');
    await note.getByRole('button', { name: 'Show What It Supports' }).click();
    await waitUntil('the page about the service', async () => {
      const pages = page.frames().map((frame) => frame.locator('#parlance-service').count());
      return (await Promise.all(pages.map((count) => count.catch(() => 0)))).some((count) => count > 0);
    });
    await workbench().runCommand('View: Close All Editors');
  });

  it("starts with the code that is selected in an editor, from the editor's menu", async () => {
    const { page, service } = workbench();
    await workbench().openFile('src/tasks.ts');
    await page.keyboard.press('ControlOrMeta+A');
    await chooseFromMenu(page, page.locator('.editor-instance .view-line').first(), 'Parlance', 'Compare Models…');
    const compare = await CompareDriver.inView(workbench());
    await compare.frame.locator('.composer').getByText('tasks.ts').first().waitFor({ timeout: 60_000 });
    const before = service.asked().length;
    await compare.send('What does it do? In 20 tokens.');
    await waitUntil('both requests', () => service.asked().length === before + 2);
    const code = (await readFile(join(workbench().workspace, 'src', 'tasks.ts'), 'utf8')).split('\n')[0] ?? '';
    assert.notEqual(code, '');
    for (const { requestBody } of service.asked().slice(before)) {
      assert.ok(JSON.stringify(requestBody).includes(JSON.stringify(code).slice(1, -1)));
    }
    await compare.button('Send').waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close All Editors');
  });

  it('hides the names until the vote, even after a reload, and the vote counts in the ranking', async () => {
    const { service } = workbench();
    let compare = await CompareDriver.open(workbench());
    const names = await compare.models();
    await compare.button('One after another').click();
    await compare.button('Blind').click();
    await compare.button('Blind: On').waitFor({ timeout: 60_000 });
    const before = service.asked().length;
    await compare.send('Name a bird in 10 tokens.');
    const isAsked = () =>
      compare.frame.getByRole('heading', { name: 'Which reply is better?' }).waitFor({ timeout: 60_000 });
    await isAsked();
    assert.deepEqual(await compare.models(), ['Reply A', 'Reply B']);
    // A reply's end is known a frame before all of its text is drawn.
    const drawn = () =>
      waitUntil('both replies', async () => {
        const texts = await compare.frame.locator('.column .answer').allInnerTexts();
        return texts.length === 2 && texts.every((text) => text !== '') ? texts : undefined;
      });
    const letters = await drawn();
    await workbench().reload();
    compare = await CompareDriver.inView(workbench());
    await isAsked();
    assert.deepEqual(await compare.models(), ['Reply A', 'Reply B']);
    assert.deepEqual(await drawn(), letters);
    assert.equal(service.asked().length, before + 2);
    await compare.button('Reply A').last().click();
    await waitUntil('the names', async () => (await compare.models()).join() === names.join());
    await compare.button('Ranking').click();
    await compare.frame.getByText('1 blind vote').waitFor({ timeout: 60_000 });
    assert.equal(await compare.frame.getByText('Not enough votes to tell').count(), 2);
  });

  it('exports a comparison to a file, with the reply of a column that was closed', async () => {
    const { page, service, workspace } = workbench();
    let compare = await CompareDriver.inView(workbench());
    const names = await compare.models();
    // Asks a third one the same question, and closes it while it writes.
    await compare.button('Blind: On').click();
    await compare.button('Add Model…').click();
    await compare.choose('local/costly');
    const third = compare.column('local/costly');
    // Only its first token, until it's stopped.
    service.setSpeed(0.05);
    await third.getByRole('button', { name: 'Ask This Model' }).click({ timeout: 60_000 });
    await third.getByRole('button', { name: 'Stop' }).click({ timeout: 60_000 });
    service.setSpeed(100);
    await third.getByRole('button', { name: 'Close local/costly' }).click();
    await waitUntil('two again', async () => (await compare.models()).length === 2);
    const exported = async (name: string): Promise<string> => {
      await compare.button('More Actions…').click();
      await compare.frame.getByRole('menuitem', { name: 'Export Comparison…' }).click();
      const file = join(workspace, name);
      await new QuickInput(page).saveAs(/\/Name a bird in 10 tokens\.md$/, file);
      // It's empty for a moment.
      const text = await waitUntil(
        `${name} on disk`,
        async () => (await readFile(file, 'utf8').catch(() => '')) || undefined,
      );
      await page.getByRole('tab', { name }).waitFor({ timeout: 60_000 });
      await page.getByRole('tab', { name: /^Compare: / }).click();
      compare = await CompareDriver.inView(workbench());
      return text;
    };
    const markdown = await exported('bird.md');
    assert.match(markdown, /^# Compare Models\n\n## You\n\nName a bird in 10 tokens\.\n\nAsked one after another, /);
    const json = await exported('bird.json');
    for (const name of [...names, 'local/costly']) {
      assert.ok(markdown.includes(`\n### ${name}\n`), name);
      assert.ok(json.includes(JSON.stringify(name)), name);
    }
  });

  it('keeps comparisons, finds them by their questions, and deletes one with its vote', async () => {
    const { page } = workbench();
    const compare = await CompareDriver.inView(workbench());
    const names = await compare.models();
    await compare.button('More Actions…').click();
    await compare.frame.getByRole('menuitem', { name: 'New Comparison' }).click();
    await waitUntil('a new comparison', async () => {
      const fresh = await CompareDriver.inView(workbench());
      return fresh.frame
        .getByText('One question, several models')
        .isVisible()
        .catch(() => false);
    });
    const list = await listOfComparisons();
    await list.box.fill('nothing like it');
    await list.row('No comparison contains "nothing like it"').waitFor();
    await list.box.fill('');
    await list.box.fill('bird');
    await list.choose(/Name a bird in 10 tokens/);
    // The new comparison that it opens over has the same models.
    const opened = await waitUntil('what was kept', async () => {
      const shown = await CompareDriver.inView(workbench());
      const isIt = (await shown.models().catch((): readonly string[] => [])).join() === names.join();
      const question = shown.frame.getByText('Name a bird in 10 tokens').first();
      return isIt && (await question.isVisible().catch(() => false)) ? shown : undefined;
    });
    // Deleting it removes its tab, its replies, and its vote.
    await opened.button('More Actions…').click();
    await opened.frame.getByRole('menuitem', { name: 'Open Comparison…' }).click();
    await list.opened('Open Comparison');
    await list.box.fill('bird');
    const bird = list.row(/Name a bird in 10 tokens/);
    await bird.first().hover();
    await bird.getByRole('button', { name: 'Delete' }).click();
    const dialog = modalDialog(page, 'Delete this comparison?');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await waitUntil('no tab', async () => (await page.getByRole('tab', { name: /Name a bird/ }).count()) === 0);
    const last = await CompareDriver.open(workbench());
    await last.button('Ranking').click();
    await last.frame.getByText('No votes yet.').waitFor({ timeout: 60_000 });
    await last.button('More Actions…').click();
    await last.frame.getByRole('menuitem', { name: 'Open Comparison…' }).click();
    await list.opened('Open Comparison');
    await list.row(/Explain tides/).waitFor({ timeout: 60_000 });
    assert.equal(await bird.count(), 0);
    await list.dismiss();
    await workbench().runCommand('View: Close All Editors');
  });

  it('starts with selected models, and continues in a chat', async () => {
    const { page, service } = workbench();
    const models = await ModelsDriver.open(workbench());
    await models.filter('local/');
    await page.keyboard.press('Enter');
    await models.select('local/echo', 'local/fast');
    await chooseFromMenu(page, models.row(/^local\/fast,/).first(), 'Compare Models…');
    const compare = await CompareDriver.inView(workbench());
    await waitUntil('both', async () => (await compare.models()).toSorted().join() === 'local/echo,local/fast');
    await workbench().runCommand('Parlance: Clear Model Filter');
    const earlier = service.asked().length;
    await compare.send('Good morning');
    await waitUntil('a request to each', () => service.asked().length === earlier + 2);
    const asked = service.asked().slice(earlier);
    assert.deepEqual(new Set(asked.map(({ model }) => model)), new Set(['local/echo', 'local/fast']));
    const echo = compare.column('local/echo');
    await echo.getByRole('button', { name: 'Continue in Chat' }).click({ timeout: 60_000 });
    const chat = await ChatDriver.open(workbench());
    await chat.lastReply.getByText('Good morning').waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close All Editors');
    // A reply of that chat, with another model.
    const before = service.asked().length;
    await chat.lastReply.getByRole('button', { name: 'Retry' }).click();
    await chat.frame.getByRole('menuitem', { name: 'Compare Models…' }).click();
    const list = new QuickInput(page);
    await list.opened('Select Model');
    await list.box.fill('local/fast');
    await list.choose('local/fast');
    const again = await CompareDriver.inView(workbench());
    await again.row('local/fast').getByText('tok/s').waitFor({ timeout: 60_000 });
    await waitUntil('both requests', () => service.asked().length === before + 2);
    const bodies = service
      .asked()
      .slice(-2)
      .map(({ requestBody }) => JSON.stringify(requestBody));
    assert.ok(bodies.every((body) => body.includes('Good morning')));
    await workbench().runCommand('View: Close All Editors');
  });

  it('starts with the question of a request, and another model', async () => {
    const { page, service } = workbench();
    const requests = await RequestsDriver.open(workbench());
    const before = service.asked().length;
    await requests.choose(requests.row(/local\/echo, done/).first(), 'Compare Models…');
    const list = new QuickInput(page);
    await list.opened('Select Model');
    // Half a name is no model: Enter selects the one that has it, not what was typed.
    await list.box.fill('write');
    await list.row('Use "write"').waitFor({ timeout: 60_000 });
    await list.marked('local/writer');
    await list.box.press('Enter');
    const compare = await CompareDriver.inView(workbench());
    assert.deepEqual(await compare.models(), ['local/echo', 'local/writer']);
    await compare.row('local/writer').getByText('tok/s').waitFor({ timeout: 60_000 });
    await waitUntil('both requests', () => service.asked().length === before + 2);
    const asked = service.asked().slice(before);
    assert.deepEqual(new Set(asked.map(({ model }) => model)), new Set(await compare.models()));
    const [one, other] = asked.map(({ requestBody }) => Object(requestBody).messages);
    assert.deepEqual(one, other);
    await workbench().runCommand('View: Close All Editors');
  });

  it('asks one model alone, with its own parameters, and with prompts; its code goes into a file', async () => {
    const { page, service, workspace } = workbench();
    const file = join(workspace, 'src', 'applied.ts');
    const prompts = join(workspace, '.github', 'prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(file, 'export const worse = 0;\n');
    const code = 'export const better = 1;';
    const prompt = `---\ntarget: compare\nmodel: local/echo\n---\nIt is this:\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
    await writeFile(join(prompts, 'several.prompt.md'), prompt);
    await workbench().openFile('src/applied.ts');
    await page.keyboard.press('ControlOrMeta+A');
    const asked = () => service.asked();
    const before = asked().length;
    // A prompt file with this reply location.
    await workbench().runCommand('Parlance: Run Prompt…');
    const list = new QuickInput(page);
    await list.opened('Run Prompt');
    await list.box.fill('several');
    await list.choose(/several/);
    await list.opened('Select Model');
    await list.box.fill('local/fast');
    await list.choose('local/fast');
    let compare = await CompareDriver.inView(workbench());
    await waitUntil('both requests', () => asked().length === before + 2);
    const back = async () => {
      await page.getByRole('tab', { name: /^Compare: / }).click();
      compare = await CompareDriver.inView(workbench());
      await compare.button('Send').waitFor({ timeout: 60_000 });
    };
    const echo = () => compare.column('local/echo');
    // The page hears of a request a moment after the service has it: until then, everything looks as if it had ended.
    const drawn = (count: number) =>
      waitUntil(`reply ${count} on the page`, async () => (await echo().locator('.answer').count()) === count);
    await echo().getByRole('button', { name: 'Apply as Diff' }).waitFor({ timeout: 60_000 });
    // A follow-up to one.
    await compare.button('To both models').click();
    await compare.frame.getByRole('menuitem', { name: 'local/echo', exact: true }).click();
    await compare.button('To local/echo').waitFor({ timeout: 60_000 });
    // Its own parameters.
    await echo().getByRole('button', { name: 'Parameters of local/echo' }).click();
    await echo().getByLabel('Temperature').fill('0.9');
    await echo().getByLabel('System prompt').fill('Answer in rhymes.');
    await page.keyboard.press('Escape');
    await echo().getByText('Temperature 0.9 · System prompt').first().waitFor({ timeout: 60_000 });
    await compare.send('Only you');
    await waitUntil('one request', () => asked().length === before + 3);
    const { model, requestBody } = asked().at(-1) ?? {};
    assert.equal(model, 'local/echo');
    assert.match(JSON.stringify(requestBody), /"temperature":0\.9.*Answer in rhymes\..*It is this.*Only you/s);
    await drawn(2);
    await compare.button('Send').waitFor({ timeout: 60_000 });
    await compare.column('local/fast').getByRole('button', { name: 'Ask This Model' }).waitFor();
    await compare.button('To local/echo').click();
    await compare.frame.getByRole('menuitem', { name: 'Both models' }).click();
    await compare.button('To both models').waitFor({ timeout: 60_000 });
    // The prompt again, from the message box: here it is sent to both.
    await compare.message.click();
    await compare.message.pressSequentially('/several');
    await compare.frame.getByRole('option', { name: /several/ }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('Enter');
    await waitUntil('two more requests', () => asked().length === before + 5);
    await drawn(3);
    await compare.button('Send').waitFor({ timeout: 60_000 });
    assert.deepEqual(await compare.models(), ['local/echo', 'local/fast']);
    // Both texts in VS Code's diff.
    await echo().getByRole('button', { name: 'Compare with Another Reply' }).last().click();
    await page.getByRole('tab', { name: 'local/echo ↔ local/fast' }).waitFor({ timeout: 60_000 });
    await back();
    await echo().getByRole('button', { name: 'Copy', exact: true }).last().click();
    // Its code replaces the selection, as a diff.
    await echo().getByRole('button', { name: 'Apply as Diff' }).last().click();
    const keep = page.locator('.editor-actions').getByRole('button', { name: 'Keep All', exact: true }).first();
    await keep.click({ timeout: 60_000 });
    const written = (text: string) =>
      page.locator('.editor-instance .view-line').filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
    await written(code);
    // The diff, which contains the new code too, closes a moment later.
    const old = page.locator('.editor-instance .view-line').filter({ hasText: 'worse' });
    await waitUntil('the old code is gone', async () => (await old.count()) === 0);
    await page.getByRole('tab', { name: /proposed change/ }).waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByRole('tab', { name: /^applied\.ts/, selected: true }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('ControlOrMeta+A');
    await back();
    // All of it, at the cursor.
    await echo().getByRole('button', { name: 'Insert at Cursor' }).last().click();
    await written('It is this:');
    await back();
    // Deleting asks first; canceling keeps it.
    const remove = async (answer: string) => {
      await compare.button('More Actions…').click();
      await compare.frame.getByRole('menuitem', { name: 'Delete Comparison…' }).click();
      const dialog = modalDialog(page, 'Delete this comparison?');
      await dialog.getByRole('button', { name: answer, exact: true }).click({ timeout: 60_000 });
    };
    await remove('Cancel');
    assert.deepEqual(await compare.models(), ['local/echo', 'local/fast']);
    await remove('Delete');
    await waitUntil('no tab', async () => (await page.getByRole('tab', { name: /^Compare: / }).count()) === 0);
    await workbench().runCommand('File: Revert File');
    await workbench().runCommand('View: Close All Editors');
  });
});
