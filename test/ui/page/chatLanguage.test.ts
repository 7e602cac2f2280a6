import assert from 'node:assert/strict';
import { ChatBrowser, drawn } from './chatBrowser.ts';
import { cutWords } from './cutWords.ts';
import { pageStates } from './pageStates.ts';
import { untranslated } from './untranslated.ts';

/**
 * Text that people and models wrote, names of files, models, hosts, and keys, and text that the host has translated
 * itself.
 */
const data = [
  ...['.bubble', '.answer', '.model', '.model-id', '.chip-name', '.chip-size', '.thumbnail', '.problem', 'textarea'],
  ...[
    'kbd',
    '.link',
    '.metric.notable',
    'details p',
    '.connection.ready',
    '.model-group',
    '.model-name',
    '.model-figure',
  ],
].join(', ');
describe('The chat page in a language with longer words than English', () => {
  const browser = new ChatBrowser();

  for (const state of Object.keys(pageStates)) {
    it(`has no untranslatable text, and shows all text in full: ${state}`, async () => {
      const page = await browser.open(state, { language: 'pseudo', viewport: { width: 300, height: 640 } });
      await drawn(page);
      // There, all text is the host's: a problem. The name of a reply is its model's.
      const ofHost = state === 'told' ? `${data}, .note-words, .note-actions, [role=status]` : data;
      if (state !== 'wrongHost') assert.deepEqual(await untranslated(page, ofHost, 'article.reply'), []);
      assert.deepEqual(await cutWords(page), []);
    });
  }
});
