import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/api/types.ts';
import { writeInto } from '../../../../src/vscode/commitMessage/writeInto.ts';

/** Texts one after another; something may happen before each. */
async function* replying(
  texts: readonly string[],
  before: (index: number) => void = () => {},
): AsyncGenerator<ChatEvent> {
  for (const [index, text] of texts.entries()) {
    await Promise.resolve();
    before(index);
    yield { type: 'text', text };
  }
  yield { type: 'end', complete: true };
}

describe('Writing a message into the box', () => {
  it('shows it as it grows', async () => {
    const seen: string[] = [];
    const box = { value: '' };
    const outcome = await writeInto(box, () => replying(['Fix', ' the', ' parser'], () => seen.push(box.value)));
    assert.deepEqual([outcome, box.value, seen], ['written', 'Fix the parser', ['', 'Fix', 'Fix the']]);
  });

  it('puts back what stood there when it fails or is stopped', async () => {
    const box = { value: 'my words' };
    const failing = () =>
      replying(['Fix', ' it'], (index) => {
        if (index === 1) throw new Error('lost');
      });
    await assert.rejects(writeInto(box, failing), /lost/);
    assert.equal(box.value, 'my words');
  });

  it('leaves the box to a person who types, and ends the request', async () => {
    const box = { value: '' };
    let signal: AbortSignal | undefined;
    const outcome = await writeInto(box, (leave) => {
      signal = leave;
      return replying(['Fix', ' the', ' parser'], (index) => {
        if (index === 2) box.value = 'Mine';
      });
    });
    assert.deepEqual([outcome, box.value, signal?.aborted], ['left', 'Mine', true]);
  });

  it('leaves the box as it was where nothing came', async () => {
    const box = { value: 'mine' };
    assert.equal(await writeInto(box, () => replying(['```', '\n', '```'])), 'empty');
    assert.equal(box.value, 'mine');
  });
});
