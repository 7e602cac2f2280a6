import assert from 'node:assert/strict';
import { drawInPieces, drawWhole, MarkdownBrowser } from './markdownBrowser.ts';

const CALL = "window.markdown.calls.push(['executed'])";
/** A host that no test server has: any request for it is a leak. */
const HOST = 'leak.example';

const SCHEMES = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `&#106;avascript:${CALL}`,
  `&#x6A;&#x61;vascript:${CALL}`,
  `java&Tab;script:${CALL}`,
  `java&NewLine;script:${CALL}`,
  `javascript&colon;${CALL}`,
  `%6aavascript:${CALL}`,
  `<javascript:${CALL}>`,
  `<java\tscript:${CALL}>`,
  `\u0001javascript:${CALL}`,
  `\\javascript:${CALL}`,
  'data:text/html;base64,PHNjcmlwdD4xPC9zY3JpcHQ+',
  'data:image/svg+xml,<svg/onload=1>',
  'vbscript:msgbox(1)',
  'command:workbench.action.quit',
  'vscode://file/etc/passwd',
  'file:///etc/passwd',
  'blob:null/x',
  '//leak.example/x',
];

const HTML = [
  `<script>${CALL}</script>`,
  `<SCRIPT SRC=https://${HOST}/x.js></SCRIPT>`,
  `<img src=x onerror="${CALL}">`,
  `<img src=https://${HOST}/a.png>`,
  `<svg onload="${CALL}"><animate onbegin="${CALL}"/></svg>`,
  `<iframe src="https://${HOST}" srcdoc="<script>${CALL}</script>"></iframe>`,
  `<a href="javascript:${CALL}">x</a>`,
  `<details open ontoggle="${CALL}">x</details>`,
  `<input autofocus onfocus="${CALL}">`,
  `<video><source onerror="${CALL}" src="https://${HOST}/v"></video>`,
  `<body onload="${CALL}">`,
  `<base href="https://${HOST}/">`,
  `<meta http-equiv="refresh" content="0;url=https://${HOST}">`,
  `<link rel="stylesheet" href="https://${HOST}/s.css">`,
  `<style>@import url(https://${HOST}/s.css);*{background:url(https://${HOST}/b)}</style>`,
  `<form action="https://${HOST}"><button>x</button></form>`,
  `<object data="https://${HOST}/o"></object><embed src="https://${HOST}/e">`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror="${CALL}">`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<!--><img src=x onerror="${CALL}">-->`,
  `<![CDATA[><img src=x onerror="${CALL}">]]>`,
  `<?xml version="1.0"?><img src=x onerror="${CALL}">`,
  `<br onclick="${CALL}">`,
  `<div style="background:url(https://${HOST}/d)">x</div>`,
  `&lt;img src=x onerror="${CALL}"&gt;`,
  `\`<img src=x onerror="${CALL}">\``,
];

const MARKDOWN = [
  `![](https://${HOST}/i.png)`,
  `![alt](https://${HOST}/i.png "title")`,
  `![ref][i]\n\n[i]: https://${HOST}/r.png`,
  `[![badge](https://${HOST}/b.svg)](https://${HOST}/)`,
  `![\`<img src=https://${HOST}>\`](https://${HOST}/c)`,
  `https://${HOST}/auto www.${HOST} <https://${HOST}/angle> a@${HOST}`,
  `[x]: javascript:${CALL}\n\n[x] ![x]`,
  `[a](https://${HOST}/ "x\\" onmouseover=\\"${CALL}")`,
  `[a](<https://${HOST}/" onclick="${CALL}>)`,
  `\`\`\`"><img src=x onerror=${CALL}>\ncode\n\`\`\``,
  `\`\`\`html\n<script>${CALL}</script><img src=x onerror="${CALL}">\n\`\`\``,
  `\`\`\`js" onmouseover="${CALL}\nx\n\`\`\``,
  `| <img src=x onerror="${CALL}"> |\n|---|\n| ![](https://${HOST}/t) |`,
  `# <img src=x onerror="${CALL}">`,
  `- [ ] <img src=x onerror="${CALL}">`,
  `> <script>${CALL}</script>`,
  ...SCHEMES.flatMap((href) => [`[link](${href})`, `![image](${href})`, `[reference][r]\n\n[r]: ${href}`, `<${href}>`]),
];

