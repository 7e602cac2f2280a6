import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { findFiles } from '../workbench/findFiles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Texts {
  /** The first argument of every call of `l10n.t`. */
  readonly texts: readonly string[];
  /** Calls whose first argument isn't a plain string: `npm run l10n` can't extract those. */
  readonly others: readonly string[];
}

function translatedTexts(name: string, source: string): Texts {
  const texts: string[] = [];
  const others: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [text] }) {
      if (!/(?:^|\.)l10n\.t$/.test(source.slice(callee.start, callee.end)) || text === undefined) return;
      const [part] = text.type === 'TemplateLiteral' && text.expressions.length === 0 ? text.quasis : [];
      if (text.type === 'Literal' && typeof text.value === 'string') texts.push(text.value);
      else if (part) texts.push(part.value.cooked ?? '');
      else others.push(source.slice(text.start, text.end));
    },
  }).visit(parseSync(name, source).program);
  return { texts, others };
}

// `npm run l10n` writes the bundle with VS Code's own tool, which takes ten seconds to read the sources.
describe('The translation bundle', () => {
  it('contains every string of the sources and no other, in the order of the files; `npm run l10n` updates it', async () => {
    const found = new Set<string>();
    for (const path of await findFiles(`${root}src/**/*.ts`)) {
      const { texts, others } = translatedTexts(path, await readFile(path, 'utf8'));
      assert.deepEqual(others, [], path);
      for (const text of texts) found.add(text);
    }
    const kept: object = JSON.parse(await readFile(`${root}l10n/bundle.l10n.json`, 'utf8'));
    assert.deepEqual(kept, Object.fromEntries([...found].map((text) => [text, text])));
    // The same on every machine, so that a changed text is a one-line diff.
    assert.deepEqual(Object.keys(kept), [...found]);
  });

  it('is out of date if a string is missing, left over, or assembled', () => {
    const source = 'l10n.t("One {0}", 1); vscode.l10n.t(`Two`); l10n.t("Three" + more); l10n.track("Four");';
    assert.deepEqual(translatedTexts('a.ts', source), { texts: ['One {0}', 'Two'], others: ['"Three" + more'] });
  });
});
