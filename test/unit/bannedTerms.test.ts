import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface BannedTerm {
  readonly pattern: RegExp;
  /** The right term. */
  readonly right: string;
  /** An example that shows that the pattern works. */
  readonly wrong: string;
  /** Only where users read: the pages about tests name exact sizes. */
  readonly isForUsers?: boolean;
}

const bannedTerms: readonly BannedTerm[] = [
  { pattern: /\baddress(es)?\b/i, right: 'base URL, URL, or host', wrong: 'the base address' },
  { pattern: /\bpictures?\b/i, right: 'image', wrong: 'paste a picture' },
  { pattern: /\b(sounds?|recordings?)\b/i, right: 'audio, or audio file', wrong: 'Keep the sound' },
  { pattern: /\bfilms?\b/i, right: 'video', wrong: 'the film' },
  { pattern: /catalogue|\blists? of models/i, right: 'model list', wrong: 'the catalogue' },
  {
    pattern: /log of requests|Recent Requests/i,
    right: 'request history, or Requests view',
    wrong: 'Clear Log of Requests',
  },
  { pattern: /\banswer(s|ed|ing)?\b/i, right: "reply (a model's) or response (a service's)", wrong: 'it answered' },
  { pattern: /favourite|colour|behaviour|summarise|cancelled/i, right: 'American spelling', wrong: 'Favourites' },
  {
    pattern: /\bcannot\b|\b(do|does|did|is|are|was|were|could|has|have|will|would) not\b/i,
    right: "a contraction, for example can't",
    wrong: 'It does not reply',
  },
  { pattern: /\bmay\b/, right: 'might (possibility) or can (ability)', wrong: 'It may be charged' },
  { pattern: /^Give\b|\bgive (a|an|one|it)\b/i, right: 'Enter, or set', wrong: 'Give a number' },
  { pattern: /\bchoos(e|es|ing)\b|\bpick(s|ed)?\b/i, right: 'Select', wrong: 'Choose a model' },
  {
    pattern: /\bany more\b|\ball the same\b|\bmeanwhile\b|\bis there already\b|\blies\b|\bstands?\b|\banew\b/i,
    right: 'no longer, anyway, at the same time, exists, is, or again',
    wrong: 'It is not there any more',
  },
  {
    pattern: /cannot be seen|\bweakness(es)?\b|\bmended\b/i,
    right: 'invisible, vulnerability, or fixed',
    wrong: 'A weakness',
  },
  { pattern: /\bproposals?\b/i, right: 'proposed change', wrong: 'the proposal' },
  { pattern: /\bgallery\b/i, right: 'Media view', wrong: 'the gallery' },
  { pattern: /\b(request|model) id\b/, right: 'request ID, or model ID', wrong: 'the request id' },
  { pattern: /\b[KM]iB\b|\bkB\b/, right: 'KB or MB', wrong: '12 kB', isForUsers: true },
  { pattern: /\d %/, right: 'a closed-up percent sign, for example 95%', wrong: '200 %' },
  { pattern: /[’“”]/, right: 'straight quotes and apostrophes (\' and ")', wrong: 'VS Code’s' },
  { pattern: /\bmak(e|es|ing)\b|\bmade\b/i, right: 'generate, create, or send', wrong: 'Make a video' },
];

/** Correct uses, by file. They're removed before the terms are searched. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'l10n/bundle.l10n.json': ['make it look different', 'Make its folder', 'Make the folder', 'make the folder'],
  'package.nls.json': ['make replies', 'A list of models, each'],
};

interface Source {
  readonly name: string;
  readonly read: () => Promise<readonly string[]>;
}

/** The text of a page without code, link targets, and comments, by paragraphs. */
function paragraphs(markdown: string): readonly string[] {
  return (
    markdown
      .replaceAll(/^(```+)[\s\S]*?^\1$/gm, '')
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .replaceAll(/`[^`\n]*`/g, '…')
      // A link whose text is a path, and where other links lead.
      .replaceAll(/\[[\w/.-]+\/[\w.-]+\]\([^)]*\)/g, '…')
      .replaceAll(/\]\([^)]*\)/g, ']')
      .split(/\n{2,}|\n(?=[-*|]|\d+\. )/)
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
      .filter((text) => text !== '')
  );
}

const readText = (name: string): Promise<string> => readFile(`${root}${name}`, 'utf8');
const page = (name: string): Source => ({ name, read: async () => paragraphs(await readText(name)) });

async function pages(): Promise<readonly Source[]> {
  const names = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'CONTRIBUTING.md'];
  const pattern = ['docs/*.md', 'test/**/*.md'];
  for await (const name of glob(pattern, { cwd: root, exclude: ['**/node_modules/**'] })) {
    names.push(name.replaceAll('\\', '/'));
  }
  // Those two contain the text of package.nls.json.
  return names.filter((name) => !/^docs\/(settings|commands)\.md$/.test(name)).map(page);
}

