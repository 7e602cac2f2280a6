import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

/** Pages can't import the first. */
const places = ['core/problems/', 'words/additionProblems.ts'];
const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Texts in a source about something that failed. */
function failureTexts(name: string, source: string): readonly string[] {
  const found: string[] = [];
  // Not with its apostrophe, which is escaped in some.
  if (!source.includes('Couldn')) return found;
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === 'string' && value.includes("Couldn't")) found.push(value);
    },
    TemplateElement: ({ value }) => {
      if (value.raw.includes("Couldn't")) found.push(value.raw);
    },
  }).visit(parseSync(name, source).program);
  return found;
}

describe('What failed', () => {
  it('is worded only where problems are, so that the same failure has the same words', async () => {
    const wrong: string[] = [];
    const right = new Map<string, string>();
    for await (const path of glob(`${root}**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      for (const text of failureTexts(name, await readFile(path, 'utf8'))) {
        if (!places.some((place) => name.startsWith(place))) wrong.push(`${name}: ${text}`);
        else if ((right.get(text) ?? name) !== name) wrong.push(`${name}, and ${right.get(text)}: ${text}`);
        right.set(text, name);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("is found if it's worded elsewhere", () => {
    const source = `say(l10n.t("Couldn't edit {0}", name)); \`Couldn't read \${name}\`; t('Couldn\\'t add'); // Couldn't be found`;
    assert.deepEqual(failureTexts('a.ts', source), ["Couldn't edit {0}", "Couldn't read ", "Couldn't add"]);
  });
});
