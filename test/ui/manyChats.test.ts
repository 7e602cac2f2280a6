import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const count = 10;
const wordsEach = 180;

/** Its number, again and again. */
function question(number: number): string {
  return Array.from({ length: wordsEach }, () => `chat${number}`).join(' ');
}

describe('Ten chats in tabs', () => {
  const workbench = useWorkbench({
    // Slow enough that all ten are still being written when the last one starts: 15 minutes each.
    service: { tokensPerSecond: 0.2 },
    settings: { 'parlance.chat.model': 'local/echo', 'workbench.editor.enablePreview': false },
  });

  it('stream at once without mixing', async () => {
    const { service, page } = workbench();
    for (let number = 0; number < count; number++) {
      await workbench().runCommand('Parlance: Open Chat in Editor');
      const chat = await waitUntil('an empty chat in a new tab', async () => {
        const [frame, ...others] = await workbench().chatFrames();
        if (!frame || others.length > 0) return undefined;
        return (await frame.getByRole('article').count()) === 0 ? new ChatDriver(workbench(), frame) : undefined;
      });
      await chat.send(question(number));
      await service.waitForEntry(
        ({ requestBody }) => JSON.stringify(requestBody ?? '').includes(question(number)),
        60_000,
      );
    }
    assert.equal(service.log().filter(({ outcome }) => outcome === 'running').length, count);
    service.setSpeed(60);
    await waitUntil(
      'the end of all ten',
      () => service.log().filter(({ outcome }) => outcome === 'done').length === count,
      120_000,
    );

    const tabs = page.locator('.part.editor .tab');
    assert.equal(await tabs.count(), count);
    const seen = new Set<string>();
    for (let place = 0; place < count; place++) {
      await tabs.nth(place).click();
      const words = await waitUntil('the whole echo in its tab', async () => {
        const [frame, ...others] = await workbench().chatFrames();
        if (!frame || others.length > 0) return undefined;
        const chat = new ChatDriver(workbench(), frame);
        if ((await chat.replies.count()) !== 1) return undefined;
        const text = await chat.lastReply.locator('.answer').innerText();
        // A stored reply is drawn in pieces, after its figures.
        const isWhole = text.split(' ').length === wordsEach;
        const isDone = (await chat.lastReply.getAttribute('data-state')) === 'done';
        return isWhole && isDone && !seen.has(text) ? text : undefined;
      });
      seen.add(words);
      assert.equal(new Set(words.split(' ')).size, 1, words);
    }
    assert.deepEqual([...seen].toSorted(), Array.from({ length: count }, (_, number) => question(number)).toSorted());
  }).timeout(300_000);
});
