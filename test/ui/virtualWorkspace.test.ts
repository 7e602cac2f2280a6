import assert from 'node:assert/strict';
import { projectFolder } from '../workbench/folders.ts';
import { writeMemoryFolder } from '../workbench/writeMemoryFolder.ts';
import { ChatDriver } from './chatDriver.ts';
import { QuickInput } from './quickInput.ts';
import { clickRow, treeRow } from './row.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

/* oxlint-disable no-template-curly-in-string -- a slot of a prompt */
const files = {
  '/tasks/moon.ts': 'export const moon = "full";\n',
  '/tasks/.github/prompts/rhyme.prompt.md': '---\ntarget: newChat\n---\nRhyme on ${selection}\n',
};

describe("A folder that isn't on a disk", () => {
  const workbench = useWorkbench({
    virtualFolder: 'memory:/tasks',
    extension: { kind: 'linked', folder: projectFolder, addTo: (folder) => writeMemoryFolder(folder, files) },
    settings: { 'parlance.chat.model': 'local/echo' },
  });

  // Quick Open needs a search provider, which such folders rarely have.
  async function selectAllOf(name: string): Promise<void> {
    const { page } = workbench();
    const tab = page.locator('.tab.active', { hasText: name });
    await clickRow(treeRow(page, name), `the tab of ${name}`, () => tab.isVisible());
    await page.locator('.editor-instance .view-line').first().click({ timeout: 60_000 });
    await workbench().page.keyboard.press('ControlOrMeta+A');
  }

  it('allows chats about the selection in its files', async () => {
    await selectAllOf('moon.ts');
    await workbench().runCommand('Parlance: Explain Code');
    const chat = await ChatDriver.inView(workbench());
    await chat.ended(0);
    const sent = JSON.stringify(workbench().service.asked().at(-1)?.requestBody);
    assert.match(sent, /export const moon/);
    await chat.ask('And the sun?');
    assert.equal(await chat.replies.count(), 2);
  });

  it('has its own prompts', async () => {
    await selectAllOf('moon.ts');
    await workbench().runCommand('Parlance: Run Prompt…');
    await new QuickInput(workbench().page).choose('rhyme');
    await waitUntil('the prompt at the service', () =>
      JSON.stringify(workbench().service.asked().at(-1)?.requestBody).includes('Rhyme on export const moon'),
    );
  });
});
