import assert from 'node:assert/strict';
import { translationFaults } from '../workbench/translationFaults.ts';
import {
  languages,
  outdatedKeys,
  readDeferred,
  readTranslated,
  readTranslations,
  type TranslatedFile,
} from '../workbench/translations.ts';

/** What a translation must keep: placeholders, icons, links to commands and settings, and code. */
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

  it('have every string, except deferred ones; `node test/workbench/translations.ts` lists what is missing', () => {
    for (const { name, english, byLanguage } of files) {
      const late = new Set(deferred[name]);
      for (const [language, texts] of Object.entries(byLanguage)) {
        const missing = Object.keys(english).filter((key) => texts[key] === undefined && !late.has(key));
        assert.deepEqual(missing, [], `${name}.${language}`);
      }
    }
  });

  it('have no unused string, and none that is empty', () => {
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

  it("match today's English; `node test/workbench/translations.ts` removes those that don't", async () => {
    const translated = await readTranslated();
    for (const file of files) assert.deepEqual(outdatedKeys(file, translated), [], file.name);
    const [settings] = files.filter(({ name }) => name === 'package.nls');
    assert.ok(settings);
    const late = new Set(deferred['package.nls']);
    const whole = Object.keys(settings.english).filter((key) => !late.has(key));
    assert.deepEqual(Object.keys(translated), whole);
  });

  it('are out of date once the English of a key has changed, until they change too', async () => {
    const translated = await readTranslated();
    const [settings] = files.filter(({ name }) => name === 'package.nls');
    assert.ok(settings);
    const [key] = Object.keys(translated);
    assert.ok(key);
    const changed = { ...settings, english: { ...settings.english, [key]: 'Show Something Else' } };
    assert.deepEqual(outdatedKeys(changed, translated), [key]);
    const renewed = Object.fromEntries(
      languages.map((language) => [language, { ...settings.byLanguage[language], [key]: `${language} text` }]),
    );
    assert.deepEqual(outdatedKeys({ ...changed, byLanguage: renewed }, translated), []);
  });

  it('keep the placeholders, icons, links, and code', () => {
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

  it("use the terms, spaces, and marks of VS Code's own translations", () => {
    for (const { name, english, byLanguage } of files) {
      for (const language of languages) {
        const wrong = Object.entries(byLanguage[language] ?? {}).flatMap(([key, text]) =>
          translationFaults(language, english[key] ?? '', text).map((fault) => `${fault}: ${key} → ${text}`),
        );
        assert.deepEqual(wrong, [], `${name}.${language}`);
      }
    }
  });

  it('contain a detectable fault if a term, a mark, an ellipsis, a period, or a width is wrong', () => {
    const long = 'Verbindung zu {0} ist gar nicht verschlüsselt';
    const cases = [
      ['de', 'Charged', 'Wird berechnet', 'a term that is not used'],
      ['fr', 'Off', 'Non', 'a term that is not used'],
      ['es', 'Add', 'Añadir', 'a term that is not used'],
      ['es', 'Add it', 'Añádalo', 'a term that is not used'],
      ['fr', 'API key', 'Clé d’API', 'a term that is not used'],
      ['ja', 'Reply', '返答', 'a term that is not used'],
      ['zh-cn', 'Image', '图片', 'a term that is not used'],
      ['de', '{0} MB', '{0} MB', 'a space or a mark'],
      ['es', 'Use "{0}"', 'Usar «{0}»', 'a space or a mark'],
      ['fr', 'Reason: {0}', 'Raison : {0}', 'a space or a mark'],
      ['fr', 'Image', "L'image", 'a space or a mark'],
      ['ja', 'System prompt', 'システムプロンプト', 'a space or a mark'],
      ['ja', 'Set {0}', '{0}を設定', 'a space or a mark'],
      ['zh-cn', 'Use {0}', '使用{0}', 'a space or a mark'],
      ['de', 'Export…', 'Exportieren …', 'a space or a mark'],
      ['de', 'Browse…', 'Durchsuchen', 'the ellipsis'],
      ['ja', 'Saved.', '保存しました', 'the final period'],
      ['de', '{0} is unencrypted', long, 'too long for a label'],
    ] as const;
    for (const [language, english, text, fault] of cases) {
      assert.deepEqual(translationFaults(language, english, text), [fault], text);
    }
    const right = [
      ['de', '{0} MB', '{0}\u00a0MB'],
      ['fr', 'Reason: {0}', 'Raison\u00a0: {0}'],
      ['ja', '{0} in {1}', '{1}後に{0}'],
      ['zh-cn', '{0} in {1}', '{1}后{0}'],
    ] as const;
    for (const [language, english, text] of right) {
      assert.deepEqual(translationFaults(language, english, text), [], text);
    }
  });

  it('have a unique title for each command', () => {
    for (const { english, byLanguage } of files) {
      for (const [language, texts] of Object.entries(byLanguage)) {
        const titles = new Map<string, string>();
        for (const [key, text] of Object.entries(texts)) {
          if (!/^command\..+\.title$/.test(key)) continue;
          const other = titles.get(text);
          const isSame = other === undefined || english[other] === english[key];
          assert.ok(isSame, `${language}: ${other} and ${key} are both ${text}`);
          titles.set(text, key);
        }
      }
    }
  });
});
