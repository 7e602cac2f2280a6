import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('The commit message button', () => {
  const workbench = useWorkbench({ settings: { 'git.enabled': true, 'parlance.chat.model': 'local/echo' } });

  it('is above the changes if Git runs on the same machine as Parlance, as it does in a browser, and writes a message', async () => {
    const { page } = workbench();
    await workbench().runCommand('Source Control: Focus on Changes View');
    await page.getByRole('button', { name: 'Initialize Repository' }).click({ timeout: 60_000 });
    const box = page.locator('.scm-editor').first();
    await box.waitFor({ timeout: 60_000 });
    await workbench().runCommand('Git: Stage All Changes');
    await page.getByText('Staged Changes').first().waitFor({ timeout: 60_000 });
    // A view shows its buttons under the pointer.
    await page.locator('.pane-header', { hasText: 'Changes' }).first().hover();
    await page.getByRole('button', { name: 'Generate Commit Message' }).first().click({ timeout: 60_000 });
    await waitUntil('the message', async () =>
      (await box.innerText()).replaceAll('\u00A0', ' ').includes('diff --git'),
    );
  });

  it("'s request is stopped on its page", async () => {
    await workbench().changeSettings({ 'parlance.chat.model': 'local/writer' });
    const requests = await RequestsDriver.open(workbench());
    // Only one is written at a time.
    await requests.row(/^Generate Commit Message, local\/echo, done/).waitFor();
    // Slow enough to be still running when its page is open.
    workbench().service.setSpeed(0.1);
    const written = workbench().driver.runToEnd('parlance.generateCommitMessage');
    const row = requests.row(/^Generate Commit Message, local\/writer, running/);
    const shown = await requests.openPage(row, 'diff --git');
    await shown.getByRole('button', { name: 'Stop' }).click();
    await written;
    await requests.row(/^Generate Commit Message, local\/writer, stopped/).waitFor();
  });

  it('becomes a button that stops it while a message is being written', async () => {
    workbench().service.setSpeed(0.1);
    await workbench().changeSettings({ 'parlance.chat.model': 'local/writer' });
    const { page } = workbench();
    await workbench().runCommand('Source Control: Focus on Changes View');
    const header = page.locator('.pane-header', { hasText: 'Changes' }).first();
    const button = (name: string) => page.getByRole('button', { name }).first();
    await header.hover();
    await button('Generate Commit Message').click({ timeout: 60_000 });
    await button('Stop Generating Commit Message').click({ timeout: 60_000 });
    await button('Generate Commit Message').waitFor({ timeout: 60_000 });
  });
});
