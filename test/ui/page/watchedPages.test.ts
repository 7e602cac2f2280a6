import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWorker } from '../../workbench/testWorkers.ts';
import { PageBrowser } from './pageBrowser.ts';
import { WatchedPages } from './watchedPages.ts';

const testsWithPages = `
  import { WatchedPages } from ${JSON.stringify(import.meta.resolve('./watchedPages.ts'))};
  describe('Pages', () => {
    const pages = new WatchedPages();
    const say = async (words) => (await pages.take({ width: 400, height: 300 })).evaluate('console.error("' + words + '")');
    it('the first', async () => {
      await say('of the first');
      await pages.takeError(/of the first/);
    });
    it('the second', () => say('of the second'));
    it('the third', () => say('of the third').then(() => pages.takeError(/of the third/)));
  });
`;

describe('A page that tests open', () => {
  const pages = new WatchedPages();

  for (const [what, cause, words] of [
    ['an exception', "setTimeout(() => { throw new TypeError('thrown'); })", /^pageerror TypeError: thrown\n *at /],
    ['an exception that is no error', "setTimeout(() => { throw 'only words'; })", /^pageerror .*only words/],
    ['a rejection that nobody handles', "void Promise.reject(new Error('lost'))", /^pageerror Error: lost\n *at /],
    ['an error in its console', "console.error(new Error('told'))", /^error Error: told/],
    [
      "an error in a worker's console",
      'new Worker(URL.createObjectURL(new Blob([\'console.error("of a worker")\'])))',
      /^error of a worker/,
    ],
    [
      'a file that is missing',
      "document.body.append(new Image()); document.images[0].src = 'http://localhost:1/'",
      /^error Failed to load resource.* http:\/\/localhost:1\//,
    ],
  ] as const) {
    it(`reports ${what}, and no other error`, async () => {
      const page = await pages.take({ width: 400, height: 300 });
      await page.goto('data:text/html,<body>');
      await page.evaluate(cause);
      await pages.takeError(words);
    });
  }

  it("fails the test in which it has an error that the test doesn't take, and no other", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-pages-'));
    const worker = new TestWorker({ timeoutMs: 60_000 });
    try {
      const file = join(folder, 'some.test.mjs');
      await writeFile(file, testsWithPages);
      const { passed, failed, text } = await worker.run(file);
      assert.deepEqual({ passed, failed }, { passed: 2, failed: 1 }, text);
      assert.match(text, /1\) Pages\n *the second:\n *(?:Error: )?Something went .*\n *error of the second/);
    } finally {
      await worker.end();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('fails a test that wants an error if none comes', async () => {
    const page = await pages.take({ width: 400, height: 300 });
    await page.goto('data:text/html,<body>');
    await page.evaluate("console.warn('not today')");
    await assert.rejects(pages.takeError(/not today/, 500), /Waited .* for an error in a page: \/not today\//);
  });
});

describe('The page that suites share', () => {
  describe('in a suite with a server', () => {
    const browser = new PageBrowser('usage');
    it('loads from it', async () => assert.match((await browser.open('services')).url(), /^http/));
  });

  describe('after that', () => {
    const pages = new WatchedPages();
    it('shows nothing that could miss its server', async () => {
      assert.equal((await pages.take({ width: 400, height: 300 })).url(), 'about:blank');
    });
  });
});