/** The English texts of the product. */
const productTexts: readonly Source[] = [
  {
    name: 'l10n/bundle.l10n.json',
    read: async () => Object.keys(JSON.parse(await readText('l10n/bundle.l10n.json')) as object),
  },
  {
    name: 'package.nls.json',
    read: async () => Object.values(JSON.parse(await readText('package.nls.json')) as Record<string, string>),
  },
];

function faultsOf(texts: readonly string[], allowed: readonly string[], terms = bannedTerms): readonly string[] {
  return texts.flatMap((text) => {
    const rest = allowed.reduce((left, words) => left.replaceAll(words, ''), text);
    return terms.flatMap(({ pattern, right }) => {
      const found = pattern.exec(rest)?.[0];
      return found === undefined ? [] : [`"${found}" (write ${right}): ${text}`];
    });
  });
}

/** VS Code's own spelling of the words that have been misspelled so far. */
const british =
  /favour|colour|behaviour|neighbour|honour\b|catalogue|cancelled|labelled(?!by)|licence|centre[sd]?\b|learnt|memoise|(summar|recogn|normal|capital|organ|optim|custom|initial|serial|minim|maxim|util|token|local)is(e[sdr]?|ing|ation)\b/i;

/** Phrases that only a translation has, with the words of a native speaker. */
const stilted: readonly (readonly [phrase: RegExp, right: string])[] = [
  [/\bover (a|the|each) (reload|restart)\b/, 'across a reload'],
  [/, also (after|at|by|for|from|if|in|to|when|with)\b/, 'even after, or even if'],
  [/\banother \w+ than\b/, 'a different one than'],
  [/\b(knows?|known|says?|said|tells|told) of\b/, 'about'],
  [/\breason of an?\b/, 'the reason for'],
  [/\bfor the moment\b/, 'for now, or temporarily'],
  [/\bafter a question\b/, 'after a confirmation'],
  [/\bholds? any longer\b/, 'still applies'],
  [/\bin the eyes of\b/, 'according to'],
];

describe('The terms of the style sheet', () => {
  it('apply to every page', async () => {
    const faults: Record<string, readonly string[]> = {};
    for (const { name, read } of [...(await pages()), ...productTexts]) {
      const terms = bannedTerms.filter(({ isForUsers }) => isForUsers !== true || !name.startsWith('test/'));
      const found = faultsOf(await read(), exceptions[name] ?? [], terms);
      if (found.length > 0) faults[name] = found;
    }
    assert.deepEqual(faults, {});
  });

  it('are spelled as in American English, in code, file names, and tests too', async () => {
    const faults: string[] = [];
    const holdsBritish = new Set(['test/unit/bannedTerms.test.ts', 'test/workbench/translationFaults.ts']);
    for await (const path of glob('{src,test,build}/**/*.{ts,mjs,css,md}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })) {
      const name = path.replaceAll('\\', '/');
      if (holdsBritish.has(name)) continue;
      const found = british.exec(`${name}\n${await readText(name)}`)?.[0];
      if (found !== undefined) faults.push(`${name}: ${found}`);
    }
    assert.deepEqual(faults, []);
  });

  it("don't allow phrases in titles, comments, and texts that only a translation has", async () => {
    const faults: string[] = [];
    for await (const path of glob('{src,test,build,docs}/**/*.{ts,mjs,css,md}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })) {
      const name = path.replaceAll('\\', '/');
      if (name === 'test/unit/bannedTerms.test.ts') continue;
      // A phrase can continue on the next line of a comment.
      const text = (await readText(name)).replaceAll(/\n\s*(\*|\/\/)?\s*/g, ' ');
      for (const [phrase, right] of stilted) {
        const found = phrase.exec(text)?.[0];
        if (found !== undefined) faults.push(`${name}: "${found}" (write ${right})`);
      }
    }
    assert.deepEqual(faults, []);
  });

  it('have exceptions only where the text needs them', async () => {
    const unused: string[] = [];
    for (const [name, words] of Object.entries(exceptions)) {
      const text = (await readText(name)).replaceAll(/\s+/g, ' ');
      unused.push(...words.filter((each) => !text.includes(each)).map((each) => `${name}: ${each}`));
    }
    assert.deepEqual(unused, []);
  });

  for (const { pattern, wrong, right } of bannedTerms) {
    it(`aren't "${wrong}"`, () => {
      assert.match(wrong, pattern);
      assert.equal(
        faultsOf([wrong], []).some((fault) => fault.includes(right)),
        true,
      );
      assert.deepEqual(faultsOf([wrong], [wrong]), []);
    });
  }

  it('are looked for in prose, not in code, targets, and comments', () => {
    const text =
      'See `cannot`, [here](docs/picture.md), [api/answers](api/answers.test.ts).\n\n```\nmay\n```\n\n<!-- the gallery -->\n\nIt may\nfail.';
    assert.deepEqual(paragraphs(text), ['See …, [here], ….', 'It may fail.']);
  });
});
