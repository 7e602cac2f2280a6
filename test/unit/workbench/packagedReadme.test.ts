import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { packFolder } from '../../workbench/packageExtension.ts';
import { readPacked } from '../../workbench/readPacked.ts';
import { withoutProjectLinks } from '../../workbench/withoutProjectLinks.ts';

/** The targets of all links and images, those of HTML too. */
function targetsOf(markdown: string): string[] {
  const targets = [...markdown.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? '');
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(String(token.href));
  });
  return targets;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('The README in the package', () => {
  let folder = '';
  let source = '';

  before('find a folder, and read the README', async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-readme-'));
    source = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  /** Packs the project's pages with an empty program. */
  async function packedReadme(name: string, options: { readonly repository?: string }): Promise<string> {
    const build = join(folder, name);
    await mkdir(join(build, 'dist'), { recursive: true });
    await writeFile(join(build, 'dist', 'extension.js'), '');
    const vsix = await packFolder(build, { ...options, file: join(folder, `${name}.vsix`) });
    return readPacked(vsix, 'extension/readme.md');
  }

  it('reads well without the project: no images, no links into it, no empty sections', async () => {
    const readme = await packedReadme('alone', {});
    assert.deepEqual(
      targetsOf(readme).filter((target) => !target.startsWith('https:')),
      [],
    );
    assert.doesNotMatch(readme, /!\[|→|<!--|npm start|\(\)|¹/);
    assert.doesNotMatch(readme, /^#.*\n+(?=#{1,2} )/m, 'a heading with nothing below it');
    assert.equal(count(readme, '<details>'), count(source, '<details>'));
    assert.equal(count(readme, '<details>'), count(readme, '</details>'));
    for (const heading of source.split('<!-- project only')[0]?.match(/^#+ .*$/gm) ?? []) {
      assert.ok(readme.includes(heading), heading);
    }
  });

  it('has its images and links again once the project has a URL', async () => {
    const address = 'https://github.com/example/parlance';
    const readme = await packedReadme('published', { repository: address });
    const targets = targetsOf(readme);
    const wanted = targetsOf(source).map((target) =>
      target.startsWith('media/') ? `${address}/raw/HEAD/${target}` : `${address}/blob/HEAD/${target}`,
    );
    assert.deepEqual(targets, wanted);
    assert.ok(wanted.length > 15, String(wanted.length));
    assert.match(readme, /npm start/);
  });
});

describe('A README without links into the project', () => {
  it('loses images, further reading, asides, and project-only text', () => {
    const page = `# A

![Hero](media/a.gif)

Fast ([benchmarks](test/a.md)). More. [All about it →](docs/a.md)

- One.
  [Two →](docs/b.md)

<!-- project only: why -->
## More

[Settings](docs/settings.md)
<!-- /project only -->
`;
    assert.equal(withoutProjectLinks(page), '# A\n\nFast. More.\n\n- One.\n');
  });

  it('keeps links to the web and within the page', () => {
    const page = '# A\n\n[Web](https://host.test/) and [here](#a).\n';
    assert.equal(withoutProjectLinks(page), page);
  });

  it("isn't created while its text would promise a page that can't be opened", () => {
    assert.throws(() => withoutProjectLinks('See [Support](SUPPORT.md).'), /\[Support\]\(SUPPORT\.md\)/);
    assert.throws(() => withoutProjectLinks('| ![A](media/a.png) | ![B](media/b.png) |'), /media\/a\.png/);
  });
});
