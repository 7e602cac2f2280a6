import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

describe('The button for a commit message', () => {
  const workbench = useWorkbench({ settings: { 'git.enabled': true, 'parlance.chat.model': 'local/echo' } });

  it('stands above the changes where Git runs beside Parlance, as it does in a browser, and writes one', async () => {
    const { page } = workbench();
    await workbench().runCommand('Source Control: Focus on Changes View');
    await page.getByRole('button', { name: 'Initialize Repository' }).click({ timeout: 20_000 });
    const box = page.locator('.scm-editor').first();
    await box.waitFor({ timeout: 20_000 });
    await workbench().runCommand('Git: Stage All Changes');
    await page.getByText('Staged Changes').first().waitFor({ timeout: 20_000 });
    // Buttons of a view can be seen where the pointer is.
    await page.locator('.pane-header', { hasText: 'Changes' }).first().hover();
    await page.getByRole('button', { name: 'Generate Commit Message' }).first().click({ timeout: 20_000 });
    await waitUntil('the message', async () =>
      (await box.innerText()).replaceAll('\u00A0', ' ').includes('diff --git'),
    );
  });
});
