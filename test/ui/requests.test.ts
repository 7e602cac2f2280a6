import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromTitle } from './contextMenu.ts';
import { findTraces } from './findTraces.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { selectRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const canary = 'canary-5be01f7790aa41d2-key';

const tokensPerSecond = 200;

// One user's look at the requests: each step builds on the previous one.
describe('Requests in the workbench', () => {
  const workbench = useWorkbench({ service: { apiKey: canary, tokensPerSecond } });
  const clipboard = () => workbench().page.evaluate(() => navigator.clipboard.readText());

  it('show a running chat, and how it ended', async () => {
    // VS Code draws only the rows that fit.
    await workbench().resizeTo(1280, 1400);
    const requests = await RequestsDriver.open(workbench());
    const chat = await ChatDriver.open(workbench());
    // As long as it takes until it's stopped.
    workbench().service.setSpeed(20);
    await chat.send('Write a long essay about lists. In 20,000 tokens.');
    const running = requests.row(/^Write a long essay about lists\. In 20,000 tokens\., local\/writer, running/);
    await running.waitFor({ timeout: 60_000 });
    await running.getByText(/^running · .*[\d.]+ s°? · .*≈ [\d,]+ tokens/).waitFor({ timeout: 60_000 });
    await workbench().runFromPalette('Parlance: Stop Reply');
    await requests.row(/local\/writer, stopped/).waitFor({ timeout: 60_000 });
    workbench().service.setSpeed(tokensPerSecond);
    // Until the page knows, it sends nothing else.
    await chat.ended(0);
    await chat.ask('One more, in 10 tokens.');
    await requests.row(/local\/writer, done, .*tok\/s .*first token .*tokens/).waitFor({ timeout: 60_000 });
    await chat.chooseModel('local/error-402');
    await chat.send('This will fail.');
    await requests.row(/local\/error-402, failed, Out of credits, .*failed \(402\)/).waitFor({ timeout: 60_000 });
    await requests
      .row(/^(?:Today|Yesterday), \d+ requests?/)
      .first()
      .waitFor();
  });

  it('open as a page with question, reply, and speed, which runs them again; their JSON is one click away', async () => {
    const { page, service } = workbench();
    const requests = await RequestsDriver.open(workbench());
    const row = requests.row(/^One more, in 10 tokens\., local\/writer, done/).first();
    const done = await requests.openPage(row, 'succeeded (200)');
    await done.getByRole('group', { name: 'You' }).getByText('One more, in 10 tokens.').waitFor();
    await done.getByRole('img', { name: /waiting, .* writing, .* total\./ }).waitFor();
    await done.locator('.answer', { hasText: /\S/ }).waitFor();
    const before = service.asked().length;
    await done.getByRole('button', { name: 'Run Again' }).click();
    await workbench().told('local/writer replied.').shown();
    assert.equal(service.asked().length, before + 1);
    await done.getByRole('button', { name: 'Show JSON' }).click();
    await page.getByRole('tab', { name: /response\.json/ }).waitFor({ timeout: 60_000 });
    await waitUntil('the response', async () => (await requests.editorText()).includes('"state": "done"'));
    const failed = await requests.openPage(requests.row(/local\/error-402, failed/), 'Out of credits');
    await page.keyboard.press('Enter');
    await failed.getByRole('button', { name: 'Show JSON' }).press('Enter');
    await waitUntil('the failure', async () => (await requests.editorText()).includes('"kind": "outOfCredits"'));
    await page.locator('.editor-group-container.active .monaco-editor').first().click();
    await page.keyboard.type('x');
    await page.getByText('Cannot edit in read-only editor').first().waitFor({ timeout: 60_000 });
  });

  it('are copied as code with the name of the key, not the key', async () => {
    const requests = await RequestsDriver.open(workbench());
    await requests.choose(requests.row(/local\/writer, done/).first(), 'Copy as Code', 'Copy Request as curl (bash)');
    await waitUntil('curl on the clipboard', async () => (await clipboard()).startsWith('curl '));
    const code = await clipboard();
    assert.ok(code.includes('$SERVICE_API_KEY') && code.includes('One more, in 10 tokens.'));
    assert.ok(!code.includes(canary));
    await requests.choose(requests.row(/local\/writer, done/).first(), 'Copy Request ID');
    await waitUntil('a request id on the clipboard', async () => (await clipboard()).startsWith('req_'));
    const copied = await clipboard();
    assert.ok(
      workbench()
        .service.log()
        .some(({ id }) => id === copied),
    );
  });

  it('run again, or with another model, and the replies are compared', async () => {
    const { page, service } = workbench();
    const requests = await RequestsDriver.open(workbench());
    const original = service.asked().findLast(({ model }) => model === 'local/writer')?.requestBody;
    await requests.choose(requests.row(/local\/writer, done/).first(), 'Run Request with Another Model…');
    const list = new QuickInput(page);
    await list.opened('Select Model');
    await list.box.fill('local/echo');
    await list.choose('local/echo');
    const notification = workbench().told('local/echo replied.');
    await notification.shown();
    assert.deepEqual(service.asked().at(-1)?.requestBody, { ...Object(original), model: 'local/echo' });
    await requests.row(/local\/echo, done/).waitFor();
    await notification.press('Compare');
    const compared = await requests.comparison();
    await compared.getByText(/finished [\d.]+× sooner|took about the same time/).waitFor();
    await compared.getByRole('region', { name: 'local/echo' }).getByText('One more, in 10 tokens.').waitFor();
    const names = () => compared.locator('.column h2').allInnerTexts();
    assert.deepEqual(await names(), ['local/writer', 'local/echo']);
    await compared.getByRole('button', { name: 'Swap' }).click();
    await waitUntil('the other order', async () => (await names())[0] === 'local/echo');
    await compared.getByRole('button', { name: 'Swap' }).click();
    await waitUntil('the first order', async () => (await names())[0] === 'local/writer');
    await compared.getByRole('button', { name: 'Show Differences' }).click();
    await page.getByRole('tab', { name: /local\/writer ↔ local\/echo/ }).waitFor({ timeout: 60_000 });
    await page.locator('.monaco-diff-editor').getByText('One more, in 10 tokens.').first().waitFor({ timeout: 60_000 });
  });

  it('are compared if two are selected', async () => {
    const { page } = workbench();
    const requests = await RequestsDriver.open(workbench());
    await workbench().runCommand('View: Close All Editors');
    await requests.openPage(requests.row(/local\/echo, done/), 'local/echo');
    const other = requests.row(/^One more, in 10 tokens\., local\/writer, done/).first();
    await selectRow(other, true);
    await requests.choose(other, 'Compare Replies…');
    await page.getByRole('tab', { name: 'Compare Replies' }).waitFor({ timeout: 60_000 });
    const compared = await requests.comparison();
    await compared.getByRole('region', { name: 'local/writer' }).waitFor();
  });

  it("are compared in the view's title, too, even if a row that is no longer selected has the focus", async () => {
    const { page } = workbench();
    const requests = await RequestsDriver.open(workbench());
    await workbench().runCommand('View: Close All Editors');
    const deselected = requests.row(/local\/error-402, failed/).first();
    await selectRow(deselected, true);
    await selectRow(deselected, false);
    assert.equal(await requests.view.locator('[role=treeitem][aria-selected=true]').count(), 2);
    await chooseFromTitle(page, 'Requests', 'Compare Replies…');
    const compared = await requests.comparison();
    for (const name of ['local/writer', 'local/echo']) await compared.getByRole('region', { name }).waitFor();
    // With several selected rows, the menu of a row only has what is about all of them.
    await requests.openPage(deselected, 'Out of credits');
  });

  it('are offered for the comparison if more than two are selected', async () => {
    const { page } = workbench();
    const requests = await RequestsDriver.open(workbench());
    await workbench().runCommand('View: Close All Editors');
    const echo = requests.row(/local\/echo, done/).first();
    await requests.openPage(echo, 'local/echo');
    for (const index of [0, 1]) await selectRow(requests.row(/local\/writer, done/).nth(index), true);
    await requests.choose(echo, 'Compare Replies…');
    const list = new QuickInput(page);
    await list.opened('Compare with');
    // VS Code shows the list before it has its rows.
    await waitUntil('two to compare with', async () => (await list.row(/local\//).count()) === 2);
    await list.choose(/local\//, 1);
    const compared = await requests.comparison();
    for (const name of ['local/writer', 'local/echo']) await compared.getByRole('region', { name }).waitFor();
    await requests.openPage(echo, 'local/echo');
  });

  it('show which part of Parlance sent them', async () => {
    const { page, server } = workbench();
    const requests = await RequestsDriver.open(workbench());
    await workbench().runCommand('Parlance: Test Connection');
    await requests
      .row(/^Model list, done/)
      .first()
      .waitFor({ timeout: 60_000 });
    await workbench().openFile('src/tasks.ts');
    await page.keyboard.press('ControlOrMeta+A');
    await workbench().runCommand('Parlance: Fix Code');
    await requests.row(/^Fix, local\/\w+, (running|done|stopped)/).waitFor({ timeout: 60_000 });
    await waitUntil('both on disk, with who asked', async () => {
      const kinds = ['connectionTest', 'prompt', 'chat', 'again'];
      const traces = await Promise.all(
        kinds.map((kind) => findTraces(server.dataFolder, `"origin":{"kind":"${kind}"`)),
      );
      return traces.every((files) => files.some((file) => file.includes('requests')));
    });
    // While it's being written, the list is redrawn again and again, and VS Code forgets which row a menu is about.
    await requests.row(/^Fix, local\/\w+, (done|stopped)/).waitFor({ timeout: 60_000 });
  });

  it('lead to their conversation', async () => {
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    const requests = await RequestsDriver.open(workbench());
    await requests.choose(requests.row(/local\/error-402, failed/), 'Open Conversation');
    await waitUntil('the conversation', async () => {
      const shown = await ChatDriver.inView(workbench());
      return (await shown.questions.filter({ hasText: 'This will fail.' }).count()) === 1;
    });
  });

  it('have buttons on their page for what the menu of their row offers', async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    const requests = await RequestsDriver.open(workbench());
    // The oldest one: those that were run again have no conversation.
    const row = requests.row(/^One more, in 10 tokens\., local\/writer, done/).last();
    const shown = await requests.openPage(row, 'succeeded (200)');
    const list = new QuickInput(page);
    for (const [button, title] of [
      ['Run with Another Model…', 'Select Model'],
      ['Copy as Code…', 'Copy Request as Code'],
      ['Compare Replies…', 'Compare with'],
    ] as const) {
      await shown.getByRole('button', { name: button }).click();
      await list.opened(title);
      await list.dismiss();
    }
    await (await ChatDriver.open(workbench())).startAnew();
    await shown.getByRole('button', { name: 'Open Conversation' }).click();
    const chat = await ChatDriver.inView(workbench());
    await chat.questions.getByText('One more, in 10 tokens.').waitFor();
    await shown.locator('details[data-fold=parameters] summary').click();
    await shown.getByRole('button', { name: 'Show Request JSON' }).click();
    await page.getByRole('tab', { name: /request\.json/ }).waitFor();
  });

  it("lead to the setting if their content isn't saved", async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    await workbench().changeSettings({ 'parlance.requests.saveContent': false });
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask('Not to be kept, in 5 tokens.');
    const requests = await RequestsDriver.open(workbench());
    const shown = await requests.openPage(requests.row(/local\/writer, done/).first(), "The content isn't saved.");
    await shown.getByRole('button', { name: 'Open Setting' }).click();
    await page.locator('.settings-editor').getByText('Save Content').first().waitFor();
    await workbench().changeSettings({ 'parlance.requests.saveContent': undefined });
    await workbench().runCommand('View: Close All Editors');
  });

  it('are stopped on their page, which shows what had arrived', async () => {
    const requests = await RequestsDriver.open(workbench());
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    // Few tokens per second: two pages draw them.
    await chat.chooseModel('local/slow');
    await chat.send('An endless story about rows. In 20,000 tokens.');
    const row = requests.row(/^An endless story about rows.*running/);
    const running = await requests.openPage(row, 'An endless story about rows');
    await waitUntil('some of the reply', async () => (await running.locator('.answer').innerText()).length > 20);
    await requests.choose(row, 'Delete Requests');
    await workbench().told("A request can't be deleted while it's running. Stop it first.").shown();
    await running.getByRole('button', { name: 'Stop' }).click();
    await (await requests.requestPage(/stopped/)).getByRole('button', { name: 'Run Again' }).waitFor();
    await requests.row(/^An endless story about rows.*, stopped/).waitFor({ timeout: 60_000 });
  });

  it("are summed up on a usage page, in the window's theme", async () => {
    const requests = await RequestsDriver.open(workbench());
    await workbench().runCommand('Parlance: Show Usage');
    const usage = await requests.usagePage();
    await usage.getByRole('img', { name: /A bar for each of the last 30 days/ }).waitFor();
    const table = usage.getByRole('region', { name: 'Model' });
    await table.getByRole('rowheader', { name: 'local/writer' }).waitFor();
    await usage.getByLabel('Show', { exact: true }).selectOption('tokens');
    await usage.getByRole('img', { name: /highest is .*: (≈\s)?[\d,]+ tokens/ }).waitFor();
    // Since midnight, there might be none.
    await usage.getByLabel('Time', { exact: true }).selectOption('week');
    await table.getByRole('rowheader', { name: 'local/echo' }).waitFor();
    assert.deepEqual(
      workbench().consoleLines.filter((line) => line.includes('Content Security Policy') && line.includes('usage')),
      [],
    );
  });

  it('open on a click while the list is redrawn', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.open(workbench());
    // What an earlier test's reply had when it was stopped might not fit into the small model's window.
    await chat.startAnew();
    await chat.chooseModel('local/small');
    const requests = await RequestsDriver.open(workbench());
    const failed = requests.row(/local\/error-402, failed/).first();
    for (let time = 0; time < 8; time += 1) {
      await workbench().runCommand('View: Close All Editors');
      await chat.send('Again.');
      // Its row, and then its end, each redraw the list.
      await requests.openPage(failed, 'Out of credits');
      assert.equal(await page.locator('.quick-input-widget').isVisible(), false);
      await chat.lastReply.and(chat.frame.locator('[data-state="done"]')).waitFor();
    }
  });

  it('are asked for when VS Code no longer knows the row of a menu, instead of taking the selected one', async () => {
    await workbench().runCommand('View: Close All Editors');
    const requests = await RequestsDriver.open(workbench());
    await requests.openPage(requests.row(/local\/error-402, failed/).first(), 'Out of credits');
    // VS Code passes null while the list is redrawn.
    await workbench().driver.run('parlance.deleteRequests', null);
    const list = new QuickInput(workbench().page);
    await list.opened('Select Request');
    await list.dismiss();
    await requests
      .row(/local\/error-402, failed/)
      .first()
      .waitFor();
  });

  it('are deleted and cleared after a confirmation, which keeps the focus in the view; the conversation stays', async () => {
    const { page, server } = workbench();
    const requests = await RequestsDriver.open(workbench());
    const secret = 'One more, in 10 tokens.';
    // Only one: two are still selected.
    const deleted = requests.row(/local\/echo, done/);
    await requests.openPage(deleted, 'local/echo');
    await requests.choose(deleted, 'Delete Requests');
    const one = await answerDialog(page, 'Delete this request from the request history?', 'Delete');
    assert.match(one, /Its saved response and its speed are deleted .* measurements aren't affected/);
    await requests.row(/local\/echo, done/).waitFor({ state: 'detached' });
    const kept = () => findTraces(server.dataFolder, secret);
    assert.ok((await kept()).some((file) => file.includes('requests')));
    const isFocused = () =>
      page.evaluate(() => document.activeElement?.closest('.part.sidebar .monaco-list') instanceof HTMLElement);
    await workbench().runCommand('Parlance: Show Requests');
    await waitUntil('the focus in the list', isFocused);
    await workbench().runCommand('Parlance: Clear Request History…');
    const all = await answerDialog(page, 'Clear the request history?', 'Clear');
    assert.match(all, /All saved requests, responses, and speeds are deleted .* measurements aren't affected/);
    await requests.row('No requests').waitFor({ timeout: 60_000 });
    await waitUntil('the focus in the empty list', isFocused);
    const left = await kept();
    assert.deepEqual(
      left.filter((file) => file.includes('requests')),
      [],
    );
    assert.ok(left.some((file) => file.includes('conversations')));
    assert.deepEqual(await findTraces(server.dataFolder, canary), []);
  });
});
