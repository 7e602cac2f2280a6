import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleChecks } from '../workbench/sampleChecks.ts';
import { ChatDriver } from './chatDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const prompts = '.github/prompts';

// One user's path: from a prompt to its checks, and to the model that passes them.
describe('Prompt checks in the workbench', () => {
  const workbench = useWorkbench({ service: { tokensPerSecond: 2000 }, files: () => sampleChecks });
  const table = () =>
    waitUntil('the table of checks', async () => {
      for (const frame of workbench().page.frames()) {
        const shown = frame.locator('#parlance-checks table');
        if ((await shown.count().catch(() => 0)) > 0) return frame;
      }
      return undefined;
    });

  it('run in the Testing view, which names the models that fail', async () => {
    const { page, service } = workbench();
    await workbench().openFile(`${prompts}/explain-briefly.checks.yaml`);
    await page.getByRole('button', { name: 'Run All Checks' }).waitFor({ timeout: 30_000 });
    assert.equal(service.asked().length, 0);
    await workbench().runCommand('Parlance: Run Checks');
    await waitUntil('all requests', () => service.asked().length === 8);
    await page.getByRole('treeitem', { name: /explain-briefly\.checks\.yaml/ }).waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: '1 of 2 models pass' }).waitFor({ timeout: 20_000 });
    await page.getByText('word-count ≤ 120').first().waitFor({ timeout: 20_000 });
  });

  it('are compared in a table that opens a run and its request, and sets a model', async () => {
    const { page } = workbench();
    await workbench().runCommand('Parlance: Show Checks');
    const frame = await table();
    const cell = frame.getByRole('gridcell', { name: /^Stays short, local\/writer: failed, 0 of 2 passed/ });
    await cell.waitFor({ timeout: 20_000 });
    await cell.click();
    const panel = frame.getByRole('region', { name: 'Stays short, local/writer' });
    await panel.getByText(/word-count ≤ 120/).waitFor({ timeout: 20_000 });
    await frame.getByRole('button', { name: 'Use This Model: local/echo' }).click();
    const said = workbench().told(/explain-briefly\.prompt\.md now uses local\/echo/);
    await said.shown();
    const prompt = () => readFile(join(workbench().workspace, prompts, 'explain-briefly.prompt.md'), 'utf8');
    assert.match(await prompt(), /^model: local\/echo$/m);
    await said.press('Undo');
    await waitUntil('the prompt as it was', async () => !(await prompt()).includes('model:'));
    await panel.getByRole('button', { name: 'Show Request' }).click();
    await (await RequestsDriver.open(workbench())).requestPage('local/writer');
    await page.keyboard.press('Escape');
  });

  it('can be created from a prompt and from a request', async () => {
    const { page } = workbench();
    await workbench().runCommand('View: Close All Editors');
    await workbench().openFile(`${prompts}/greet.prompt.md`);
    await workbench().runCommand('Parlance: New Check…');
    await page.getByRole('tab', { name: /greet\.checks\.yaml/ }).waitFor({ timeout: 20_000 });
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
    await list.row('greet.checks.yaml').first().click();
    await waitUntil('a fourth case', async () => (await text()).includes('Write 5 words. In 10 tokens.'));
  });
});
