import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { treeRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

// VS Code's own Chat view, without an account: a participant makes it reply with any model that it lists.
describe("VS Code's own Chat view", () => {
  const workbench = useWorkbench({
    needsBuiltIn: true,
    settings: { 'chat.disableAIFeatures': false, 'parlance.chat.model': 'local/echo' },
  });
  const view = (): Locator => workbench().page.locator('.interactive-session');

  async function ask(words: string, where = view()): Promise<void> {
    const { page } = workbench();
    await where.locator('.interactive-input-part .monaco-editor').first().click();
    await page.keyboard.insertText(words);
    // Enter would accept a suggestion instead if one happens to be shown.
    await workbench().driver.run('workbench.action.chat.submit');
  }

  it('sends nothing and needs no account to list our models', async () => {
    await workbench().runCommand('Chat: Open Chat');
    await view().locator('.interactive-input-part').getByText('echo', { exact: true }).waitFor({ timeout: 60_000 });
    assert.equal(workbench().service.log().length, 0);
  });

  it('replies through @parlance with the model that is selected in it', async () => {
    await ask('@parlance Good morning, sunshine');
    await view().locator('.interactive-response').getByText('Good morning, sunshine').waitFor({ timeout: 60_000 });
    const [asked] = workbench().service.log();
    assert.equal(asked?.model, 'local/echo');
    // None of VS Code's instructions for its own agent.
    const { messages } = asked.requestBody as { readonly messages: unknown };
    assert.deepEqual(messages, [{ role: 'user', content: 'Good morning, sunshine' }]);
    const answer = view().locator('.interactive-response');
    // VS Code shows it while the pointer is on the reply.
    await answer.hover();
    await answer.getByText(/tok\/s · .*first token/).waitFor({ timeout: 60_000 });
    await waitUntil('the end', () => workbench().service.log()[0]?.outcome === 'done');
  });

  it('offers follow-up questions', async () => {
    await workbench().openFile('src/main.py');
    await workbench().page.keyboard.press('ControlOrMeta+A');
    // The next question goes to the same participant.
    await ask('/explain');
    await view().getByText('Write tests for it').waitFor({ timeout: 60_000 });
    assert.match(JSON.stringify(workbench().service.asked().at(-1)?.requestBody), /def median/);
  });

  it('lists our reply in the Requests view', async () => {
    await workbench().runCommand('Parlance: Show Requests');
    await treeRow(workbench().page, /local\/echo, done/)
      .first()
      .waitFor({ timeout: 60_000 });
  });

  // Runs last: what VS Code opens stays open.
  it('asks for an account, and sends us nothing, if a question has no participant', async () => {
    const earlier = workbench().service.asked().length;
    await workbench().runCommand('Chat: New Chat Editor');
    await ask('Good evening, nobody', workbench().page.locator('.editor-group-container .interactive-session'));
    await workbench().page.getByText('Sign in to use GitHub Copilot').first().waitFor({ timeout: 60_000 });
    assert.equal(workbench().service.asked().length, earlier);
  });
});
