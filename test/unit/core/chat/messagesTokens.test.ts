import assert from 'node:assert/strict';
import { messagesTokens, mostTokensOf } from '../../../../src/core/chat/messagesTokens.ts';

const said = (content: string) => [{ role: 'user', content } as const];

/** A PNG that says how large it is, without its pixels. */
function pictureUrl(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

const seen = (url: string) => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ],
  } as const,
];

describe('The tokens of messages', () => {
  it('are about a character each in Chinese, Japanese, and Korean, and fewer in other scripts', () => {
    assert.equal(messagesTokens(said('Say hello')), 3);
    assert.equal(messagesTokens(said('天空为什么是蓝色的')), 9);
    assert.equal(messagesTokens(said('Почему небо голубое?')), 10);
  });

  it('include images', () => {
    assert.equal(messagesTokens(seen(pictureUrl(1500, 1000))), 3 + 2000);
    assert.ok(messagesTokens(seen('https://a.test/b.png')) > 1000);
    assert.ok(mostTokensOf(seen(pictureUrl(1500, 1000))) > 4000);
  });

  it("don't exceed the bytes of the text and what a template adds", () => {
    assert.equal(mostTokensOf(said('天空')), 6 + 16 + 64);
  });
});
