import assert from 'node:assert/strict';
import { drawInPieces, drawOpen, drawWhole, MarkdownBrowser } from './markdownBrowser.ts';

const TEXT = String.raw`The roots of $ax^2+bx+c$ are

$$
x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}
$$

and \(e^{i\pi} = -1\):

| sum | value |
|---|---|
| $\sum_{k=1}^n k$ | \(n(n+1)/2\) |

1. so
   \[
   \begin{pmatrix} a & b \\ c & d \end{pmatrix}
   - 1
   \]

It costs $5, or $10 with $HOME.
`;

describe('formulas on the page', function () {
  const browser = new MarkdownBrowser();

  it('look the same streamed and whole', async () => {
    const page = await browser.open();
    const whole = await drawWhole(page, TEXT);
    assert.equal(await page.locator('math').count(), 6);
    assert.equal(await page.locator('math mfrac').count(), 1);
    assert.match(await page.locator('main').innerText(), /It costs \$5, or \$10 with \$HOME\./);
    for (const chars of [1, 7, 40])
      assert.equal(await drawInPieces(page, TEXT.match(new RegExp(`[\\s\\S]{1,${chars}}`, 'g')) ?? []), whole);
    assert.deepEqual(await page.evaluate(() => window.markdown.violations), []);
  });

  it("are text until they're complete, and stay the same elements afterwards", async () => {
    const page = await browser.open();
    await drawOpen(page, 'so $x');
    assert.equal(await page.locator('math').count(), 0);
    const isSame = await page.evaluate(async () => {
      await window.markdown.append('^2$');
      const before = document.querySelector('math');
      await window.markdown.append(' and more');
      return before !== null && before === document.querySelector('math');
    });
    assert.equal(isSame, true);
  });

  it('have a text for screen readers', async () => {
    const page = await browser.open();
    await drawWhole(page, TEXT);
    for (const source of ['ax^2+bx+c', 'x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}', 'e^{i\\pi} = -1', 'n(n+1)/2'])
      assert.equal(await page.getByRole('math', { name: source, exact: true }).count(), 1, source);
    const heard = await page.locator('main').ariaSnapshot();
    assert.match(heard, /math "ax\^2\+bx\+c"/);
    assert.doesNotMatch(heard, /\$ax/);
  });

  it("show their source if they can't be typeset", async () => {
    const page = await browser.open();
    const faulty = ['$\\frac{1$', '$\\nosuchmacro$', '$\\def\\a{\\a\\a}\\a$'];
    await drawWhole(page, faulty.join(' and '));
    assert.equal(await page.locator('math').count(), 0);
    assert.equal(await page.locator('main').innerText(), faulty.join(' and '));
  });

  it('load nothing, lead nowhere, and cover nothing', async () => {
    const page = await browser.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await drawWhole(
      page,
      [
        '$\\href{https://a.example}{x}$',
        '$\\includegraphics{https://a.example/a.png}$',
        '$\\class{md-code-button}{x}$',
        '$x\\rule{9999em}{9999em}\\kern{9999em}y$',
        '$\\text{<img src=x onerror=alert(1)>}$',
      ].join('\n\n'),
    );
    assert.equal(await page.locator('main a, main img, main [href], main .md-code-button').count(), 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('a.example')),
      [],
    );
    assert.ok((await page.evaluate(() => document.documentElement.scrollHeight)) < 2000);
    assert.deepEqual(await page.evaluate(() => window.markdown.violations), []);
  });

  it('show their source if they refer to others, or would paint over the text around them', async () => {
    const page = await browser.open();
    const refused = [
      String.raw`$\eqref{eq:1}$`,
      String.raw`$\ref{a}$`,
      String.raw`$\lower{9999em}{x}$`,
      String.raw`$x\kern{-30em}y$`,
      String.raw`$x\hspace{-4in}y$`,
      String.raw`$x\kern-99999999999999999999999em y$`,
      String.raw`$x\rule[-99em]{1em}{1em}$`,
      `$${String.raw`x\kern{-9em}`.repeat(4)}$`,
    ];
    await drawWhole(page, refused.join(' and '));
    assert.equal(await page.locator('main').innerText(), refused.join(' and '));
    const usual = [
      String.raw`$\int\!\!\!\int x$`,
      String.raw`$\rule{20em}{1em}$`,
      String.raw`$\mathrlap{x}\mathllap{/}y$`,
      String.raw`$\raise{2em}{x}$`,
      String.raw`$$\begin{align}a&=b\\[2em] c&=d\tag{1}\end{align}$$`,
    ];
    await drawWhole(page, usual.join('\n\n'));
    assert.equal(await page.locator('math').count(), usual.length);
  });

  it('are copied as their source, with the text around them', async () => {
    const page = await browser.open();
    await drawWhole(page, TEXT);
    const copied = await page.evaluate(() => {
      const main = document.querySelector('main');
      if (main === null) return [];
      document.getSelection()?.selectAllChildren(main);
      const data = new DataTransfer();
      const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
      main.dispatchEvent(event);
      return [data.getData('text/plain'), data.getData('text/html')];
    });
    const [text = '', html = ''] = copied;
    assert.match(text, /roots of \$ax\^2\+bx\+c\$ are/);
    assert.match(text, /\$\$\nx = \\frac\{-b \\pm \\sqrt\{b\^2 - 4ac\}\}\{2a\}\n\$\$/);
    assert.match(text, /\$\\sum_\{k=1\}\^n k\$\t\\\(n\(n\+1\)\/2\\\)/);
    assert.match(html, /<table>[\s\S]*\$\\sum_\{k=1\}\^n k\$/);
    assert.doesNotMatch(html, /<math/);
    assert.equal(await page.locator('.md-formula-source').first().isVisible(), false);
  });

  it('are copied in full when the selection ends inside one', async () => {
    const page = await browser.open();
    await drawWhole(page, 'a $x^2$ b');
    const text = await page.evaluate(() => {
      const math = document.querySelector('math mi')?.firstChild;
      const start = document.querySelector('main p')?.firstChild;
      if (!math || !start) return '';
      document.getSelection()?.setBaseAndExtent(start, 0, math, 1);
      const data = new DataTransfer();
      document.body.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return `${data.getData('text/plain')}|${document.getSelection()?.focusNode === math}`;
    });
    assert.equal(text, 'a $x^2$|true');
  });

  it("scroll in their own box if they don't fit", async () => {
    const page = await browser.open({ width: 300 });
    await drawWhole(page, `$$${Array.from({ length: 60 }, (_, index) => `x_{${index}}`).join('+')}$$\n\nend\n`);
    const [pageWidth, hidden] = await page.evaluate(() => {
      const box = document.querySelector('.md-formula-displayed');
      return [document.documentElement.scrollWidth, (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)];
    });
    assert.equal(pageWidth, 300);
    assert.ok(hidden > 100, String(hidden));
  });

  it('load their typesetting code only with the first formula', async () => {
    const page = await browser.open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await drawWhole(page, 'From $5 to $10, **without** a formula.');
    assert.deepEqual(asked, []);
    await drawWhole(page, 'With $x$.');
    assert.equal(asked.length > 0, true);
  });
});
