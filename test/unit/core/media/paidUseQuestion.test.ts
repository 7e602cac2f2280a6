import assert from 'node:assert/strict';
import { paidUseQuestion } from '../../../../src/core/media/paidUseQuestion.ts';

const model = { id: 'local/video', raw: { pricing: { request: 0.05, second: 0.01 } } };
/** As a user sees it. */
const linesOf = (markdown: string) => markdown.split('\n\n').map((line) => line.replaceAll('\\', ''));

describe('The confirmation before something that costs money', () => {
  it('shows the model and the host, what is sent, its cost, and the prices', () => {
    const use = { model, about: ['5 s · 720p', '', 'A bridge'], price: 0.1 + 0.2 };
    assert.deepEqual(linesOf(paidUseQuestion(use, 'gw.example')), [
      'Model: local/video at gw.example',
      '5 s · 720p',
      'A bridge',
      '≈ 0.30 at list price',
      'List price: 0.05 per request, 0.01 per second. Your account with the service is charged.',
    ]);
  });

  it('shows no sum without prices', () => {
    assert.ok(!paidUseQuestion({ model, about: ['A bridge'] }, 'gw.example').includes('≈'));
  });

  it('shows a URL whole beside a prompt of any length, and nothing as a link', () => {
    const address = `https://pictures.example/${'a'.repeat(500)}.png`;
    const markdown = paidUseQuestion({ model, about: [address, `[x](https://evil.example) ${'b'.repeat(9000)}`] }, 'h');
    assert.equal(linesOf(markdown)[1], address);
    assert.ok(!markdown.includes('https://') && !markdown.includes('[x]('));
  });
});
