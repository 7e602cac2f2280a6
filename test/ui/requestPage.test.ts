import { ChatDriver } from './chatDriver.ts';
import { besideAFile, useCodeButtons, withCodeAndLink } from './codeButtons.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

/** Its code blocks and error cards are those of the chat, but their messages go through a page and a host of its own. */
describe('The page of a request', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 2000 },
    settings: { 'parlance.chat.model': 'local/echo', 'files.insertFinalNewline': false },
  });

  it('has code that is copied, inserted, opened, and compared, and links that VS Code asks about', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask(withCodeAndLink);
    const file = await besideAFile(workbench());
    const requests = await RequestsDriver.open(workbench());
    await requests.openPage(requests.row(/local\/echo, done/).first(), 'succeeded (200)');
    await useCodeButtons(workbench(), file, async () => {
      return (await requests.requestPage('succeeded (200)')).locator('.answer');
    });
  });

  it('has the details of an error to copy, and the next step', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.inView(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/missing');
    await chat.ask('Is it there?');
    const requests = await RequestsDriver.open(workbench());
    const shown = await requests.openPage(requests.row(/local\/missing, failed/).first(), 'Model not found');
    await shown.getByRole('button', { name: 'Copy error details' }).click();
    const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await waitUntil('the details on the clipboard', async () => (await clipboard()).startsWith('404 model_not_found'));
    await shown.getByRole('button', { name: 'Select Another Model…' }).click();
    const list = new QuickInput(page);
    await list.opened('Select Model');
    await list.box.fill('local/echo');
    await list.choose('local/echo');
    await workbench().told('local/echo replied.').shown();
  });
});
