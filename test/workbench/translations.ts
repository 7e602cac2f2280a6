/**
 * What is not translated: `node test/workbench/translations.ts` lists it, a language a block.
 * `--defer` writes the keys down in `l10n/untranslated.json`, so that a release may go out with a few
 * strings in English; the unit test accepts those and no others. Stale keys are taken out of all files.
 */
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

/** Keys whose translation has been put off, by file. */
export async function readDeferred(): Promise<Readonly<Record<string, readonly string[]>>> {
  return JSON.parse(await readFile(join(projectFolder, deferredFile), 'utf8'));
}

const deferredFile = 'l10n/untranslated.json';

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

async function tidy(defer: boolean): Promise<void> {
  const deferred: Record<string, string[]> = {};
  for (const { name, english, byLanguage } of await readTranslations()) {
    const missing = new Set<string>();
    for (const [language, texts] of Object.entries(byLanguage)) {
      const lacking = Object.keys(english).filter((key) => texts[key] === undefined);
      for (const key of lacking) missing.add(key);
      if (lacking.length > 0) console.log(`${name}.${language}.json lacks\n${lacking.map(line).join('\n')}`);
      // In the order of the English file, so that a change of one line is one line.
      const kept = Object.keys(english).flatMap((key) => {
        const text = texts[key];
        return text === undefined ? [] : [[key, text] as const];
      });
      await write(`${name}.${language}.json`, Object.fromEntries(kept));
    }
    deferred[name] = [...missing];
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
