import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { LogEntry } from '../service/inferenceLog.ts';
import { modalDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const better = `export function removeDone(tasks: readonly Task[]): Task[] {
  const open = tasks.filter((task) => !task.done);
  return open;
}`;

/** Drawn as Markdown, this would be an icon, and a link that closes the window. */
const hostile = '$(flame)[press](command:workbench.action.closeWindow)';

/**
 * A workbench with prompts in its folder, and a model that echoes: a prompt's text is the reply. After each test, all is
 * closed, and the file is as it was.
 */
export function usePrompts(): { readonly workbench: () => WorkbenchPage; readonly code: () => string } {
  const workbench = useWorkbench({
    // In a browser VS Code saves after a second, and a save ends an undo step.
    settings: { 'parlance.chat.model': 'local/echo' },
  });

  let code: string;

  before('write prompts', async () => {
    const folder = join(workbench().workspace, '.github', 'prompts');
    await mkdir(folder, { recursive: true });
    const write = (name: string, text: string) => writeFile(join(folder, `${name}.prompt.md`), text);
    const read = () => readFile(join(workbench().workspace, 'src/tasks.ts'), 'utf8');
    // The model echoes: the prompt's text is the reply.
    await write('tidy', `---\ndescription: Makes it simpler\ntarget: replace\n---\n\`\`\`ts\n${better}\n\`\`\`\n`);
    await write(
      'hidden',
      `---\ntarget: replace\n---\n\`\`\`ts\n${better.replace('open;', 'open; // \u202Ehid')}\n\`\`\`\n`,
    );
    await write('slow', '---\ntarget: beside\nmodel: local/slow\n---\nWrite 900 tokens about trees');
    await write('trees', '---\ntarget: beside\nmodel: local/writer\n---\nWrite 200 tokens about trees');
    await write('rewrite', '---\ntarget: replace\nmodel: local/slow\n---\nWrite 4000 tokens about ${fileBasename}');
    await write('broken', '---\ntarget: beside\nmodel: local/fault-error-later\n---\nWrite 90 tokens about trees');
    await write('clip', '---\ntarget: beside\n---\n${clipboard}\n${openEditors}');
    // As in a hostile workspace. Only the words before it are ours.
    await write(
      `pressme ${hostile}`,
      `---\ntarget: beside\ndescription: ${JSON.stringify(hostile)}\nmodel: ${JSON.stringify(`none/${hostile}`)}\n---\nOnly \${input:name:${hostile}}`,
    );
    await write('short', '---\ntarget: beside\n---\nOnly this');
    await write(
      'explained',
      `---\ntarget: cursor\n---\n${'Every task that is done goes. '.repeat(6)}\n\`\`\`ts\ndoneGoes();\n\`\`\`\n`,
    );
    await write('windows', '---\r\ntarget: chat\r\n---\r\none\r\ntwo');
    await write('long', `---\ntarget: beside\nmodel: local/small\n---\n${'word '.repeat(300)}`);
    code = await read();
    const two = functionOf(code)
      .replace('tasks: Task[])', 'tasks: Task[], log = false)')
      .replace('return tasks;', 'return [...tasks];');
    await write('two', `---\ntarget: replace\n---\n\`\`\`ts\n${two}\n\`\`\`\n`);
  });

  afterEach('close all, and put the file back', async () => {
    const { page } = workbench();
    await page.keyboard.press('Escape');
    await workbench().runCommand('View: Close All Editors');
    const leave = modalDialog(page, /save/i).getByRole('button', { name: "Don't Save" });
    await waitUntil('no editors', async () => {
      // VS Code asks about unsaved ones only.
      if (await leave.isVisible()) await leave.click();
      return (await page.locator('.tabs-container .tab').count()) === 0;
    });
    await writeFile(join(workbench().workspace, 'src/tasks.ts'), code);
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
  });
  return { workbench, code: () => code };
}

export async function selectFunction(workbench: WorkbenchPage): Promise<void> {
  await select(workbench, 7, 12);
}

/** Selects whole lines of the code, and resolves when they're drawn as selected. */
export async function select(workbench: WorkbenchPage, from: number, to: number): Promise<void> {
  await workbench.driver.select('src/tasks.ts', from, to);
  await workbench.page.locator('.editor-instance .selected-text').first().waitFor();
}

export function functionOf(code: string): string {
  return code.slice(code.indexOf('export function')).trimEnd();
}

export async function runPrompt(workbench: WorkbenchPage, name: string): Promise<void> {
  await workbench.runCommand('Parlance: Run Prompt…');
  const input = new QuickInput(workbench.page);
  await input.opened('Run Prompt');
  await input.choose(new RegExp(`^${name}`));
}

/**
 * Saves the code with the key, once it's changed. It's in front, in place of the diff, a moment before that: a key
 * pressed then would save what it was.
 */
export async function saveChanged(workbench: WorkbenchPage, code: string): Promise<void> {
  await workbench.page.locator('.tab.dirty', { hasText: 'tasks.ts' }).waitFor({ timeout: 60_000 });
  await workbench.page.keyboard.press('ControlOrMeta+S');
  const file = join(workbench.workspace, 'src/tasks.ts');
  await waitUntil('the file with the change', async () => (await readFile(file, 'utf8')) !== code);
}

/** The diff of a proposed change, once it contains these words and can be applied. */
export async function proposal(workbench: WorkbenchPage, words: string): Promise<Locator> {
  const diff = workbench.page.locator('.monaco-diff-editor');
  await diff.locator('.editor.modified .view-lines').getByText(words).first().waitFor({ timeout: 60_000 });
  await titleButton(workbench, 'Keep All').waitFor({ timeout: 60_000 });
  return diff;
}

/** Waits until these are at the ends of the changes' lines. They're drawn by style alone, so they aren't text. */
export async function marked(workbench: WorkbenchPage, labels: readonly string[]): Promise<void> {
  const heads = workbench.page.locator('.editor.modified .review-widget .head .filename');
  await waitUntil(
    `the changes ${labels.join(', ')}`,
    async () => String(await heads.allInnerTexts()) === String(labels),
  );
}

/** The change's button with this label. */
export function changeButton(workbench: WorkbenchPage, label: string, name: 'Keep' | 'Discard'): Locator {
  const head = workbench.page.locator('.editor.modified .review-widget .head').filter({ hasText: label });
  return head.getByRole('button', { name, exact: true });
}

export function titleButton(workbench: WorkbenchPage, name: string): Locator {
  return workbench.page.locator('.editor-actions').getByRole('button', { name, exact: true }).first();
}

export async function shown(workbench: WorkbenchPage, words: string | RegExp): Promise<void> {
  await workbench.page.locator('.editor-instance .view-line').filter({ hasText: words }).first().waitFor();
}

/** Saves the file, and waits until it contains this. */
export async function saved(workbench: WorkbenchPage, code: string): Promise<void> {
  await workbench.page.keyboard.press('ControlOrMeta+S');
  const file = join(workbench.workspace, 'src/tasks.ts');
  await waitUntil('the file with what was expected', async () => (await readFile(file, 'utf8')) === code);
}

/** The requests of prompts; views fetch models too. */
export function chats(workbench: WorkbenchPage): readonly LogEntry[] {
  return workbench.service.log().filter(({ kind }) => kind === 'chat');
}

/** Waits until the service has answered the request at this position: earlier ones have arrived by then. */
export function answered(workbench: WorkbenchPage, place: number): Promise<LogEntry> {
  return waitUntil('the request', () => {
    const entry = chats(workbench)[place];
    return entry?.outcome === 'done' ? entry : undefined;
  });
}

export function lastMessage(workbench: WorkbenchPage): string {
  return messageIn(chats(workbench).at(-1)?.requestBody);
}

export function messageIn(body: unknown): string {
  const { messages } = body as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}
