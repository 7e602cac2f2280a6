import assert from 'node:assert/strict';
import { readDeferred, readTranslations, type TranslatedFile } from '../workbench/translations.ts';

/** What a translation must keep: places for values, icons, links to commands and settings, code. */
function fixedParts(text: string): readonly string[] {
  const parts = text.match(/\{\d+\}|\$\([\w-]+\)|\]\(command:[\w.]+\)|#parlance[\w.]+#|`[^`]+`/g) ?? [];
  return parts.toSorted();
}

function wordCount(text: string): number {
  return text.replace(/\{\d+\}/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0;
}

describe('The translations', () => {
  let files: readonly TranslatedFile[];
  let deferred: Readonly<Record<string, readonly string[]>>;
  before(async () => {
    [files, deferred] = await Promise.all([readTranslations(), readDeferred()]);
  });

  it('have every string, but those that were put off; `node test/workbench/translations.ts` lists what is missing', () => {
    for (const { name, english, byLanguage } of files) {
      const late = new Set(deferred[name]);
      for (const [language, texts] of Object.entries(byLanguage)) {
        const missing = Object.keys(english).filter((key) => texts[key] === undefined && !late.has(key));
        assert.deepEqual(missing, [], `${name}.${language}`);
      }
    }
  });

  it('have no string that is not used any more, and none that is empty', () => {
    for (const { name, english, byLanguage } of files) {
      assert.deepEqual(
        (deferred[name] ?? []).filter((key) => english[key] === undefined),
        [],
      );
      for (const [language, texts] of Object.entries(byLanguage)) {
        const wrong = Object.entries(texts).filter(([key, text]) => english[key] === undefined || text.trim() === '');
        assert.deepEqual(wrong, [], `${name}.${language}`);
      }
    }
  });

  it('keep the places for values, icons, links and code', () => {
    for (const { name, english, byLanguage } of files) {
      for (const [language, texts] of Object.entries(byLanguage)) {
        for (const [key, text] of Object.entries(texts)) {
          assert.deepEqual(fixedParts(text), fixedParts(english[key] ?? ''), `${name}.${language}: ${key}`);
        }
      }
    }
  });

  it('are translations: few strings are the same as in English', () => {
    for (const { name, english, byLanguage } of files) {
      for (const [language, texts] of Object.entries(byLanguage)) {
        const same = Object.entries(texts).filter(([key, text]) => text === english[key] && wordCount(text) > 2);
        assert.deepEqual(same, [], `${name}.${language}`);
      }
    }
  });
});