const PAYLOADS = [...HTML, ...HTML.map((html) => `text ${html} text`), ...MARKDOWN];

function without(found: readonly string[], allowed: string): string[] {
  const names = new Set(allowed.split(' '));
  return found.filter((name) => !names.has(name));
}

describe('hostile Markdown', function () {
  const browser = new MarkdownBrowser();

  it('runs nothing, loads nothing, and breaks no rule of the page', async () => {
    const page = await browser.open();
    const requests: string[] = [];
    await drawWhole(page, '```html\n<p>\n```\n');
    page.on('request', (request) => requests.push(request.url()));
    for (const payload of PAYLOADS) {
      await drawInPieces(page, payload.match(/[\s\S]{1,9}/g) ?? []);
      await drawWhole(page, payload);
    }
    await drawWhole(page, PAYLOADS.join('\n\n'));
    const fetched = requests.filter((url) => !url.startsWith('http://127.0.0.1'));
    assert.deepEqual(fetched, []);
    assert.deepEqual(await page.evaluate(() => window.markdown.calls), []);
    assert.deepEqual(await page.evaluate(() => window.markdown.violations), []);
  });

  it("creates only Markdown's elements, without a single active attribute", async () => {
    const page = await browser.open();
    await drawWhole(page, PAYLOADS.join('\n\n'));
    const found = await page.evaluate(() => {
      const elements = [...document.querySelectorAll('main *')];
      return {
        names: [...new Set(elements.map((element) => element.localName))],
        attributes: [...new Set(elements.flatMap((element) => element.getAttributeNames()))],
      };
    });
    const names =
      'div p h3 h4 h5 h6 ul ol li blockquote pre code span button table thead tbody tr th td a strong em del br hr';
    const attributes =
      'class role tabindex title aria-label aria-level aria-checked aria-disabled aria-pressed aria-hidden type data-action scope colspan start';
    assert.deepEqual(without(found.names, names), []);
    assert.deepEqual(without(found.attributes, attributes), []);
  });

  it('opens only web and mail addresses, whatever is clicked', async () => {
    const page = await browser.open();
    const address = page.url();
    await drawWhole(
      page,
      [...PAYLOADS, '[good](https://good.example/a)', '[mail](mailto:a@good.example)'].join('\n\n'),
    );
    const opened = await page.evaluate(() => {
      for (const element of document.querySelectorAll<HTMLElement>('main *')) {
        if (element.localName !== 'button') element.click();
        element.dispatchEvent(new MouseEvent('auxclick', { bubbles: true, cancelable: true, button: 1 }));
      }
      return window.markdown.calls;
    });
    const hrefs = opened.map(([, href = '']) => href);
    assert.ok(hrefs.includes('https://good.example/a') && hrefs.includes('mailto:a@good.example'));
    const schemes = new Set(hrefs.map((href) => new URL(href).protocol));
    assert.deepEqual(schemes, new Set(['https:', 'http:', 'mailto:']));
    assert.equal(page.url(), address);
    assert.equal(page.context().pages().length, 1);
  });

  it('shows raw HTML as literal text', async () => {
    const page = await browser.open();
    await drawWhole(page, `before <b onclick="x">bold</b>\n\n<div>\n  <i>block</i>\n</div>`);
    const text = await page.locator('main').innerText();
    assert.match(text, /before <b onclick="x">bold<\/b>/);
    assert.match(text, /<div>\s+<i>block<\/i>\s+<\/div>/);
  });
});
