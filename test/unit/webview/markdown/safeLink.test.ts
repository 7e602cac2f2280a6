import assert from 'node:assert/strict';
import { claimsOtherTarget, safeLink } from '../../../../src/webview/markdown/safeLink.ts';

describe('safeLink', () => {
  it('returns http, https, and mail links with their true target', () => {
    assert.deepEqual(safeLink('https://example.com/a?b=1#c'), {
      href: 'https://example.com/a?b=1#c',
      target: 'example.com',
    });
    assert.deepEqual(safeLink('HTTP://Example.com:8080'), {
      href: 'http://example.com:8080/',
      target: 'example.com:8080',
    });
    assert.deepEqual(safeLink('mailto:a@b.example'), { href: 'mailto:a@b.example', target: 'a@b.example' });
  });

  it('names the host that is really reached', () => {
    assert.equal(safeLink('https://google.com@evil.example/')?.target, 'evil.example');
    assert.equal(safeLink('https://google.com%2f@evil.example/')?.target, 'evil.example');
    assert.equal(safeLink('https://evil.example\\@google.com/')?.target, 'evil.example');
    assert.equal(safeLink('https://gооgle.com/')?.target, 'xn--ggle-55da.com');
  });

  it('is shown beside a text that only looks like its host', () => {
    const target = safeLink('https://gооgle.com/')?.target ?? '';
    assert.equal(claimsOtherTarget('https://gооgle.com/', target), true);
    assert.equal(claimsOtherTarget('gооgle.com', target), true);
    assert.equal(claimsOtherTarget('gооgle．com', target), true);
    assert.equal(claimsOtherTarget('über uns', target), false);
  });

  const refused = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:msgbox(1)',
    'command:workbench.action.quit',
    'vscode://file/etc/passwd',
    'vscode-insiders:x',
    'vscode-webview-resource://x',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'about:blank',
    'ftp://example.com/',
    'ws://example.com/',
    'tel:+1',
    'sms:+1',
    'http:',
    'http://',
    'https:example.com',
    'https:/example.com',
    'https:///',
    'http://[::1',
    'http://a b/',
    'mailto:',
    '//example.com/x',
    '/etc/passwd',
    'readme.md',
    '#top',
    '?q=1',
    '',
    'ht\ntp://example.com',
    'https://example.com/\u0000',
    'https://exa\u007fmple.com/',
    'view-source:https://example.com',
    'jar:https://example.com!/x',
    'intent://example.com#Intent;end',
  ];
  for (const href of refused) {
    it(`refuses ${JSON.stringify(href)}`, () => {
      assert.equal(safeLink(href), undefined);
    });
  }

  it('refuses a URL that is too long to open, before and after encoding', () => {
    const start = 'https://example.com/';
    const longest = start + 'a'.repeat(8192 - start.length);
    assert.equal(safeLink(longest)?.href, longest);
    assert.equal(safeLink(`${longest}a`), undefined);
    assert.equal(safeLink(start + 'ä'.repeat(2000)), undefined);
  });
});

describe('claimsOtherTarget', () => {
  it('notices a text that names another host', () => {
    assert.equal(claimsOtherTarget('google.com', 'evil.example'), true);
    assert.equal(claimsOtherTarget('https://google.com/login', 'evil.example'), true);
    assert.equal(claimsOtherTarget('google.com.evil.example', 'evil.example'), true);
  });

  it('accepts the same host and plain words', () => {
    assert.equal(claimsOtherTarget('https://www.Example.com/a', 'example.com'), false);
    assert.equal(claimsOtherTarget('the manual', 'example.com'), false);
    assert.equal(claimsOtherTarget('version 1.2', 'example.com'), false);
  });
});
