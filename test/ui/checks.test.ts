import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleChecks } from '../workbench/sampleChecks.ts';
import { ChatDriver } from './chatDriver.ts';
import { clickUntil } from './clickUntil.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { clickRow, expandRow, treeRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const prompts = '.github/prompts';

/** It repeats the question, so that's what's expected apart from one word. */
const exact: Readonly<Record<string, string>> = {
  'exact.checks.yaml': `models: [local/echo]
cases:
  - name: Repeats it exactly
    messages: [{ role: user, content: "red\\ngreen" }]
    assert: [{ type: equals, value: "red\\nblue" }]
`,
};

/** They ask for a file above the folder, in each way that a file can be named. */
const outside = '../outside.txt';
const reaching: Readonly<Record<string, string>> = {
  'promptfooconfig.yaml': `prompts: ['Repeat {{text}}']
providers: [openai:chat:local/echo]
defaultTest: { assert: [{ type: contains, value: canary }] }
tests:
  - { description: Leaves, vars: { text: 'file://${outside}' } }
  - { description: Stays, vars: { text: 'file://inside.txt' } }
`,
  'inside.txt': 'canary-inside',
  'reaching.checks.yaml': `models: [local/echo]
cases:
  - { name: Message, messages: [{ role: user, content: 'file://${outside}' }], assert: [{ type: contains, value: a }] }
  - { name: Expected, messages: [{ role: user, content: a }], assert: [{ type: contains, value: 'file://${outside}' }] }
`,
};

