import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { grammarModules } from '../../../src/webview/markdown/highlight/grammarModules.ts';
import { stopClock } from './chatBrowser.ts';
import { drawInPieces, drawOpen, drawWhole, MarkdownBrowser } from './markdownBrowser.ts';
import type { ThemeName } from './themes.ts';

const TYPESCRIPT = "/* a\n comment */\nexport const name: string = `x${1}`;\nif (!/^a+$/.test(name)) run('b');\n";

const STYLES =
  'comment string regexp number constant keyword control operator function type variable tag attribute inserted deleted changed';

function classOf(page: Page, text: string): Promise<string | null> {
  return page.locator('.md-code-chunk').evaluate((chunk, wanted) => {
    const span = [...chunk.children].find((child) => child.textContent === wanted);
    return span?.className ?? null;
  }, text);
}

describe('Code on the page', function () {
  const browser = new MarkdownBrowser();

  it("can be copied, inserted, and opened while it's still being written", async () => {
    const page = await browser.open();
    await drawOpen(page, 'Look:\n\n```ts\nlet a;\n', 'let b');
    await page.getByRole('button', { name: 'Copy code' }).click();
    await page.getByRole('button', { name: 'Insert at Cursor' }).press('Enter');
    await page.getByRole('button', { name: 'Compare with Current File' }).press('Enter');
    await page.getByRole('button', { name: 'Open as New File' }).press('Space');
    const code = 'let a;\nlet b\n';
    assert.deepEqual(await page.evaluate(() => window.markdown.calls), [
      ['copy', code],
      ['insert', code],
      ['compare', code],
      ['open', code, 'ts'],
    ]);
  });

  it('is wrapped with a button, and so is all other code on the page', async () => {
    const page = await browser.open();
    await drawWhole(page, `\`\`\`ts\nconst a = '${'long '.repeat(200)}';\n\`\`\`\n`);
    const scroller = page.locator('.md-code-scroller').first();
    const isWide = () => scroller.evaluate((element) => element.scrollWidth > element.clientWidth);
    assert.equal(await isWide(), true);
    const wrap = page.getByRole('button', { name: 'Wrap Lines' });
    await wrap.press('Enter');
    assert.equal(await wrap.getAttribute('aria-pressed'), 'true');
    assert.equal(await isWide(), false);
    await drawWhole(page, `\`\`\`\n${'later '.repeat(200)}\n\`\`\`\n`);
    assert.equal(await isWide(), false);
    await page.getByRole('button', { name: 'Wrap Lines' }).first().press('Enter');
    assert.equal(await isWide(), true);
  });

  it('shows that it was copied, and then no longer', async () => {
    const page = await browser.open({ own: true });
    await page.clock.install();
    await drawWhole(page, '```\na\n```\n');
    await stopClock(page);
    const button = page.getByRole('button', { name: 'Copy code' });
    await button.click();
    assert.equal(await button.textContent(), 'Copied');
    assert.equal(await page.getByRole('status').textContent(), 'Copied');
    await page.clock.runFor(2000);
    assert.equal(await button.textContent(), 'Copy');
    assert.equal(await page.getByRole('status').textContent(), '');
  });

  it('has its actions and its scrolling region in keyboard order', async () => {
    const page = await browser.open();
    await drawWhole(page, '```python\nprint(1)\n```\n');
    const names: (string | null)[] = [];
    for (let press = 0; press < 6; press += 1) {
      await page.keyboard.press('Tab');
      names.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null));
    }
    assert.deepEqual(names, [
      'Wrap Lines',
      'Copy code',
      'Insert at Cursor',
      'Compare with Current File',
      'Open as New File',
      'Code, python',
    ]);
  });

  it('is colored by the meaning of each line, considering the lines before it', async () => {
    const page = await browser.open();
    await drawInPieces(page, [`\`\`\`ts\n${TYPESCRIPT}\`\`\`\n`]);
    assert.equal(await classOf(page, ' comment */'), 'tok-comment');
    assert.equal(await classOf(page, 'export'), 'tok-control');
    assert.equal(await classOf(page, 'const'), 'tok-keyword');
    assert.equal(await classOf(page, 'string'), 'tok-type');
    assert.equal(await classOf(page, '1'), 'tok-number');
    assert.equal(await classOf(page, "'b'"), 'tok-string');
    assert.equal(await classOf(page, 'run'), 'tok-function');
  });

  it('is colored only in finished lines, and the same streamed and whole', async () => {
    const page = await browser.open();
    await drawOpen(page, '```js\nlet a = 1;\nlet b');
    assert.equal(await page.locator('.tok-keyword').count(), 1);
    const text = `1. a\n\n   \`\`\`ts\n   ${TYPESCRIPT.replaceAll('\n', '\n   ')}\n   \`\`\`\n\n\`\`\`ts\n${TYPESCRIPT}\`\`\`\n`;
    assert.equal(await drawInPieces(page, text.match(/[\s\S]{1,5}/g) ?? []), await drawWhole(page, text));
  });

  it('stays as it was written, colored or not', async () => {
    const page = await browser.open();
    const lines = Array.from({ length: 60 }, (_, index) => `\tvar x${index} = "&amp; <b>"; // ${index}\n\n`).join('');
    for (const language of ['js', 'nonsense', '']) {
      await drawWhole(page, `~~~${language}\n${lines}~~~\n`);
      assert.equal(await page.locator('code').textContent(), lines);
    }
  });

  it('is colored in embedded languages too', async () => {
    const page = await browser.open();
    await drawWhole(page, '```html\n<p id="a">b</p>\n<script>\nlet c = 1;\n</script>\n```\n');
    assert.equal(await classOf(page, 'id'), 'tok-attribute');
    assert.equal(await classOf(page, 'let'), 'tok-keyword');
    await drawWhole(page, '```vue\n<script lang="ts">\nlet d: number;\n</script>\n```\n');
    assert.equal(await classOf(page, 'number'), 'tok-type');
    await drawWhole(page, '```fsharp\nlet e = "f"\n```\n');
    assert.equal(await classOf(page, 'let'), 'tok-keyword');
  });

  it("is colored only by its own language's grammar if that would load many others", async () => {
    const page = await browser.open();
    await drawWhole(page, '```ruby\ndef half(x)\n  return x / 2 # <b>\nend\n```\n');
    assert.equal(await classOf(page, 'return'), 'tok-control');
    assert.equal(await classOf(page, '2'), 'tok-number');
    await drawWhole(page, '```graphql\nquery Tasks { open }\n```\n');
    assert.equal(await classOf(page, 'query'), 'tok-keyword');
  });

  it('has a loadable grammar for every language it supports', async () => {
    const page = await browser.open();
    // One that can't be loaded is an error in the page's console.
    await drawWhole(
      page,
      Object.keys(grammarModules)
        .map((name) => `\`\`\`${name}\na = "b" # 1\n\`\`\`\n`)
        .join('\n'),
    );
    assert.equal(await page.locator('.md-code').count(), Object.keys(grammarModules).length);
  });

  it('is colored after a line in which its grammar gets stuck, and in the next view too', async () => {
    const page = await browser.open();
    const stuck = '<'.repeat(1999);
    await drawWhole(page, `\`\`\`sh\nif true\n${stuck}\nif true\n\`\`\`\n\n\`\`\`ts\nlet a = 1;\n\`\`\`\n`);
    const [shell, script] = await page.locator('.md-code').all();
    assert.equal(await shell?.locator('code').textContent(), `if true\n${stuck}\nif true\n`);
    assert.equal(await shell?.locator('.tok-control').count(), 2);
    assert.equal(await script?.locator('.tok-keyword').count(), 1);
    await drawWhole(page, '```ts\nlet a = 1;\n```\n');
    assert.equal(await page.locator('.tok-keyword').count(), 1);
  });

  it("is colored by another worker if one doesn't answer", async () => {
    const page = await browser.open();
    // However fast the computer is and whatever line a grammar gets stuck in.
    await page.evaluate(() => {
      const RealWorker = Worker;
      let started = 0;
      globalThis.Worker = class extends RealWorker {
        readonly #isDeaf = (started += 1) === 1;
        override postMessage(message: unknown): void {
          if (!this.#isDeaf) super.postMessage(message);
        }
      };
    });
    await drawWhole(page, '```sh\nif true\n```\n\n```ts\nlet a = 1;\n```\n');
    assert.equal(await page.locator('.md-code').first().locator('code').textContent(), 'if true\n');
    assert.equal(await page.locator('.tok-keyword').count(), 1);
  });

  it("stays plain if there can't be a worker to color it", async () => {
    const page = await browser.open({ workerless: true });
    await drawWhole(page, `\`\`\`ts\n${TYPESCRIPT}\`\`\`\n`);
    assert.equal(await page.locator('code').textContent(), TYPESCRIPT);
    assert.equal(await page.locator('[class^=tok-]').count(), 0);
    await browser.pages.takeError(/worker-src 'none'/);
  });

  it('keeps endless lines plain and cut off, and copies them in full', async () => {
    const page = await browser.open();
    const long = `let a = "${'b'.repeat(20_000)}";`;
    await drawWhole(page, `\`\`\`js\n${long}\nlet c;\n\`\`\`\n`);
    const shown = (await page.locator('code').textContent()) ?? '';
    assert.equal(shown.slice(10_000), '… (10011 more characters)\nlet c;\n');
    assert.equal(await page.locator('.tok-keyword').count(), 1);
    await page.getByRole('button', { name: 'Copy code' }).click();
    const [call] = await page.evaluate(() => window.markdown.calls);
    assert.ok(call?.[0] === 'copy' && call[1] === `${long}\nlet c;\n`);
  });

  for (const theme of ['dark', 'light', 'hc'] as const satisfies readonly ThemeName[]) {
    it(`can be read in the ${theme} theme`, async () => {
      const page = await browser.open({ theme });
      await drawWhole(page, '```\nx\n```\n');
      const names = STYLES.split(' ').map((style) => `tok-${style}`);
      const ratios = await page.evaluate((classNames) => window.markdown.contrasts(classNames), names);
      assert.equal(ratios.length, names.length);
      const faint = names.filter((_, index) => (ratios[index] ?? 0) < 4.5);
      assert.deepEqual(faint, []);
    });
  }
});
