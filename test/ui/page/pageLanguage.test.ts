import assert from 'node:assert/strict';
import { checksStates } from './checksStates.ts';
import { cutWords } from './cutWords.ts';
import { measureStates } from './measureStates.ts';
import { mediaStates } from './mediaStates.ts';
import { modelDetailsStates } from './modelDetailsStates.ts';
import { PageBrowser } from './pageBrowser.ts';
import type { PageName } from './pageServer.ts';
import { untranslated } from './untranslated.ts';
import { usageStates } from './usageStates.ts';

interface Pages {
  readonly states: readonly string[];
  /** Text that people, models, and services wrote, and text that the host has translated itself. */
  readonly data: string;
  /** Elements named after a text that a user or a service wrote. */
  readonly named?: string;
}

const pages: readonly (readonly [PageName, Pages])[] = [
  ['usage', { states: Object.keys(usageStates), data: 'th[scope=row], .plot-words, .budget', named: 'meter' }],
  [
    'checks',
    {
      states: Object.keys(checksStates),
      data: 'tbody th, .model, option, .reason, td .visually-hidden',
      named: 'td, button',
    },
  ],
  [
    'media',
    {
      states: Object.keys(mediaStates).filter((state) => state !== 'large'),
      data: '.prompt, .model, .facts, .problem, .card dl, .file-name, datalist, .presets option, .hint',
      named: '.card, video, img, input',
    },
  ],
  [
    'measure',
    {
      states: Object.keys(measureStates),
      data: '.chip-name, .note-row, .complaint, svg text, .about, h3, tbody th, .estimate, .form-summary, .run-words, .tools option, td',
      named: 'section, table, .table-frame, .chart-picture, .icon-button, .speed-bar',
    },
  ],
  ['modelDetails', { states: modelDetailsStates, data: 'h1, .description, dd, .raw' }],
];

for (const [name, { states, data, named }] of pages) {
  describe(`The ${name} page in a language with longer words than English`, () => {
    const browser = new PageBrowser(name);

    for (const state of states) {
      it(`has no untranslatable text, and shows all text in full: ${state}`, async () => {
        for (const width of [300, 420]) {
          const page = await browser.open(state, { language: 'pseudo', width });
          assert.deepEqual(await untranslated(page, data, named), []);
          assert.deepEqual(await cutWords(page), [], `${width} px wide`);
        }
      });
    }
  });
}
