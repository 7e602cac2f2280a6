import assert from 'node:assert/strict';
import { cutsOf, workloadOf } from '../../bench/client/workload.ts';
import { charactersPerToken, documentOf } from '../../bench/page/documentOf.ts';

describe('the workloads of the benchmark', () => {
  it('are the same every time', () => {
    assert.deepEqual(workloadOf(50), workloadOf(50));
    assert.equal(documentOf(500), documentOf(500));
  });

  it('are a stream of about 260 bytes per event, ending with [DONE]', () => {
    const { events, bytes } = workloadOf(1000);
    assert.equal(events.length, 1001);
    assert.equal(events.at(-1), 'data: [DONE]\n\n');
    assert.ok(bytes / 1000 > 240 && bytes / 1000 < 300, String(bytes / 1000));
  });

  it("contain all of the bytes, however they're cut", () => {
    const workload = workloadOf(200);
    assert.equal(Buffer.concat(cutsOf(workload)).toString(), workload.events.join(''));
  });

  it('are documents of the requested length, with each kind of block', () => {
    const text = documentOf(2000);
    assert.equal(text.length, 2000 * charactersPerToken);
    for (const block of [/^## /m, /^- /m, /^1\. /m, /^```typescript$/m, /^\| --- /m, /^> /m, /\*\*/, /\]\(http/]) {
      assert.match(text, block);
    }
  });

  it('are one block if requested', () => {
    assert.equal(documentOf(1000, 'fence').match(/```/g)?.length, 1);
    assert.ok(!documentOf(1000, 'list').includes('\n\n'));
    assert.ok(
      documentOf(1000, 'table')
        .split('\n')
        .every((line) => line.startsWith('|')),
    );
  });
});
