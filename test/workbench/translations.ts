/**
 * Untranslated texts: `node test/workbench/translations.ts` lists them, one block per language. `--defer` writes the
 * keys to `l10n/untranslated.json`, so that a release can include a few strings in English; the unit test accepts those
 * and no others. Unused keys are removed from all files, and so are the translations of a key whose English has changed
 * since, unless they have changed too.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from './folders.ts';

export const languages = ['de', 'es', 'fr', 'ja', 'zh-cn'] as const;

type Texts = Readonly<Record<string, string>>;

/** One file in English and its translations. */
export interface TranslatedFile {
  readonly name: string;
  readonly english: Texts;
  readonly byLanguage: Readonly<Record<string, Texts>>;
}

export async function readTranslations(): Promise<readonly TranslatedFile[]> {
  return Promise.all(
    ['l10n/bundle.l10n', 'package.nls'].map(async (name) => ({
      name,
      english: await readTexts(`${name}.json`),
      byLanguage: Object.fromEntries(
        await Promise.all(
          languages.map(async (language) => [language, await readTexts(`${name}.${language}.json`)] as const),
        ),
      ),
    })),
  );
}

/** Keys whose translation has been deferred, by file. */
export async function readDeferred(): Promise<Readonly<Record<string, readonly string[]>>> {
  return JSON.parse(await readFile(join(projectFolder, deferredFile), 'utf8'));
}

/**
 * The English and the translation of each key in package.nls, as two hashes: a change of its English doesn't change the
 * key, so the old translations would otherwise stay. In the bundle the key is the English text.
 */
export async function readTranslated(): Promise<Readonly<Record<string, TranslatedText>>> {
  return JSON.parse(await readFile(join(projectFolder, translatedFile), 'utf8'));
}

interface TranslatedText {
  readonly english: string;
  readonly translations: string;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

const deferredFile = 'l10n/untranslated.json';
const translatedFile = 'l10n/translated.json';
const keyedFile = 'package.nls';

async function readTexts(file: string): Promise<Texts> {
  const entries: Record<string, string | { readonly message: string }> = JSON.parse(
    await readFile(join(projectFolder, file), 'utf8'),
  );
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

function write(file: string, data: unknown): Promise<void> {
  return writeFile(join(projectFolder, file), `${JSON.stringify(data, undefined, 2)}\n`);
}

/** Keys of package.nls whose English isn't the text that was translated. */
export function outdatedKeys(
  { name, english, byLanguage }: TranslatedFile,
  translated: Readonly<Record<string, TranslatedText>>,
): readonly string[] {
  if (name !== keyedFile) return [];
  return Object.entries(translated).flatMap(([key, then]) => {
    const now = english[key] === undefined ? undefined : fingerprint(english[key], key, byLanguage);
    const isOld = now !== undefined && now.english !== then.english && now.translations === then.translations;
    return isOld ? [key] : [];
  });
}

function fingerprint(english: string, key: string, byLanguage: TranslatedFile['byLanguage']): TranslatedText {
  const translations = languages.map((language) => byLanguage[language]?.[key] ?? '');
  return { english: hash(english), translations: hash(JSON.stringify(translations)) };
}

async function tidy(defer: boolean): Promise<void> {
  const deferred: Record<string, string[]> = {};
  const translated = await readTranslated();
  for (const file of await readTranslations()) {
    const { name, english } = file;
    const outdated = new Set(outdatedKeys(file, translated));
    const byLanguage = Object.fromEntries(
      Object.entries(file.byLanguage).map(([language, texts]) => [
        language,
        Object.fromEntries(Object.entries(texts).filter(([key]) => !outdated.has(key))),
      ]),
    );
    const missing = new Set<string>();
    for (const [language, texts] of Object.entries(byLanguage)) {
      const lacking = Object.keys(english).filter((key) => texts[key] === undefined);
      for (const key of lacking) missing.add(key);
      if (lacking.length > 0) console.log(`${name}.${language}.json lacks\n${lacking.map(line).join('\n')}`);
      // In the order of the English file, so that a changed line is a one-line diff.
      const kept = Object.keys(english).flatMap((key) => {
        const text = texts[key];
        return text === undefined ? [] : [[key, text] as const];
      });
      await write(`${name}.${language}.json`, Object.fromEntries(kept));
    }
    deferred[name] = [...missing];
    if (name === keyedFile) {
      const whole = Object.entries(english).filter(([key]) => !missing.has(key));
      const kept = whole.map(([key, text]) => [key, fingerprint(text, key, byLanguage)] as const);
      await write(translatedFile, Object.fromEntries(kept));
    }
  }
  if (defer) await write(deferredFile, deferred);
}

function line(key: string): string {
  return `  ${JSON.stringify(key)}`;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { defer: { type: 'boolean', default: false } } });
  await tidy(values.defer);
}
