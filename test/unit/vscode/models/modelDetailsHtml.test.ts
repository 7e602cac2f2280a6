import assert from 'node:assert/strict';
import { decodeModels } from '../../../../src/api/wire/decodeModels.ts';
import type { MeasuredFigures } from '../../../../src/core/models/measuredModel.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { modelDetailsHtml, type ModelDetailsView } from '../../../../src/vscode/models/modelDetailsHtml.ts';

function page(row: object, more: Partial<ModelDetailsView> = {}): string {
  const [model] = decodeModels([row]);
  assert.ok(model);
  return modelDetailsHtml({
    entry: new ModelIndex([model]).findOrName(model.id),
    isFavorite: false,
    isHidden: false,
    isDefault: false,
    fetchedAt: Date.UTC(2030, 0, 1, 12),
    language: 'en',
    cspSource: 'https://page.test',
    stylesheet: 'https://page.test/a.css',
    ...more,
  });
}

/** Names of all elements, and whether any has an active attribute. */
function elements(html: string): ReadonlySet<string> {
  assert.doesNotMatch(html, /<[^>]*\s(on\w+|style|srcdoc)=/i);
  return new Set([...html.matchAll(/<([a-z!][a-z0-9]*)/gi)].map(([, name]) => name?.toLowerCase() ?? ''));
}

const own = new Set([
  ...['!doctype', 'html', 'head', 'meta', 'link', 'title', 'body', 'main', 'h1', 'h2', 'p', 'dl', 'dt', 'dd', 'div'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'pre', 'svg', 'polyline', 'circle'],
]);

describe('The page about a model', () => {
  it('shows every field that the service sent, including unknown ones', () => {
    const html = page({
      id: 'a/b',
      context_length: 8192,
      shade: null,
      regions: [{ name: 'x' }],
      description: 'Two words',
    });
    for (const text of [
      '<h1>a/b</h1>',
      '8,192 tokens',
      'shade',
      'regions',
      '&quot;name&quot;: &quot;x&quot;',
      'Two words',
    ]) {
      assert.ok(html.includes(text), text);
    }
  });

  it('lets nothing in the model list be more than text', () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const html = page({
      id: `a/${hostile}`,
      owned_by: hostile,
      type: hostile,
      description: hostile,
      [hostile]: { [hostile]: hostile },
      input_modalities: [hostile],
    });
    assert.deepEqual(
      [...elements(html)].filter((name) => !own.has(name)),
      [],
    );
    assert.match(html, /default-src 'none'; style-src https:\/\/page\.test/);
    assert.doesNotMatch(html, /script-src|img-src/);
  });

  it('shows invisible characters, and keeps the lines of long texts', () => {
    const html = page({ id: 'a/b', note: 'one\ntwo \u202Ethree' });
    assert.match(html, /one\ntwo \\u\{202e\}three/);
    assert.ok(page({ id: 'a/b', big: 'x'.repeat(100_000) }).length < 40_000);
  });

  const figures: MeasuredFigures = {
    requestCount: 8,
    failureCount: 2,
    timeToFirstTokenSeconds: { p50: 0.31, p95: 0.92, from: 'service' },
    tokensPerSecond: { p50: 84, p95: 61.5, from: 'service' },
    latest: [
      { at: 1, timeToFirstTokenSeconds: 0.3, tokensPerSecond: 80 },
      { at: 2, timeToFirstTokenSeconds: 0.6 },
      { at: 3, tokensPerSecond: 90 },
    ],
  };

  it('shows what was measured: medians, the slow end, failures, and a line with its description', () => {
    const html = page({ id: 'a/b' }, { figures });
    for (const text of ['0.31 s', '0.92 s', '84 tok/s', '62 tok/s', 'Requests: 8, failed: 2 (25%).']) {
      assert.ok(html.includes(text), text);
    }
    assert.ok(html.includes('<title>Time to first token, latest replies (2): from 0.30 s to 0.60 s</title>'));
    assert.deepEqual(
      [...html.matchAll(/polyline points="([^"]*)"/g)].map(([, points]) => points?.split(' ').length),
      [2, 2],
    );
    assert.doesNotMatch(html, /NaN|Infinity/);
  });

  it('says if nothing was measured, or nothing but failures', () => {
    assert.match(page({ id: 'a/b' }), /No measurements yet\. Run the test prompt/);
    const failed = page({ id: 'a/b' }, { figures: { requestCount: 1, failureCount: 1, latest: [] } });
    assert.match(failed, /Requests: 1, failed: 1 \(100%\)\./);
    assert.doesNotMatch(failed, /<table class="measured"|NaN|Infinity/);
  });

  it('shows what the user set for the model', () => {
    const html = page({ id: 'a/b' }, { isFavorite: true, isDefault: true, isHidden: true });
    assert.match(html, /Default model · Favorite · Hidden/);
  });
});