// One user's path: from a prompt to its checks, and to the model that passes them.
describe('Prompt checks in the workbench', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 2000 },
    files: () => ({ ...sampleChecks, ...reaching, ...exact }),
  });
  const table = () =>
    waitUntil('the table of checks', async () => {
      for (const frame of workbench().page.frames()) {
        const shown = frame.locator('#parlance-checks table');
        if ((await shown.count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    });

  /** Waits until the Testing view says how many passed in a run that has ended, for example `3/4`. */
  const lastRun = async (share: string) => {
    const { page } = workbench();
    // It counts while a run continues, too: `0/1` from its start.
    const ended = page.locator('.result-summary').filter({ hasNot: page.locator('.codicon-modifier-spin') });
    await ended.getByText(share, { exact: true }).waitFor({ timeout: 60_000 });
  };

  it('run in the Testing view, which names the models that fail', async () => {
    const { page, service } = workbench();
    await workbench().openFile(`${prompts}/explain-briefly.checks.yaml`);
    await page.getByRole('button', { name: 'Run All Checks' }).waitFor({ timeout: 60_000 });
    assert.equal(service.asked().length, 0);
    await workbench().runFromPalette('Parlance: Run Checks');
    await waitUntil('all requests', () => service.asked().length === 8);
    await treeRow(page, /explain-briefly\.checks\.yaml/).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: '1 of 2 models pass' }).waitFor({ timeout: 60_000 });
    await page.getByText('word-count ≤ 120').first().waitFor({ timeout: 60_000 });
  });

  it('show why a model failed: the expectation, time and cost, a link to the request, and the reply as Markdown', async () => {
    const { page } = workbench();
    await workbench().runFromPalette('Test Results: Focus on Test Results View');
    const results = page.locator('.test-output-peek-tree');
    const message = page.locator('.preview-text');
    const reply = treeRow(results, /writing model, and I know/).first();
    const strong = message.locator('strong', { hasText: 'keep what isn’t' });
    await clickRow(reply, 'the reply as Markdown', () => strong.isVisible());
    await message.locator('code', { hasText: 'src/tasks.ts' }).first().waitFor();
    const expectation = treeRow(results, /word-count ≤ 120/).first();
    const figures = message.getByText(/^Run 1 of 2 · [\d.]+ s° · \d+ tokens · cost 0\.\d+ · Show Request$/);
    await clickRow(expectation, 'the figures of the run', () => figures.isVisible());
    assert.match(await message.innerText(), /^word-count ≤ 120 · \d+\n/);
    await message.getByRole('link', { name: 'Show Request' }).click();
    await (await RequestsDriver.open(workbench())).requestPage('local/writer');
    await workbench().closeEditor(/^Explain this code/);
  });

  it('run again where they failed, and only there', async () => {
    const { service } = workbench();
    const before = service.asked().length;
    await workbench().runCommand('View: Show Testing');
    await workbench().runFromPalette('Test: Rerun Failed Tests');
    await waitUntil('both runs of the case', () => service.asked().length >= before + 2);
    await lastRun('0/1');
    // The only case that failed, with the only model that failed it, twice.
    const models = service.asked().map(({ model }) => model);
    assert.deepEqual(models.slice(before), ['local/writer', 'local/writer']);
  });

  it('run with the selected models instead of those in the file', async () => {
    const { page, service } = workbench();
    const before = service.asked().length;
    const file = treeRow(page, /explain-briefly\.checks\.yaml/).first();
    await chooseFromMenu(page, file, 'Execute Using Profile...');
    const list = new QuickInput(page);
    await list.choose('Run with Selected Models');
    await list.opened('Run with Selected Models');
    const model = (name: string) => list.widget.getByRole('checkbox', { name, exact: true }).first();
    assert.equal(await model('local/writer').isChecked(), true);
    await model('local/writer').click();
    await model('local/fast').click();
    await list.widget.getByRole('button', { name: 'OK' }).click();
    await lastRun('1/2');
    await treeRow(page, /local\/fast/)
      .first()
      .waitFor({ timeout: 60_000 });
    const models = service.asked().map((request) => request.model);
    assert.deepEqual(models.slice(before), Array(4).fill('local/fast'));
    // The gear asks again, with these models selected.
    await workbench().runFromPalette('Test: Configure Test Profiles');
    await list.choose('Run with Selected Models');
    await list.opened('Run with Selected Models');
    assert.equal(await model('local/fast').isChecked(), true);
    assert.equal(await model('local/writer').isChecked(), false);
    await list.dismiss();
  });

  it('have their results after a reload', async () => {
    const { page, service } = workbench();
    const before = service.asked().length;
    await workbench().reload();
    await page.getByRole('button', { name: '3 of 3 models pass' }).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: '1 of 3 models pass' }).waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Show Testing');
    await treeRow(page, /explain-briefly\.checks\.yaml.*Failed/i).waitFor({ timeout: 60_000 });
    assert.equal(service.asked().length, before);
  });

  it('of the other samples run from the lines above them: one passes, and one fails, as its comment says', async () => {
    const { page } = workbench();
    await workbench().openFile(`${prompts}/greet.checks.yaml`);
    await page.getByRole('button', { name: 'Run All Checks' }).click();
    await lastRun('2/2');
    await workbench().openFile(`${prompts}/as-json.checks.yaml`);
    await page.getByRole('button', { name: 'Run All Checks' }).click();
    await lastRun('0/1');
    await page.getByText('is-json', { exact: false }).first().waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close All Editors');
  });

  it("send nothing of a file outside of the folder, and mark where it's named", async () => {
    const { page, service } = workbench();
    await writeFile(join(workbench().workspace, outside), 'canary-outside');
    const before = service.asked().length;
    await workbench().runCommand('View: Show Testing');
    for (const name of [/^reaching\.checks\.yaml/, /^promptfooconfig\.yaml/])
      await chooseFromMenu(page, treeRow(page.locator('.test-explorer'), name), 'Run Test');
    await waitUntil('the only request', () => service.asked().length > before);
    await workbench().settle();
    const sent = service.asked().slice(before);
    assert.deepEqual(
      sent.map(({ requestBody }) => (requestBody as { messages: readonly { content: string }[] }).messages[0]?.content),
      ['Repeat canary-inside'],
    );
    for (const path of Object.keys(reaching).filter((each) => each.endsWith('.yaml'))) await workbench().openFile(path);
    await workbench().runCommand('Problems: Focus on Problems View');
    const marked = page.locator('.markers-panel').getByText(/outside of the workspace folder/);
    await waitUntil('three marks', async () => (await marked.count()) === 3);
  });

  it('open the expected text beside the reply with a click on a failed check', async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    await workbench().runCommand('View: Show Testing');
    const explorer = page.locator('.test-explorer');
    const file = treeRow(explorer, /^exact\.checks\.yaml/);
    const check = treeRow(explorer, /^Repeats it exactly/);
    await chooseFromMenu(page, file, 'Run Test');
    await lastRun('0/1');
    for (const row of [file, check]) await expandRow(row, true, row.locator('.monaco-tl-twistie'));
    const index = Number(await check.getAttribute('data-index'));
    // For a screen reader, VS Code replaces a row's text with its description.
    const model = explorer.locator(`[data-index="${index + 1}"]`, { hasText: 'local/echo' });
    const failed = treeRow(explorer, /^0\/1 \(Failed\)/).and(model);
    const diff = page.locator('.zone-widget .monaco-diff-editor');
    assert.equal(await diff.count(), 0);
    const opened = page.getByRole('tab', { name: /exact\.checks\.yaml/ });
    await clickRow(failed, 'the file with the check', () => opened.isVisible());
    await diff.locator('.editor.original .view-line', { hasText: 'blue' }).waitFor({ timeout: 60_000 });
    await diff.locator('.editor.modified .view-line', { hasText: 'green' }).waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close All Editors');
  });

  it('are compared in a table that opens a run and its request, and sets a model', async () => {
    const { page } = workbench();
    await workbench().runFromPalette('Parlance: Show Checks');
    const frame = await table();
    const cell = frame.getByRole('gridcell', { name: /^Stays short, local\/writer: failed, 0 of 2 passed/ });
    await cell.waitFor({ timeout: 60_000 });
    await cell.click();
    const panel = frame.getByRole('region', { name: 'Stays short, local/writer' });
    await panel.getByText(/word-count ≤ 120/).waitFor({ timeout: 60_000 });
    await frame.getByRole('button', { name: 'Use This Model: local/echo' }).click();
    const said = workbench().told('2 prompts now use local/echo.');
    await said.shown();
    const prompt = () => readFile(join(workbench().workspace, prompts, 'explain-briefly.prompt.md'), 'utf8');
    assert.match(await prompt(), /^model: local\/echo$/m);
    await said.press('Undo');
    await waitUntil('the prompt as it was', async () => !(await prompt()).includes('model:'));
    await panel.getByRole('button', { name: 'Show Request' }).click();
    await (await RequestsDriver.open(workbench())).requestPage('local/writer');
    await page.keyboard.press('Escape');
  });

  it('are sorted and run from the table, which leads to the line of what failed', async () => {
    const { page, service } = workbench();
    await workbench().runCommand('Parlance: Show Checks');
    const frame = await table();
    const order = frame.getByRole('combobox', { name: 'Sorted by' });
    await order.selectOption({ label: 'Name' });
    const before = service.asked().length;
    // Long enough for its end to be told from its beginning.
    service.setSpeed(20);
    await frame.getByRole('button', { name: 'Run All' }).click();
    await frame.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    service.setSpeed(2000);
    await waitUntil('all requests', () => service.asked().length >= before + 8);
    const cell = frame.getByRole('gridcell', { name: /^Stays short, local\/writer: failed, 0 of 2 passed/ });
    await frame.getByRole('button', { name: 'Run All' }).waitFor();
    assert.equal(await order.inputValue(), 'name', 'the host has the order too');
    await cell.click();
    const panel = frame.getByRole('region', { name: 'Stays short, local/writer' });
    const link = panel.getByRole('button', { name: /explain-briefly\.checks\.yaml:\d+$/ });
    const line = (await link.innerText()).split(':').at(-1);
    await link.click();
    await page.getByRole('tab', { name: /^explain-briefly\.checks\.yaml/ }).waitFor();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await page.getByRole('button', { name: new RegExp(`^Ln ${line}, Col `) }).waitFor();
    await workbench().runCommand('View: Close All Editors');
  });

  it('are exported from the table as Markdown, CSV, JUnit XML, and a configuration for promptfoo', async () => {
    const { page } = workbench();
    const list = new QuickInput(page);
    const exported = async (form: string, name: string) => {
      await workbench().runCommand('Parlance: Show Checks');
      await (await table()).getByRole('combobox', { name: 'Export' }).selectOption({ label: form });
      await list.opened('Export Checks');
      const file = join(workbench().workspace, `exported-${name}`);
      await list.saveAs(new RegExp(`${name.replaceAll('.', '\\.')}$`), file);
      await page.getByRole('tab', { name: `exported-${name}` }).waitFor({ timeout: 60_000 });
      return readFile(file, 'utf8');
    };
    const short = '.github/prompts/explain-briefly.checks.yaml';
    assert.match(await exported('Markdown', 'checks.md'), /^\| Stays short \|.* 0\/2 failed \|/m);
    assert.match(
      await exported('CSV', 'checks.csv'),
      new RegExp(`^${short},Stays short,local/writer,failed,0,2,`, 'm'),
    );
    assert.match(
      await exported('JUnit XML', 'checks.junit.xml'),
      /<testcase classname="local\/writer" name="Stays short"><failure message="0\/2 failed"\/>/,
    );
    const config = await exported('promptfooconfig.yaml', 'promptfooconfig.yaml');
    assert.match(config, /^ {2}- description: Stays short$/m);
    assert.match(config, /id: openai:chat:local\/writer/);
    await workbench().runCommand('View: Close All Editors');
  });

  it('have their results deleted from the table once that is confirmed', async () => {
    const { page } = workbench();
    await workbench().runCommand('Parlance: Show Checks');
    const frame = await table();
    const button = frame.getByRole('button', { name: 'Delete Results…' });
    const failed = frame.getByRole('gridcell', { name: /^Stays short, local\/writer: failed/ });
    await button.click();
    await answerDialog(page, 'Delete the results of these checks?', 'Cancel');
    await failed.waitFor();
    await button.click();
    await answerDialog(page, 'Delete the results of these checks?', 'Delete');
    await failed.waitFor({ state: 'detached' });
    await button.waitFor({ state: 'detached' });
    await workbench().runCommand('View: Close All Editors');
  });

  it('stop when asked to in the table, and cancel the requests in flight', async () => {
    const { service } = workbench();
    await workbench().runCommand('Parlance: Show Checks');
    const frame = await table();
    const before = service.asked().length;
    service.setSpeed(1);
    await frame.getByRole('button', { name: 'Run All' }).click();
    await waitUntil('a request that is being answered', () =>
      service
        .asked()
        .slice(before)
        .some(({ outcome, completionTokens = 0 }) => outcome === 'running' && completionTokens > 0),
    );
    await frame.getByRole('button', { name: 'Stop', exact: true }).click();
    await frame.getByRole('button', { name: 'Run All' }).waitFor({ timeout: 60_000 });
    await waitUntil('the end of all requests', () => service.asked().every(({ outcome }) => outcome !== 'running'));
    const outcomes = service.asked().slice(before);
    assert.ok(
      outcomes.some(({ outcome }) => outcome === 'canceled'),
      JSON.stringify(outcomes.map(({ outcome }) => outcome)),
    );
    await workbench().runCommand('View: Close All Editors');
  });

  it('can be created from a prompt and from a request', async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    await workbench().openFile(`${prompts}/greet.prompt.md`);
    await workbench().runCommand('Parlance: New Check…');
    await page.getByRole('tab', { name: /greet\.checks\.yaml/ }).waitFor({ timeout: 60_000 });
    const text = () => readFile(join(workbench().workspace, prompts, 'greet.checks.yaml'), 'utf8');
    await waitUntil('a third case', async () => (await text()).match(/- name:/g)?.length === 3);
    const chat = await ChatDriver.open(workbench());
    await chat.ask('Write 5 words. In 10 tokens.');
    await chat.ask('Write 3 words. In 10 tokens.');
    const requests = await RequestsDriver.open(workbench());
    await requests.choose(
      requests.row(/^Write 5 words\. In 10 tokens\., local\/writer, done/).first(),
      'Keep as a Check…',
    );
    const list = new QuickInput(page);
    await list.opened('Keep as a Check');
    await list.choose('greet.checks.yaml');
    await waitUntil('a fourth case', async () => (await text()).includes('Write 5 words. In 10 tokens.'));
  });

  it("are all shown again once the table's only file is gone, and a new file can be created when none is left", async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    const remove = (path: string) => rm(join(workbench().workspace, path));
    const frame = await clickUntil(
      'the table of one file',
      async (tryClick) => {
        // The test before this one ends while VS Code is still opening another file.
        await workbench().openFile('exact.checks.yaml');
        return tryClick(page.getByRole('button', { name: 'Compare Models' }).first());
      },
      async () => {
        for (const each of page.frames()) {
          // A frame that's still loading can't be asked yet.
          const cells = async (name: string) =>
            each
              .getByRole('gridcell', { name })
              .count()
              .catch(() => 0);
          const [own, others] = [
            await cells('Repeats it exactly, local/echo:'),
            await cells('Uses the name, local/echo:'),
          ];
          if (own > 0 && others === 0) return each;
        }
        return undefined;
      },
    );
    await remove('exact.checks.yaml');
    await frame.getByText('"exact.checks.yaml" no longer exists.').waitFor({ timeout: 60_000 });
    await frame.getByRole('button', { name: 'Show All Checks' }).click();
    await frame.getByRole('gridcell', { name: /^Uses the name, local\/echo:/ }).waitFor();
    const others = ['greet', 'explain-briefly', 'as-json'].map((name) => `${prompts}/${name}.checks.yaml`);
    for (const path of [...others, ...Object.keys(reaching).filter((each) => each.endsWith('.yaml'))])
      await remove(path);
    await frame.getByRole('button', { name: 'New Check File' }).click({ timeout: 60_000 });
    const list = new QuickInput(page);
    await list.opened('New Check');
    await list.choose('as-json');
    await page.getByRole('tab', { name: /^as-json\.checks\.yaml/ }).waitFor({ timeout: 60_000 });
  });
});
